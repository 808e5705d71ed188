// `marquetry bank` with pins: parts of a scheme, a whole scheme, what cannot be, wrong options.
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace marquetry::cli_test {
namespace {

using ::testing::HasSubstr;

std::string sobel() {
    return "bank " + test::sourceFolder() + "/examples/memories/memories.mq --item sobel ";
}

TEST_F(Cli, BankPinsFixPartsOfTheScheme) {
    const Outcome done = run(sobel() + "--json --kind hierarchical --copies 1");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report["kind"], "hierarchical");
    EXPECT_EQ(report["copies"], 1);
    EXPECT_EQ(report["min_banks"], 9) << "of all schemes, pinned or not";
    const Outcome eleven = run(sobel() + "--json --banks 11 --block 1 --alpha 3,1");
    ASSERT_EQ(eleven.status, 0) << eleven.err;
    EXPECT_EQ(Json::parse(eleven.out)["banks"], 11);
    EXPECT_EQ(Json::parse(eleven.out)["maps"][0]["alpha"], Json::array({3, 1}));
}

TEST_F(Cli, BankTakesAWholeSchemeOrSaysWhenItFails) {
    const Outcome done = run(sobel() + "--json --map 9,1,3,2 --copies 1");
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(Json::parse(done.out)["maps"][0]["N"], 9);
    const Outcome two = run(sobel() + "--json --map 3,1,1,0 --map 3,1,0,1 --copies 1");
    ASSERT_EQ(two.status, 0) << two.err;
    EXPECT_EQ(Json::parse(two.out)["kind"], "hierarchical");
    const Outcome fails = run(sobel() + "--map 9,1,1,2 --copies 1");
    EXPECT_EQ(fails.status, 1);
    EXPECT_THAT(fails.err, HasSubstr("[bank-conflict]"));
    EXPECT_THAT(fails.err, HasSubstr("both hit bank"));
}

TEST_F(Cli, BankSaysWhichAddressesNeedMoreBanks) {
    const Outcome refused = run(sobel() + "--banks 8 --copies 1");
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("no scheme found with N = 8, copies = 1 [pins-unmet]"));
    EXPECT_THAT(refused.err, HasSubstr("at least 9 banks are needed (lanes): (0, 0), (0, 1)"));
}

TEST_F(Cli, BankRefusesPinsOfAnotherShape) {
    for (const char* wrong :
         {"--map 9,1,3", "--map 9,1,3,2,1", "--map 0,1,3,2", "--map 9,0,3,2", "--map x,1,3,2",
          "--map 9,1,-3,2", "--map ''", "--map 4096,2147483648,1,1", "--alpha 1"}) {
        const Outcome refused = run(sobel() + wrong);
        EXPECT_EQ(refused.status, 2) << wrong;
        EXPECT_THAT(refused.err, HasSubstr("[option-value]")) << wrong;
    }
    for (const char* wrong :
         {"--banks 0", "--banks 5000", "--block 0", "--copies 65", "--kind round", "--alpha 1,x"})
        EXPECT_EQ(run(sobel() + wrong).status, 2) << wrong;
}

} // namespace
} // namespace marquetry::cli_test
