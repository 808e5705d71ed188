// DESIGN.json as input of `explore` and `export`.
#include "tests/cli/cli_fixture.h"

#include <array>
#include <map>

namespace marquetry::cli_test {
namespace {

using testing::HasSubstr;

constexpr const char* kProgram = R"(design d {
  input a : i8[8] = random(seed: 1);
  weight v : i8[4, 8] = random(seed: 5);
  output y = mv(v, a);
}
)";

std::map<std::string, std::string> filesBelow(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[fs::relative(entry.path(), folder).string()] = contents(entry.path());
    return files;
}

class DesignFiles : public Cli {
protected:
    DesignFiles() {
        program_ = write("d.mq", kProgram);
        design_ = path("DESIGN.json");
        const Outcome made = run("explore " + program_ + kOptions + " --out " + design_);
        EXPECT_EQ(made.status, 0) << made.err;
    }

    void expectRefused(const std::string& text, const std::string& code) {
        const std::string file = write("other.json", text);
        const Outcome refused = run("export " + file + " --out " + path("refused"));
        EXPECT_EQ(refused.status, 2) << text.substr(0, 200);
        EXPECT_THAT(refused.err, HasSubstr("[" + code + "]"));
        EXPECT_THAT(refused.err, HasSubstr("hint: "));
        EXPECT_FALSE(fs::exists(path("refused")));
    }

    static constexpr const char* kOptions = " --device xcu250 --steps 2";
    std::string program_;
    std::string design_;
};

TEST_F(DesignFiles, AreExportedAsTheExplorationTheyComeFrom) {
    ASSERT_EQ(run("export " + program_ + kOptions + " --out " + path("explored")).status, 0);
    const Outcome held = run("export " + design_ + " --json --out " + path("held"));
    ASSERT_EQ(held.status, 0) << held.err;
    EXPECT_EQ(Json::parse(held.out)["files"], filesBelow(path("held")).size());
    EXPECT_EQ(filesBelow(path("held")), filesBelow(path("explored")));
    const Outcome again = run("export " + path("held") + "/DESIGN.json --out " + path("again"));
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(filesBelow(path("again")), filesBelow(path("explored")));
}

TEST_F(DesignFiles, NameProgramItemAndDevice) {
    const Outcome explored = run("explore " + design_ + " --steps 2 --json");
    ASSERT_EQ(explored.status, 0) << explored.err;
    EXPECT_EQ(explored.err, "");
    const Json report = Json::parse(explored.out);
    EXPECT_EQ(report["program"], "d");
    EXPECT_EQ(report["device"], "xcu250");
    EXPECT_EQ(report["design"], Json::parse(contents(design_))["design"]);
    const Outcome other = run("explore " + design_ + " --steps 2 --json --device arria10");
    EXPECT_EQ(Json::parse(other.out)["device"], "arria10");
}

TEST_F(DesignFiles, KeepWhatTheyWereSearchedWith) {
    const std::string options = " --device xc7z020 --clock 123 --bandwidth 3 --limit dsp=8,lut=5000"
                                " --objective area --without padding,tiling --overlap --streams"
                                " --seed 5 --time 50 --steps 3 --pins " +
                                write("pins.json", R"({"pins":[{"kind":"never-share",
                                                              "target":"Mv 4×8"}]})");
    const Outcome asked = run("explore " + program_ + options + " --json --out " + path("e.json"));
    ASSERT_EQ(asked.status, 0) << asked.err;
    fs::remove(path("pins.json"));
    const Outcome again = run("explore " + path("e.json") + " --json");
    ASSERT_EQ(again.status, 0) << again.err;
    Json first = Json::parse(asked.out);
    Json second = Json::parse(again.out);
    for (Json* const report : {&first, &second}) {
        (*report)["egraph"].erase("saturate_ms");
        (*report)["extract"].erase("ms");
    }
    EXPECT_EQ(first, second);
    EXPECT_EQ(first["limits"]["dsp"], 8);
    const Outcome device = run("explore " + path("e.json") + " --json --device xcu250");
    EXPECT_EQ(Json::parse(device.out)["limits"]["dsp"], 12288) << "limits are the device's";
    const Outcome limit = run("explore " + path("e.json") + " --json --limit dsp=9 --clock 7");
    EXPECT_EQ(Json::parse(limit.out)["limits"]["dsp"], 9);
    EXPECT_EQ(Json::parse(limit.out)["design"]["clock_mhz"], 7);
}

TEST_F(DesignFiles, AreExportedWithTheVectorsOfTheirSeed) {
    const std::string options = std::string(kOptions) + " --seed 5";
    ASSERT_EQ(run("explore " + program_ + options + " --out " + path("five.json")).status, 0);
    ASSERT_EQ(run("export " + program_ + options + " --out " + path("explored")).status, 0);
    ASSERT_EQ(run("export " + path("five.json") + " --out " + path("held")).status, 0);
    EXPECT_EQ(filesBelow(path("held")), filesBelow(path("explored")));
}

TEST_F(DesignFiles, NameAFileOfADevice) {
    Json device = Json::parse(contents(test::sourceFolder() + "/resources/devices/devices.json"));
    Json one = device.is_array() ? device[0] : device["devices"][0];
    one["id"] = "mine";
    fs::create_directory(path("below"));
    write("below/mine.json", one.dump());
    const std::string design = path("below/DESIGN.json");
    ASSERT_EQ(run("explore " + program_ + " --steps 2 --device " + path("below/mine.json") +
                  " --out " + design)
                  .status,
              0);
    const Outcome again = run("explore " + design + " --steps 2 --json");
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(Json::parse(again.out)["device"], "mine");
    fs::remove(path("below/mine.json"));
    const Outcome gone = run("explore " + design + " --steps 2");
    EXPECT_EQ(gone.status, 2);
    EXPECT_THAT(gone.err, HasSubstr("[device-unknown]"));
    EXPECT_EQ(run("export " + design + " --out " + path("held")).status, 0)
        << "the design needs the device no more";
}

TEST_F(DesignFiles, OfTheVersionBeforeNameDeviceAndCostModelOnly) {
    Json old = Json::parse(contents(design_));
    for (const char* const name : {"settings", "pins", "design_sha256"})
        old.erase(name);
    const std::string file = write("old.json", old.dump());
    const Outcome explored = run("explore " + file + " --json");
    ASSERT_EQ(explored.status, 0) << explored.err;
    EXPECT_EQ(Json::parse(explored.out)["device"], "xcu250");
    old["cost"] = "cheap";
    expectRefused(old.dump(), "design-form");
}

TEST_F(DesignFiles, ThatWereEditedAreRefused) {
    for (const char* const pointer : {"/device", "/cost", "/settings/device", "/settings/clock",
                                      "/settings/streams", "/pins/0", "/design/cycles"}) {
        Json edited = Json::parse(contents(design_));
        edited[Json::json_pointer(pointer)] = "arria10";
        expectRefused(edited.dump(), "design-form");
    }
    Json edited = Json::parse(contents(design_));
    edited.erase("design_sha256");
    expectRefused(edited.dump(), "design-form");
}

TEST_F(DesignFiles, AreTakenWhereAProgramIsExplored) {
    const Outcome counted = run("count " + design_ + " --steps 2 --json");
    ASSERT_EQ(counted.status, 0) << counted.err;
    EXPECT_EQ(Json::parse(counted.out)["terms"],
              Json::parse(run("count " + program_ + kOptions + " --json").out)["terms"]);
    EXPECT_EQ(run("egraph " + design_ + " --export " + path("g.json")).status, 0);
}

TEST_F(DesignFiles, TakeNoOptionsOfASearch) {
    for (const char* const option :
         {"--device arria10", "--limit dsp=4", "--item d", "--throughput 1"}) {
        const Outcome refused = run("export " + design_ + " " + option + " --out " + path("none"));
        EXPECT_EQ(refused.status, 2) << option;
        EXPECT_THAT(refused.err, HasSubstr("[option-unused]"));
        EXPECT_FALSE(fs::exists(path("none")));
    }
    const Outcome taken =
        run("export " + design_ + " --vectors 2 --seed 3 --target verilog --out " + path("two"));
    EXPECT_EQ(taken.status, 0) << taken.err;
}

TEST_F(DesignFiles, OfAChangedProgramAreStale) {
    std::string changed = kProgram;
    changed.replace(changed.find("seed: 5"), 7, "seed: 6");
    write("d.mq", changed);
    expectRefused(contents(design_), "design-stale");
    const Outcome explored = run("explore " + design_ + " --steps 2");
    EXPECT_EQ(explored.status, 0);
    EXPECT_THAT(explored.err, HasSubstr("[design-stale]"));
    write("d.mq", std::string("// only a comment\n") + kProgram);
    EXPECT_EQ(run("export " + design_ + " --out " + path("commented")).status, 0);
    fs::remove(program_);
    expectRefused(contents(design_), "file-missing");
}

TEST_F(DesignFiles, ThatAreNoneAreRefused) {
    for (const char* const text :
         {"", "[]", "null", "{", "{}", R"({"design":{},"source":7})",
          R"({"design":{},"source":{"file":"d.mq"}})", R"({"source":{"file":"d.mq","item":"d"}})"})
        expectRefused(text, "design-form");
    expectRefused(std::string(100'000, '['), "design-form");
    Json edited = Json::parse(contents(design_));
    edited["schedule"]["lanes"] = 16;
    expectRefused(edited.dump(), "design-form");
    edited.erase("schedule");
    expectRefused(edited.dump(), "not-exportable");
    for (const char* const name : {"device", "cost"}) {
        edited = Json::parse(contents(design_));
        edited[name] = 7;
        expectRefused(edited.dump(), "design-form");
    }
    edited = Json::parse(contents(design_));
    edited["source"].erase("sha256");
    expectRefused(edited.dump(), "design-stale");
    edited["source"]["item"] = "other";
    expectRefused(edited.dump(), "no-item");
}

/// Exports of streams and memories hold no design: their DESIGN.json names the item and what was
/// chosen of it.
class HeldItems : public Cli {
protected:
    HeldItems() {
        program_ = write("items.mq", R"(
stream s { input x : Seq 12 u8; output y = map(fn v -> add(v, 5), x); }
memory m {
  array a : i8[8, 8] ports 2;
  for i in 0 .. 8 step 2 par 2 { read a[i, 0], a[i, 1]; write a[0, i]; }
}
)");
    }

    std::string deviceOf(const std::string& folder) {
        const Json design = Json::parse(contents(path(folder + "/DESIGN.json")));
        return design.at(design.contains("stream") ? "stream" : "memory").at("device");
    }

    void expectSame(const std::string& options, const std::string& folder) {
        ASSERT_EQ(run("export " + program_ + options + " --out " + path(folder)).status, 0);
        const Outcome again =
            run("export " + path(folder) + "/DESIGN.json --out " + path("again_" + folder));
        ASSERT_EQ(again.status, 0) << again.err;
        for (const auto& [name, bytes] : filesBelow(path(folder))) {
            const bool made = name.starts_with("rtl/") || name.starts_with("vectors/");
            EXPECT_TRUE(!made || bytes == contents(path("again_" + folder + "/" + name))) << name;
        }
        EXPECT_EQ(deviceOf(folder), deviceOf("again_" + folder));
    }

    std::string program_;
};

TEST_F(HeldItems, AreExportedAgain) {
    expectSame(" --item s --clocks 4", "three_per_clock");
    expectSame(" --item s", "one_per_clock");
    EXPECT_NE(contents(path("three_per_clock/rtl/s_top.v")),
              contents(path("one_per_clock/rtl/s_top.v")));
    expectSame(" --item m", "banked");
    expectSame(" --item m --map 4,1,0,1 --copies 1", "chosen");
    expectSame(" --item s --device xcu250", "stream_of_a_device");
    expectSame(" --item m --device lfe5u-85f", "memory_of_a_device");
    EXPECT_EQ(deviceOf("stream_of_a_device"), "xcu250");
    EXPECT_EQ(deviceOf("memory_of_a_device"), "lfe5u-85f");
}

TEST_F(HeldItems, GiveWayToOptions) {
    ASSERT_EQ(run("export " + program_ + " --item s --clocks 4 --out " + path("three")).status, 0);
    ASSERT_EQ(run("export " + program_ + " --item s --out " + path("one")).status, 0);
    const Outcome slower =
        run("export " + path("three") + "/DESIGN.json --throughput 1 --out " + path("other"));
    ASSERT_EQ(slower.status, 0) << slower.err;
    EXPECT_EQ(contents(path("other/rtl/s_top.v")), contents(path("one/rtl/s_top.v")));
}

TEST_F(HeldItems, GiveWayToADeviceAndAScheme) {
    ASSERT_EQ(run("export " + program_ + " --item m --out " + path("m")).status, 0);
    Json edited = Json::parse(contents(path("m/DESIGN.json")));
    edited["memory"]["device"] = "mine";
    edited["memory"]["maps"] = 7;
    write("m/DESIGN.json", edited.dump());
    const Outcome chosen = run("export " + path("m/DESIGN.json") + " --device xcu250" +
                               " --map 4,1,0,1 --copies 1 --out " + path("chosen"));
    ASSERT_EQ(chosen.status, 0) << chosen.err;
    EXPECT_EQ(deviceOf("chosen"), "xcu250");
}

/// An export with one value of its DESIGN.json changed, and what is said of it.
class EditedItems : public HeldItems {
protected:
    void expectNot(const std::string& folder, const std::string& pointer, const Json& value,
                   const std::string& field, const std::string& expected) {
        Json edited = whole(folder);
        edited[Json::json_pointer(pointer)] = value;
        expectRefused(folder, edited.dump(), field, expected);
    }

    void expectRefused(const std::string& folder, const std::string& text, const std::string& field,
                       const std::string& expected, const std::string& code = "design-form") {
        const std::string file = write(folder + "/DESIGN.json", text);
        const Outcome outcome = run("export " + file + " --out " + path("none"));
        SCOPED_TRACE(field + ": " + text.substr(0, 300));
        EXPECT_EQ(outcome.status, 2);
        EXPECT_FALSE(fs::exists(path("none")));
        EXPECT_THAT(outcome.err, HasSubstr("[" + code + "]"));
        EXPECT_THAT(outcome.err, HasSubstr(file));
        EXPECT_THAT(outcome.err, HasSubstr("\"" + field + "\""));
        EXPECT_THAT(outcome.err, HasSubstr(expected));
        EXPECT_THAT(outcome.err, HasSubstr("hint: "));
        EXPECT_THAT(outcome.err, testing::Not(HasSubstr("--map")));
    }

    const Json& whole(const std::string& folder) {
        Json& text = whole_[folder];
        if (text.is_null()) {
            const std::string item = " --item " + folder;
            EXPECT_EQ(run("export " + program_ + item + " --out " + path(folder)).status, 0);
            text = Json::parse(contents(path(folder + "/DESIGN.json")));
        }
        return text;
    }

    std::map<std::string, Json> whole_;
};

TEST_F(EditedItems, OfMemoriesAreRefusedByTheFieldThatIsWrong) {
    const std::string first = "memory.maps[0].";
    const std::string at = "/memory/maps/0/";
    for (const Json& wrong : {Json(0), Json(-1), Json(1.5), Json("many"), Json(), Json({1}),
                              Json(std::int64_t{1} << 62), Json(~std::uint64_t{0}), Json(1e300)}) {
        expectNot("m", at + "N", wrong, first + "N", "an integer from 1 to ");
        expectNot("m", at + "B", wrong, first + "B", "an integer from 1 to ");
        expectNot("m", "/memory/copies", wrong, "memory.copies", "an integer from 1 to 64");
    }
    for (const Json& wrong : {Json(-1), Json(1.5), Json("many"), Json(), Json(~std::uint64_t{0})})
        expectNot("m", at + "alpha/1", wrong, first + "alpha[1]", "an integer from 0 to ");
    for (const Json& wrong : {Json(), Json(1), Json("a"), Json::array(), Json::object()})
        expectNot("m", at + "alpha", wrong, first + "alpha", "a list of one integer for each");
    for (const Json& wrong : {Json({1}), Json({1, 2, 3})})
        expectNot("m", at + "alpha", wrong, first + "alpha", "expected 2, one for each dim");
    expectNot("m", "/memory/maps", {{{"N", 4}, {"B", 2}, {"alpha", {0, 8}}}}, first + "alpha",
              "in one bank");
    expectNot("m", "/memory/maps", {{{"N", 4}, {"B", 1}, {"alpha", {0, 0}}}}, first + "alpha",
              "in one bank");
    for (const Json& wrong : {Json(), Json(1), Json("a"), Json::array(), Json::object()})
        expectNot("m", "/memory/maps", wrong, "memory.maps", "a list of 1 to 64 maps");
    expectNot("m", "/memory/maps/0", 7, "memory.maps[0]", "an object with N, B and alpha");
    const Json many = {{"N", 4096}, {"B", 1}, {"alpha", {0, 1}}};
    expectNot("m", "/memory/maps", {many, many}, "memory.maps[1].N", "in all maps together");
    expectNot("m", "/memory/maps/1/B", std::int64_t{1} << 31, "memory.maps[1].B", "to 536870912");
    expectNot("m", "/memory", 7, "memory", "an object");
}

TEST_F(EditedItems, OfMemoriesAreRefusedWhereAFieldIsMissing) {
    for (const auto& [pointer, field, expected] :
         std::vector<std::array<std::string, 3>>{{"/memory/maps/0", "N", "an integer"},
                                                 {"/memory/maps/0", "B", "an integer"},
                                                 {"/memory/maps/0", "alpha", "a list"},
                                                 {"/memory", "maps", "a list"},
                                                 {"/memory", "copies", "an integer"}}) {
        Json edited = whole("m");
        edited[Json::json_pointer(pointer)].erase(field);
        expectRefused("m", edited.dump(),
                      (pointer == "/memory" ? "memory." : "memory.maps[0].") + field, expected);
    }
}

TEST_F(EditedItems, OfStreamsAreRefusedByTheFieldThatIsWrong) {
    for (const Json& wrong : {Json(0), Json(-1), Json(1.5), Json("many"), Json(), Json({1}),
                              Json(std::int64_t{1} << 62), Json(~std::uint64_t{0}), Json(1e300)})
        expectNot("s", "/stream/clocks", wrong, "stream.clocks", "an integer from 1 to ");
    expectNot("s", "/stream", Json::array(), "stream", "an object");
    Json edited = whole("s");
    edited["stream"].erase("clocks");
    expectRefused("s", edited.dump(), "stream.clocks", "is missing");
}

TEST_F(EditedItems, AreRefusedWithoutDeviceOrProgram) {
    for (const std::string folder : {"s", "m"}) {
        const std::string kind = folder == "s" ? "stream" : "memory";
        for (const Json& wrong : {Json(), Json(7), Json({"xcu250"})})
            expectNot(folder, "/" + kind + "/device", wrong, kind + ".device", "a text");
        expectNot(folder, "/" + kind + "/device", "none", kind + ".device", "`--device`");
        for (const char* const field : {"program", "program_file"}) {
            for (const Json& wrong : {Json(), Json(7), Json("")})
                expectNot(folder, std::string("/") + field, wrong, field, "a text");
            Json edited = whole(folder);
            edited.erase(field);
            expectRefused(folder, edited.dump(), field, "is missing");
        }
        for (const std::string other : {"other", folder == "s" ? "m" : "s"})
            expectNot(folder, "/program", other, "program", "expected a " + kind + " of ");
        Json edited = whole(folder);
        edited["program_file"] = "program/none.mq";
        expectRefused(folder, edited.dump(), "program_file", "there is no file", "file-missing");
    }
}

} // namespace
} // namespace marquetry::cli_test
