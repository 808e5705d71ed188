// `verify` on exports wherever they are and whoever has edited them: they are only read, and
// nothing of them is executed but the hardware, in simulation.
#include "engine/artefact/manifest.h"
#include "engine/support/files.h"
#include "engine/support/process.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"
#include "tests/support/shared_cache.h"

#include <map>

namespace marquetry::cli_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kKeptDesign =
    "design d {\n"
    "  input x : i8[4, 4, 3] = random(seed: 1);\n"
    "  weight w : i8[5, 3, 3, 3] = file(\"my weights/$HOME `id`.bin\");\n"
    "  output y = relu(requant(conv(x, w), shift: 6));\n"
    "}\n";
constexpr const char* kKeptStream =
    "stream s { input a : Seq 4 u8; output y = map(fn v -> add(v, 1), "
    "a); }\n";
constexpr const char* kKeptMemory =
    "memory m { array a : i8[16] bank flat(2, 1, [1]); for i in 0 .. 15 { read a[i], "
    "a[i+1]; } }\n";

/// Of everything below a folder: name → kind, time of change, bytes.
std::map<std::string, std::string> snapshot(const fs::path& folder) {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        std::string& what = found[entry.path().lexically_relative(folder).string()];
        if (entry.is_symlink()) { // what it leads to is elsewhere, and may be another test's
            what = fs::read_symlink(entry.path()).string();
            continue;
        }
        const auto time = fs::last_write_time(entry.path()).time_since_epoch().count();
        what = std::to_string(static_cast<int>(entry.symlink_status().type())) + " " +
               std::to_string(time) + " " +
               (entry.is_regular_file() ? contents(entry.path()) : std::string());
    }
    return found;
}

void makeReadOnly(const fs::path& folder, bool readOnly) {
    const fs::perms bits =
        fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
    const auto change = readOnly ? fs::perm_options::remove : fs::perm_options::add;
    fs::permissions(folder, bits, change);
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        fs::permissions(entry.path(), bits, change);
}

class VerifyCommand : public Cli {
protected:
    VerifyCommand() {
        test::useCacheFolder(path("cache"));
        fs::create_directories(folder_.path() / "work");
        fs::create_directories(folder_.path() / "source" / "my weights");
        std::ofstream(path("source/my weights/$HOME `id`.bin")) << std::string(5 * 3 * 3 * 3, 'w');
    }

    /// Without a shell, in a folder of its own.
    ProcessResult marquetry(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), test::program());
        const auto result = runProcess({std::move(arguments), path("work")});
        EXPECT_TRUE(result) << format(result.error());
        return result ? *result : ProcessResult{-1, {}};
    }

    std::string exported(const std::string& name, const std::string& text) const {
        const std::string file = write("source/" + name + ".mq", text);
        const ProcessResult done = marquetry({"export", file, "--out", path(name)});
        EXPECT_EQ(done.exitCode, 0) << done.output;
        return path(name);
    }

    ProcessResult verify(const std::string& folder,
                         const std::string& simulator = "iverilog") const {
        return marquetry({"verify", folder, "--simulator", simulator, "--vectors", "1"});
    }

    /// Replaces text in a file of an export, and makes the manifest agree.
    static void forge(const std::string& folder, const std::string& file, const std::string& from,
                      const std::string& to) {
        std::string text = contents(folder + "/" + file);
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from << " is not in " << file;
        text.replace(at, from.size(), to);
        std::ofstream(folder + "/" + file, std::ios::binary) << text;
        const Json manifest = Json::parse(contents(folder + "/manifest.json"));
        hdl::ExportFiles files;
        for (const Json& entry : manifest["files"]) {
            const std::string name = entry["path"];
            files[name] = contents(folder + "/" + name);
        }
        std::ofstream(folder + "/manifest.json", std::ios::binary)
            << hdl::writeManifest({manifest["program"], manifest["target"]}, files);
    }

    void expectDamaged(const std::string& folder, const std::string& what) const {
        const ProcessResult refused = verify(folder);
        EXPECT_EQ(refused.exitCode, 2) << refused.output;
        EXPECT_THAT(refused.output, HasSubstr("[export-damaged]"));
        EXPECT_THAT(refused.output, HasSubstr(what));
    }
};

TEST_F(VerifyCommand, ExportsAreOnlyReadAndTheirFolderMayHaveAnyName) {
    const fs::path hostile =
        folder_.path() / "a b'c\"d`touch PWNED`$(touch PWNED);touch PWNED&touch PWNED|\\\n#:=%\xff";
    fs::create_directories(hostile);
    for (const auto& [name, text] :
         {std::pair("d", kKeptDesign), std::pair("s", kKeptStream), std::pair("m", kKeptMemory)})
        fs::rename(exported(name, text), hostile / name);
    makeReadOnly(hostile, true);
    const auto before = snapshot(folder_.path());
    for (const char* const name : {"d", "s", "m"})
        for (const char* const simulator : {"iverilog", "verilator"}) {
            const ProcessResult done = verify((hostile / name).string(), simulator);
            EXPECT_EQ(done.exitCode, 0) << name << " " << simulator << "\n" << done.output;
            EXPECT_THAT(done.output, HasSubstr("pass: 1 vectors"));
        }
    EXPECT_EQ(snapshot(folder_.path()), before);
    makeReadOnly(hostile, false);
}

TEST_F(VerifyCommand, TheBenchOfAStreamIsOurs) {
    const std::string folder = exported("s", kKeptStream);
    forge(folder, "tb/tb_stream.v", "initial begin",
          "initial begin $display(\"{\\\"pass\\\":true}\"); $finish;");
    expectDamaged(folder, "'tb/tb_stream.v' is not the bench of this design");
}

TEST_F(VerifyCommand, TheBenchOfAMemoryIsOurs) {
    const std::string folder = exported("m", kKeptMemory);
    forge(folder, "tb/tb.v", "initial begin", "initial begin $finish;");
    expectDamaged(folder, "'tb/tb.v' is not the bench of this design");
}

TEST_F(VerifyCommand, TheSchemeOfAMemoryIsThatOfItsBench) {
    const std::string folder = exported("m", kKeptMemory);
    const Json memory = Json::parse(contents(folder + "/DESIGN.json"))["memory"];
    for (const char* const field : {"maps", "box", "depth", "module"})
        EXPECT_TRUE(memory.contains(field)) << field;
    forge(folder, "DESIGN.json", "\"N\": 2", "\"N\": 1");
    expectDamaged(folder, "the bank scheme in DESIGN.json is none of the array 'a'");
    forge(folder, "DESIGN.json", "\"N\": 1", "\"N\": \"two\"");
    expectDamaged(folder, "the bank scheme");
    forge(folder, "DESIGN.json", "\"module\": \"m\"", "\"module\": \"m; $(id)\"");
    const ProcessResult refused = verify(folder);
    EXPECT_EQ(refused.exitCode, 2) << refused.output;
    EXPECT_THAT(refused.output, HasSubstr("[schedule-form]"));
}

TEST_F(VerifyCommand, TheProgramIsThatOfTheBench) {
    const std::string memory = exported("m", kKeptMemory);
    forge(memory, "program/m.mq", "a[i+1]", "a[i]");
    expectDamaged(memory, "'tb/tb.v' is not the bench of this design");
    const std::string stream = exported("s", kKeptStream);
    forge(stream, "program/s.mq", "add(v, 1)", "add(v, 2)");
    const ProcessResult failed = verify(stream);
    EXPECT_EQ(failed.exitCode, 1) << failed.output;
    EXPECT_THAT(failed.output, HasSubstr("trace: " + path("cache") + "/marquetry/traces/s-"));
}

TEST_F(VerifyCommand, ProgramsReadNothingOutsideTheExport) {
    const std::string folder = exported("d", kKeptDesign);
    const std::string bytes = path("outside.bin");
    std::ofstream(bytes) << std::string(5 * 3 * 3 * 3, 'w');
    forge(folder, "program/d.mq", "my weights/$HOME `id`.bin", bytes);
    expectDamaged(folder, "which is not part of the export");
    forge(folder, "program/d.mq", bytes, "../../outside.bin");
    const ProcessResult refused = verify(folder);
    EXPECT_EQ(refused.exitCode, 2) << refused.output;
}

TEST_F(VerifyCommand, MessagesNameTheProgramOfTheExport) {
    const std::string folder = exported("s", kKeptStream);
    forge(folder, "program/s.mq", "output y", "outpt y");
    const ProcessResult refused = verify(folder);
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.output, HasSubstr(folder + "/program/s.mq:1:"));
}

TEST_F(VerifyCommand, TheFirstWrongElementIsNamed) {
    const std::string folder = exported("d", kKeptDesign);
    const ProcessResult right =
        marquetry({"verify", folder, "--simulator", "iverilog", "--vectors", "1", "--checkpoints"});
    EXPECT_EQ(right.exitCode, 0);
    EXPECT_THAT(right.output, HasSubstr("what is stored is right at all 2 checkpoints\n"));
    forge(folder, "rtl/d_load_x.v", " wdata = ", " wdata = ~");
    const ProcessResult said = verify(folder);
    EXPECT_EQ(said.exitCode, 1);
    const Json json =
        Json::parse(run("verify " + folder + " --simulator iverilog --vectors 1 --json").out);
    const Json wrong = json["first_wrong"];
    EXPECT_EQ(wrong["input"], "x");
    EXPECT_EQ(wrong["tensor"], "x");
    EXPECT_EQ(wrong["axes"], Json({"h", "w", "c"}));
    EXPECT_EQ(wrong["element"], Json({0, 0, 0}));
    EXPECT_EQ(wrong["got"].get<int>(), ~wrong["expected"].get<int>());
    EXPECT_EQ(json["checkpoints"], 1);
    EXPECT_THAT(said.output, HasSubstr("first wrong: input x: element [h=0, w=0, c=0] is " +
                                       wrong["got"].dump() + ", expected " +
                                       wrong["expected"].dump() + " (vector 0)\n"));
}

TEST_F(VerifyCommand, OnlyDesignsHaveCheckpoints) {
    const ProcessResult done = marquetry({"verify", exported("s", kKeptStream), "--simulator",
                                          "iverilog", "--vectors", "1", "--checkpoints"});
    EXPECT_EQ(done.exitCode, 0) << done.output;
    EXPECT_THAT(done.output, HasSubstr("only designs have checkpoints"));
}

TEST_F(VerifyCommand, ATraceIsWrittenWhereItIsAskedFor) {
    const std::string folder = exported("s", kKeptStream);
    const auto traced = [&](const std::string& trace) {
        return marquetry(
            {"verify", folder, "--simulator", "iverilog", "--vectors", "1", "--trace", trace});
    };
    for (int again = 0; again < 2; ++again) { // an FST is replaced
        const ProcessResult done = traced(path("s.fst"));
        EXPECT_EQ(done.exitCode, 0) << done.output;
        EXPECT_THAT(done.output, HasSubstr("trace: " + path("s.fst")));
        EXPECT_TRUE(contents(path("s.fst")).starts_with(std::string("\0\0\0\0\0\0\0\x01\x49", 9)));
    }
    std::ofstream(path("mine.fst")) << "mine";
    for (const auto& [trace, code] :
         {std::pair("s.vcd", "[trace-form]"), std::pair("nowhere/s.fst", "[output-unwritable]"),
          std::pair("mine.fst", "[output-exists]")}) {
        const ProcessResult refused = traced(path(trace));
        EXPECT_EQ(refused.exitCode, 2) << refused.output;
        EXPECT_THAT(refused.output, HasSubstr(code));
        EXPECT_THAT(refused.output, Not(HasSubstr("building"))) << "before the work is done";
    }
    EXPECT_EQ(contents(path("mine.fst")), "mine");
}

} // namespace
} // namespace marquetry::cli_test
