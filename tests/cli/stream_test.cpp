// `check` and `run` on stream items.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {
namespace {

using ::testing::HasSubstr;

const std::string kBlur = "stream blur { input x : Seq 4 u8;\n"
                          "output y = map2(tuple, shift(1, x), map(fn v -> mul(v, v), x)); }\n";
const std::string kRelu = "design d { input x : i8 = zeros; output y = relu(x); }\n";

TEST_F(Cli, CheckListsStreamsAmongTheDesigns) {
    const std::string file = write("both.mq", kRelu + kBlur);
    const Outcome all = run("check " + file + " --json");
    ASSERT_EQ(all.status, 0) << all.err;
    const Json items = Json::parse(all.out)["items"];
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(items[0]["kind"], "design");
    EXPECT_EQ(items[1]["kind"], "stream");
    EXPECT_EQ(items[1]["name"], "blur");
    EXPECT_EQ(items[1]["inputs"], Json::array({{{"name", "x"}, {"type", "Seq 4 u8"}}}));
    EXPECT_EQ(items[1]["outputs"], Json::array({{{"name", "y"}, {"type", "Seq 4 (u8, u8)"}}}));
    EXPECT_EQ(items[1]["macs"], 4);
    const Outcome one = run("check " + file + " --item blur");
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("output y : Seq 4 (u8, u8)"));
    EXPECT_THAT(one.out, ::testing::Not(HasSubstr("design")));
}

TEST_F(Cli, RunWritesAStreamAndWhatIsDefinedInIt) {
    const std::string file = write("blur.mq", kBlur);
    const std::string input = write("x.bin", "\x01\x02\x03\x14");
    const Outcome done =
        run("run " + file + " --input x=" + input + " --out " + path("out") + " --json");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json output = Json::parse(done.out)["outputs"][0];
    EXPECT_EQ(output["words"], 8);
    EXPECT_EQ(output["undefined"], 1);
    EXPECT_EQ(contents(path("out/y.bin")), std::string("\0\x01\x01\x04\x02\x09\x03\x90", 8));
    EXPECT_EQ(contents(path("out/y.defined.bin")), std::string("\0\1\1\1\1\1\1\1", 8));
}

TEST_F(Cli, RunNamesWhatIsWrongWithTheInputsOfAStream) {
    const std::string file = write("blur.mq", kBlur);
    const std::string to = " --out " + path("out");
    const Outcome none = run("run " + file + to);
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("blur.mq:1:21: error: "));
    EXPECT_THAT(none.err, HasSubstr("[input-missing]"));
    const Outcome cut = run("run " + file + " --input x=" + write("cut.bin", "abc") + to);
    EXPECT_EQ(cut.status, 2);
    EXPECT_THAT(cut.err, HasSubstr("[file-size]"));
    const Outcome other = run("run " + file + " --input z=" + write("z.bin", "abcd") + to);
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.err, HasSubstr("stream 'blur' has no input 'z'"));
    const Outcome wrong = run("run " + file + " --item d" + to);
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, HasSubstr("[no-item]"));
}

TEST_F(Cli, WhatWorksOnDesignsRefusesAStream) {
    const std::string file = write("blur.mq", kBlur);
    const Outcome refused = run("explore " + file + " --steps 1");
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("the file has no design"));
}

} // namespace
} // namespace marquetry::cli_test
