// DESIGN.json as input of `explore` and `export`.
#include "tests/cli/cli_fixture.h"

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

} // namespace
} // namespace marquetry::cli_test
