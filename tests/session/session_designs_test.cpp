// DESIGN.json opened in a session: its program, and what it was searched with.
#include "engine/session/design_file.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <filesystem>
#include <fstream>

namespace marquetry::session {
namespace {

using Json = nlohmann::ordered_json;

class DesignsOpened : public ::testing::Test {
protected:
    DesignsOpened() {
        choices_.settings.device = "xcu250";
        choices_.settings.clockMhz = 123;
        choices_.settings.limits["dsp"] = 512;
        choices_.settings.without = {"padding"};
        choices_.pins = {{1, design::PinKind::NeverShare, "Mv 64×576", "", true}};
        write("two_layers.mq", kTwoLayers);
    }

    std::string path(const std::string& name) const { return folder_ / name; }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }

    /// A search to the end with the choices, and the file of what it finds.
    std::string explored(Harness& harness) {
        EXPECT_TRUE(harness.run(ChangeSettings{choices_.settings}).accepted);
        EXPECT_TRUE(harness.run(OpenFile{path("two_layers.mq"), ""}).accepted);
        for (const design::Pin& pin : choices_.pins)
            EXPECT_TRUE(harness.run(AddPin{pin}).accepted);
        const auto snapshot = harness.settle(session::Run{});
        design_ = snapshot->design;
        if (!design_)
            return "";
        return write("DESIGN.json", designJson(*design_, *snapshot->program,
                                               DesignChoices{snapshot->settings, snapshot->pins}));
    }

    static std::string logOf(const Snapshot& snapshot) {
        std::string log;
        for (const LogLine& line : snapshot.log)
            log += line.text + "\n";
        return log;
    }

    /// Refused; what was there before still is.
    void expectRefused(const std::string& file, const std::string& code) {
        Harness harness;
        ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "before.mq"}).accepted);
        const Acknowledgement refused = harness.run(OpenFile{file, ""});
        EXPECT_FALSE(refused.accepted);
        EXPECT_TRUE(hasCode(refused.diagnostics, code)) << format(refused.diagnostics);
        const auto snapshot = harness.fresh();
        EXPECT_EQ(snapshot->file, "before.mq");
        EXPECT_EQ(snapshot->settings, Settings());
        EXPECT_NE(logOf(*snapshot).find("[" + code + "]"), std::string::npos);
    }

    test::TemporaryFolder folder_;
    DesignChoices choices_;
    std::shared_ptr<const design::Design> design_;
};

TEST_F(DesignsOpened, BringDeviceSettingsAndPins) {
    Harness first;
    const std::string file = explored(first);
    ASSERT_NE(file, "");
    Harness harness;
    const auto opened = harness.settle(OpenFile{file, ""});
    EXPECT_EQ(opened->phase, Phase::Loaded);
    EXPECT_EQ(opened->file, path("two_layers.mq"));
    EXPECT_EQ(opened->program->name, "two_layers");
    EXPECT_EQ(opened->device.id, "xcu250");
    EXPECT_EQ(opened->device.clockMhz, 123);
    EXPECT_EQ(opened->limits.dsp, 512);
    EXPECT_EQ(opened->settings, choices_.settings);
    EXPECT_TRUE(opened->diagnostics.empty()) << format(opened->diagnostics);
    ASSERT_EQ(opened->pins.size(), 1U);
    EXPECT_EQ(opened->pins[0].target, choices_.pins[0].target);
    EXPECT_FALSE(opened->canUndo);
    const auto found = harness.settle(session::Run{});
    ASSERT_TRUE(found->design);
    EXPECT_EQ(designJson(*found->design, *found->program), designJson(*design_, *found->program));
}

/// Undo of a later change leads back to what the file says.
TEST_F(DesignsOpened, BeginAHistoryOfTheirOwn) {
    Harness first;
    const std::string file = explored(first);
    Harness harness;
    ASSERT_TRUE(harness.run(ChangeSettings{Harness::withDsp(7)}).accepted);
    ASSERT_TRUE(harness.run(OpenFile{file, ""}).accepted);
    EXPECT_FALSE(harness.run(Undo{}).accepted);
    ASSERT_TRUE(harness.run(ChangeSettings{Settings{}}).accepted);
    EXPECT_EQ(harness.fresh()->device.id, "arria10");
    ASSERT_TRUE(harness.run(Undo{}).accepted);
    EXPECT_EQ(harness.fresh()->settings, choices_.settings);
}

/// Also over the program that is open already.
TEST_F(DesignsOpened, ReplaceTheChoicesOfTheSameProgram) {
    Harness harness;
    const std::string file = explored(harness);
    ASSERT_TRUE(harness.run(ChangeSettings{Settings{}}).accepted);
    ASSERT_TRUE(harness.run(RemovePin{1}).accepted);
    ASSERT_TRUE(harness.run(OpenFile{file, ""}).accepted);
    const auto opened = harness.fresh();
    EXPECT_EQ(opened->settings, choices_.settings);
    ASSERT_EQ(opened->pins.size(), 1U);
    EXPECT_NE(opened->pins[0].id, 1) << "ids are never used twice";
}

TEST_F(DesignsOpened, OfAChangedProgramWarn) {
    Harness first;
    const std::string file = explored(first);
    std::string changed = kTwoLayers;
    changed.replace(changed.find("seed: 2"), 7, "seed: 9");
    write("two_layers.mq", changed);
    Harness harness;
    ASSERT_TRUE(harness.run(OpenFile{file, ""}).accepted);
    const auto opened = harness.fresh();
    EXPECT_EQ(opened->device.id, "xcu250");
    ASSERT_TRUE(hasCode(opened->diagnostics, "design-stale"));
    EXPECT_FALSE(hasErrors(opened->diagnostics));
    EXPECT_NE(logOf(*opened).find("[design-stale]"), std::string::npos) << logOf(*opened);
    ASSERT_TRUE(harness.run(SwitchRules{"tiling", false}).accepted); // another e-graph
    EXPECT_TRUE(hasCode(harness.fresh()->diagnostics, "design-stale"));
    ASSERT_TRUE(harness.run(OpenFile{path("two_layers.mq"), ""}).accepted);
    EXPECT_TRUE(harness.fresh()->diagnostics.empty());
}

TEST_F(DesignsOpened, OfAProgramWithErrorsShowThem) {
    Harness first;
    const std::string file = explored(first);
    write("two_layers.mq", "design two_layers {");
    Harness harness;
    const Acknowledgement refused = harness.run(OpenFile{file, ""});
    EXPECT_FALSE(refused.accepted);
    const auto opened = harness.fresh();
    EXPECT_EQ(opened->phase, Phase::Invalid);
    EXPECT_TRUE(hasErrors(opened->diagnostics));
    EXPECT_EQ(opened->file, path("two_layers.mq"));
}

TEST_F(DesignsOpened, ThatAreNoneAreRefused) {
    Harness first;
    const std::string file = explored(first);
    ASSERT_NE(file, "");
    const Json design = Json::parse(*test::readText(file));
    expectRefused(path("missing.json"), "file-missing");
    std::filesystem::create_directory(path("folder.json"));
    expectRefused(path("folder.json"), "file-unreadable");
    for (const char* const text : {"", "{", "[1]", "{}", "design d { }"})
        expectRefused(write("other.json", text), "design-form");
    for (const char* const pointer : {"/device", "/settings/limit/dsp", "/pins/0/target",
                                      "/design/cycles", "/schedule/lanes", "/design_sha256"}) {
        Json edited = design;
        edited[Json::json_pointer(pointer)] = "arria10";
        expectRefused(write("other.json", edited.dump()), "design-form");
    }
    Json elsewhere = design;
    elsewhere["settings"]["device"] = "none";
    elsewhere["design_sha256"] = hashOfDesign(elsewhere);
    expectRefused(write("other.json", elsewhere.dump()), "device-unknown");
    elsewhere["settings"]["steps"] = "many";
    elsewhere["design_sha256"] = hashOfDesign(elsewhere);
    expectRefused(write("other.json", elsewhere.dump()), "design-form");
    std::filesystem::remove(path("two_layers.mq"));
    expectRefused(file, "file-missing");
}

/// An export of a point of the plot names limits under which a design as good is the answer.
TEST_F(DesignsOpened, OfAChosenPointFindOneAsGood) {
    Harness first;
    choices_.pins.clear();
    ASSERT_NE(explored(first), "");
    const auto front = first.fresh();
    const auto other = std::ranges::find_if(front->points, [&](const design::DesignPoint& point) {
        return point.onFront && point.resources.dsp < design_->resources.dsp;
    });
    ASSERT_NE(other, front->points.end());
    const auto chosen = first.settle(ChoosePoint{*other});
    ASSERT_TRUE(chosen->design);
    ASSERT_EQ(chosen->design->cycles, other->cycles);
    const Acknowledgement written = first.run(Export{path("out"), "verilog", ""});
    ASSERT_TRUE(written.accepted) << format(written.diagnostics);
    Harness harness;
    ASSERT_TRUE(harness.run(OpenFile{path("out/DESIGN.json"), ""}).accepted);
    const auto found = harness.settle(session::Run{});
    ASSERT_TRUE(found->design);
    EXPECT_LE(found->design->cycles, chosen->design->cycles);
    EXPECT_LE(found->design->resources.dsp, chosen->design->resources.dsp);
    EXPECT_GT(found->design->cycles, design_->cycles);
}

/// Exports of streams and memories bring their throughput and their scheme.
TEST_F(DesignsOpened, OfStreamsAndMemoriesBringWhatWasChosen) {
    const std::string program = write("items.mq", R"(
stream s { input x : Seq 12 u8; output y = map(fn v -> add(v, 5), x); }
memory m {
  array a : i8[8, 8] ports 2;
  for i in 0 .. 8 step 2 par 2 { read a[i, 0], a[i, 1]; write a[0, i]; }
}
)");
    Harness first;
    ASSERT_TRUE(first.run(OpenFile{program, "s"}).accepted);
    Settings settings;
    settings.device = "xcu250";
    ASSERT_TRUE(first.run(ChangeSettings{settings}).accepted);
    first.settle(SetThroughput{"s", {3, 1}});
    ASSERT_TRUE(first.run(Export{path("s"), "verilog", ""}).accepted);
    banking::SchemePins pins;
    pins.maps = {{{0, 1}, 1, 4}};
    pins.copies = 1;
    first.run(ShowMemory{"m"});
    first.settle(PinBanks{"m", pins});
    const Acknowledgement written = first.run(Export{path("m"), "verilog", "m"});
    ASSERT_TRUE(written.accepted) << format(written.diagnostics);
    Harness harness;
    const auto stream = harness.settle(OpenFile{path("s/DESIGN.json"), ""});
    EXPECT_EQ(stream->item, "s");
    EXPECT_EQ(stream->settings.device, "xcu250");
    ASSERT_TRUE(stream->streams[stream->stream].schedule);
    EXPECT_EQ(stream->streams[stream->stream].schedule->clocks, 4);
    const auto memory = harness.settle(OpenFile{path("m/DESIGN.json"), ""});
    EXPECT_EQ(memory->item, "m");
    EXPECT_EQ(memory->settings.device, "xcu250");
    ASSERT_TRUE(memory->memories[memory->memory].ready());
    EXPECT_EQ(memory->memories[memory->memory].choice.pins, pins);
}

/// Nothing is opened, and what is open stays.
TEST_F(DesignsOpened, OfEditedStreamsAndMemoriesAreRefused) {
    const std::string program = write("items.mq", R"(
stream s { input x : Seq 12 u8; output y = map(fn v -> add(v, 5), x); }
memory m {
  array a : i8[8, 8] ports 2;
  for i in 0 .. 8 step 2 par 2 { read a[i, 0], a[i, 1]; write a[0, i]; }
}
)");
    Json stream = {{"program", "s"}, {"program_file", "items.mq"}};
    stream["stream"] = {{"device", "xcu250"}, {"clocks", 4}};
    Json memory = {{"program", "m"}, {"program_file", "items.mq"}};
    memory["memory"] = {{"device", "xcu250"}, {"copies", 1}};
    memory["memory"]["maps"] = {{{"N", 4}, {"B", 1}, {"alpha", {0, 1}}}};
    for (const Json& whole : {stream, memory}) {
        Harness harness;
        EXPECT_TRUE(harness.run(OpenFile{write("DESIGN.json", whole.dump()), ""}).accepted);
    }
    const auto refused = [&](Json edited, const char* pointer, const Json& value) {
        edited[Json::json_pointer(pointer)] = value;
        expectRefused(write("DESIGN.json", edited.dump()), "design-form");
    };
    for (const Json& clocks : {Json(0), Json(-4), Json("4"), Json(4.5), Json(1e300)})
        refused(stream, "/stream/clocks", clocks);
    for (const Json& alpha : {Json::array(), Json({1}), Json({0, 1, 2}), Json({0, 4}), Json(1)})
        refused(memory, "/memory/maps/0/alpha", alpha);
    refused(memory, "/memory/maps", Json::array());
    refused(memory, "/memory/maps/0/N", 0);
    refused(memory, "/memory/copies", 65);
    refused(memory, "/memory/device", "none");
    refused(stream, "/stream/device", 7);
    refused(stream, "/program", "m");
    std::filesystem::remove(program);
    expectRefused(write("DESIGN.json", memory.dump()), "file-missing");
}

} // namespace
} // namespace marquetry::session
