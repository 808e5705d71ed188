// What went wrong once, each as it was found.
#include "engine/frontend/parser.h"
#include "engine/session/explore.h"
#include "engine/session/export_design.h"
#include "engine/support/json.h"
#include "tests/cli/reliability/commands.h"
#include "tests/support/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>

namespace marquetry::reliability {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class Findings : public ::testing::Test {
protected:
    Outcome verify(const std::string& folder) {
        return runHere({"verify", folder, "--simulator", "iverilog", "--vectors", "1"});
    }

    Workplace place_;
};

TEST_F(Findings, AProgramThatIsEditedUnderwayIsExportedAsItWasRead) {
    auto parsed = frontend::parseFile(place_.file("d.mq"));
    ASSERT_TRUE(parsed.has_value());
    const std::string text = parsed->text;
    const auto program =
        std::make_shared<const ir::Program>(*frontend::selectItem(*std::move(parsed), ""));
    place_.put("in/d.mq", "design d { broken");
    place_.put("in/w.bin", "87654321");
    const auto found = session::explore(program, {}, {});
    ASSERT_TRUE(found.has_value() && found->extraction.design != nullptr);
    fs::remove(place_.file("w.bin"));
    const auto request = session::makeExportRequest(*found->extraction.design, *program, text, {});
    ASSERT_TRUE(request.has_value());
    ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(*request), place_.path("x")).has_value());
    const auto files = tree(place_.path("x"));
    EXPECT_EQ(files.at("program/d.mq"), text);
    EXPECT_EQ(files.at("program/w.bin"), "12345678");
    const Outcome verified = verify(place_.path("x"));
    EXPECT_EQ(verified.status, 0) << verified.err;
}

/// The item's text would lie where the weights do.
TEST_F(Findings, WeightsCalledLikeTheProgramAreExported) {
    place_.put("w/e.mq", "design e { input x : i8[2] = random(seed: 1);"
                         " weight w : i8[2, 2] = file(\"E.mq\"); output y = mv(w, x); }");
    place_.put("w/E.mq", "1234");
    const Outcome exported =
        runHere({"export", place_.path("w/e.mq"), "--steps", "2", "--out", place_.path("x")});
    ASSERT_EQ(exported.status, 0) << exported.err;
    EXPECT_EQ(verify(place_.path("x")).status, 0);
}

TEST_F(Findings, FilesOfTheUserInAnExportStay) {
    const Writer& design = place_.writers()[7];
    const std::string folder = place_.path("x");
    ASSERT_EQ(place_.write(design, folder).status, 0);
    place_.put("x/notes.txt", "mine");
    place_.put("x/rtl/notes.txt", "mine too");
    ASSERT_EQ(place_.write(design, folder, true).status, 0);
    EXPECT_EQ(tree(folder).at("notes.txt"), "mine");
    EXPECT_EQ(tree(folder).at("rtl/notes.txt"), "mine too");
    place_.put("x/DESIGN.json", "edited");
    const Outcome refused = place_.write(design, folder);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("'DESIGN.json'"));
    EXPECT_EQ(tree(folder).at("DESIGN.json"), "edited");
}

TEST_F(Findings, ALinkToAnExportStaysALink) {
    const Writer& memory = place_.writers()[9];
    ASSERT_EQ(place_.write(memory, place_.path("real")).status, 0);
    const auto before = tree(place_.path("real"));
    fs::create_directory_symlink("real", place_.path("link"));
    ASSERT_EQ(place_.write(memory, place_.path("link"), true).status, 0);
    EXPECT_TRUE(fs::is_symlink(place_.path("link")));
    EXPECT_FALSE(tree(place_.path("real")) == before);
}

TEST_F(Findings, ARateThatCannotBeIsAnAnswer) {
    for (const char* const command : {"schedule", "export", "bank"}) {
        std::vector<std::string> arguments{command, place_.file("s.mq"), "--throughput", "3/7"};
        if (std::string(command) == "export")
            arguments.insert(arguments.end(), {"--out", place_.path("x")});
        const Outcome outcome = runHere(arguments);
        EXPECT_EQ(outcome.status, 1) << command << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("[infeasible-throughput]"));
    }
}

TEST_F(Findings, NamesOfDevicesDoNotReachTheTerminalRaw) {
    const std::string shipped = runHere({"devices", "--json"}).out;
    place_.put("in/device.json",
               R"({"id":"q","name":"evil\u001b[31m\u009b\nname","dsp":64,"lut":1e6,"ff":1e6,)"
               R"("bram":{"count":100,"shapes":[[32,512]]}})");
    const Outcome text = runHere(
        {"explore", place_.file("d.mq"), "--steps", "2", "--device", place_.file("device.json")});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("evil\\x1b[31m"));
    EXPECT_THAT(text.out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text.out, Not(HasSubstr("\xc2\x9b")));
}

TEST_F(Findings, TheNextCommandIsQuoted) {
    const Writer& memory = place_.writers()[9];
    const Outcome exported = place_.write(memory, place_.path("a b'$c"));
    EXPECT_THAT(exported.out, HasSubstr("next: marquetry verify '" + place_.path("a b'\\''$c'")));
}

TEST_F(Findings, AWindowWithoutADisplayIsADiagnostic) {
    for (const char* const environment :
         {"QT_QPA_PLATFORM=nope", "QT_QPA_PLATFORM=xcb DISPLAY=:7654", "QT_QPA_PLATFORM="}) {
        const std::string command = "env -u DISPLAY -u WAYLAND_DISPLAY " +
                                    std::string(environment) + " " + test::program() + " open 2>" +
                                    place_.path("err");
        const int status = std::system(command.c_str());
        ASSERT_TRUE(WIFEXITED(status)) << environment;
        EXPECT_EQ(WEXITSTATUS(status), 2) << environment;
        std::ifstream err(place_.path("err"));
        EXPECT_THAT(std::string((std::istreambuf_iterator<char>(err)), {}), HasSubstr("error: "))
            << environment;
    }
}

} // namespace
} // namespace marquetry::reliability
