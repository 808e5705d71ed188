// check and run: what users and scripts rely on.
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace marquetry::cli_test {

using ::testing::HasSubstr;

const char* const kSmall = "design small {\n"
                           "  input x : i8[2];\n"
                           "  weight w : i8[2, 2] = random(seed: 1, lo: 1, hi: 1);\n"
                           "  output y = mv(w, x);\n"
                           "}\n"
                           "design other { input x : i8[5] = zeros; output z = relu(x); }\n";

TEST_F(Cli, VersionAndHelp) {
    EXPECT_EQ(run("--version").out.substr(0, 10), "marquetry ");
    EXPECT_EQ(run("--version").status, 0);
    const Outcome help = run("--help");
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, HasSubstr("check"));
    EXPECT_EQ(run("check --help").status, 0);
}

TEST_F(Cli, EveryCommandSaysHowItIsUsed) {
    const Outcome all = run("--help");
    std::istringstream lines(all.out.substr(all.out.find("Subcommands:")));
    std::string line;
    int commands = 0;
    for (std::getline(lines, line); std::getline(lines, line);) {
        std::string name;
        if (!(std::istringstream(line) >> name) || line.starts_with("   "))
            continue;
        ++commands;
        const Outcome help = run(name + " --help");
        EXPECT_EQ(help.status, 0) << name;
        EXPECT_THAT(help.out, HasSubstr("Usage: marquetry " + name));
        EXPECT_EQ(run(name + " -h").out, help.out);
    }
    EXPECT_GE(commands, 17);
    EXPECT_THAT(run("open --help").out, HasSubstr("--item"));
    EXPECT_EQ(run("open " + example("lenet5") + " --help").out, run("open --help").out);
}

TEST_F(Cli, OpenTakesNoOptionForAFile) {
    const Outcome option = run("open --nonsense");
    EXPECT_EQ(option.status, 2);
    EXPECT_THAT(option.err, ::testing::AnyOf(HasSubstr("open takes one file and --item NAME\n"
                                                       "  hint: see marquetry open --help"),
                                             HasSubstr("this build has no window")));
    EXPECT_EQ(run("open --item lenet5").status, 2) << "of no file";
}

TEST_F(Cli, WrongArgumentsAreExitStatusTwo) {
    const Outcome unknown = run("chek");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_THAT(unknown.err, HasSubstr("'chek'"));
    EXPECT_EQ(run("check").status, 2);
    EXPECT_EQ(run("check --nonsense " + example("lenet5")).status, 2);
    EXPECT_EQ(run("run " + example("lenet5")).status, 2);
}

TEST_F(Cli, CheckPrintsShapesRangesAndWork) {
    const Outcome text = run("check " + example("running_example"));
    EXPECT_EQ(text.status, 0);
    EXPECT_THAT(text.out, HasSubstr("163840 MACs"));
    EXPECT_THAT(text.out, HasSubstr("i32[2, 2, 64]"));
    EXPECT_EQ(text.err, "");
}

TEST_F(Cli, CheckJsonHasTheAgreedFields) {
    const Outcome outcome = run("check --json " + example("vgg_cifar"));
    ASSERT_EQ(outcome.status, 0);
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json.begin().key(), "marquetry");
    EXPECT_EQ(std::next(json.begin()).key(), "schema");
    EXPECT_EQ(json["schema"], 1);
    ASSERT_EQ(json["items"].size(), 1U);
    const Json& item = json["items"][0];
    EXPECT_EQ(item["kind"], "design");
    EXPECT_EQ(item["name"], "vgg_cifar");
    EXPECT_EQ(item["macs"], 313201664);
    EXPECT_EQ(item["inputs"][0], (Json{{"name", "image"}, {"type", "i8[32, 32, 3]"}}));
    EXPECT_EQ(item["outputs"][0], (Json{{"name", "scores"}, {"type", "i32[10]"}}));
    EXPECT_EQ(json["warnings"], Json::array());
}

TEST_F(Cli, CheckTakesOneItemByName) {
    const std::string file = write("a.mq", kSmall);
    EXPECT_EQ(Json::parse(run("check --json " + file).out)["items"].size(), 2U);
    const Json one = Json::parse(run("check --json --item other " + file).out);
    ASSERT_EQ(one["items"].size(), 1U);
    EXPECT_EQ(one["items"][0]["name"], "other");
    const Outcome none = run("check --item othr " + file);
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("did you mean 'other'?"));
}

TEST_F(Cli, MistakesGoToStandardErrorWithTheirPlace) {
    const std::string file = write("bad.mq", "design d {\n  output y = relu(nope);\n}\n");
    const Outcome text = run("check " + file);
    EXPECT_EQ(text.status, 2);
    EXPECT_EQ(text.out, "");
    EXPECT_THAT(text.err, HasSubstr("bad.mq:2:19: error: "));
    EXPECT_THAT(text.err, HasSubstr("[unknown-name]"));
    const Json json = Json::parse(run("check --json " + file).out);
    EXPECT_EQ(json["errors"][0]["code"], "unknown-name");
    EXPECT_EQ(json["errors"][0]["line"], 2);
    EXPECT_EQ(json["errors"][0]["column"], 19);
}

TEST_F(Cli, MissingFilesAndFoldersAreExitStatusTwo) {
    const Outcome missing = run("check " + path("none.mq"));
    EXPECT_EQ(missing.status, 2);
    EXPECT_THAT(missing.err, HasSubstr("[file-missing]"));
    EXPECT_EQ(run("check " + folder_.string()).status, 2);
    EXPECT_EQ(run("run " + path("none.mq") + " --out " + path("o")).status, 2);
}

TEST_F(Cli, RunWritesEachOutput) {
    const std::string file = write("a.mq", kSmall);
    const std::string input = write("x.bin", std::string("\x05\xfe", 2));
    const Outcome outcome =
        run("run --json " + file + " --input x=" + input + " --out " + path("out"));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(contents(path("out/y.bin")), std::string("\x03\0\0\0\x03\0\0\0", 8));
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["outputs"][0]["file"], "y.bin");
    EXPECT_EQ(json["outputs"][0]["max"], 3);
    // Our own folder may be written again.
    EXPECT_EQ(run("run " + file + " --input x=" + input + " --out " + path("out")).status, 0);
}

TEST_F(Cli, RunNamesWhatIsWrongWithInputs) {
    const std::string file = write("a.mq", kSmall);
    const std::string out = " --out " + path("out");
    EXPECT_THAT(run("run " + file + out).err, HasSubstr("[input-missing]"));
    EXPECT_THAT(run("run " + file + " --input y=" + file + out).err, HasSubstr("[unknown-name]"));
    EXPECT_THAT(run("run " + file + " --input x" + out).err, HasSubstr("[bad-argument]"));
    EXPECT_THAT(run("run " + file + " --input x=" + path("no.bin") + out).err,
                HasSubstr("[file-missing]"));
    const Outcome wrongSize = run("run " + file + " --input x=" + file + out);
    EXPECT_EQ(wrongSize.status, 2);
    EXPECT_THAT(wrongSize.err, HasSubstr("[file-size]"));
}

TEST_F(Cli, ForeignAndUnwritableFoldersAreRefused) {
    fs::create_directories(path("mine"));
    write("mine/letter.txt", "dear diary");
    const Outcome foreign = run("run " + example("running_example") + " --out " + path("mine"));
    EXPECT_EQ(foreign.status, 2);
    EXPECT_THAT(foreign.err, HasSubstr("[output-exists]"));
    EXPECT_FALSE(fs::exists(path("mine/y.bin")));
    const Outcome file =
        run("run " + example("running_example") + " --out " + path("mine/letter.txt"));
    EXPECT_EQ(file.status, 2);
    EXPECT_THAT(file.err, HasSubstr("[output-exists]"));
    EXPECT_EQ(run("run " + example("running_example") + " --out /proc/none").status, 2);
}

TEST_F(Cli, FullDevicesAreNoticed) {
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "needs /dev/full";
    const std::string command =
        test::program() + " check " + example("running_example") + " >/dev/full 2>/dev/null";
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2);
}

} // namespace marquetry::cli_test
