// The figures that pages quote are those the program prints.
#include "tests/docs/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::docs_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Figures, AreWhatTheProgramPrints) {
    std::size_t marked = 0;
    for (const auto& [path, page] : pages()) {
        marked += figuresOf(page, false).figures.size();
        for (const std::string& wrong : wrongFigures(page, false, printed))
            ADD_FAILURE() << path << ":" << wrong;
    }
    EXPECT_GE(marked, 15U);
}

TEST(Figures, OfTheReadmeAreAllMarked) {
    EXPECT_THAT(unmarkedFigures(pages().at("README.md")), IsEmpty());
}

const std::string kPage = "<!-- figures\nexplore a.mq --json\n  /design/cycles: [26 641] cycles\n"
                          "  /design/units: [two] units\n-->\n\nIt takes 26 641 cycles on\ntwo "
                          "units.\n";

std::optional<Json> answer(const std::string& command) {
    if (command != "explore a.mq --json")
        return std::nullopt;
    return Json::parse(R"({"design": {"cycles": 26641, "units": [1, 2]}})");
}

TEST(Figures, ThatAgreeAreNoFinding) {
    EXPECT_THAT(figuresOf(kPage, false).figures, SizeIs(2));
    EXPECT_THAT(figuresOf(kPage, true).figures, IsEmpty());
    EXPECT_THAT(wrongFigures(kPage, false, answer), IsEmpty());
    EXPECT_THAT(unmarkedFigures(kPage), IsEmpty());
}

TEST(Figures, ThatDifferAreFound) {
    const auto other = [](const std::string&) {
        return std::optional(Json::parse(R"({"design": {"cycles": 26642, "units": [1, 2]}})"));
    };
    EXPECT_THAT(wrongFigures(kPage, false, other), ElementsAre(HasSubstr("is 26642 now")));
    const auto none = [](const std::string&) { return std::optional<Json>(); };
    EXPECT_THAT(wrongFigures(kPage, false, none), SizeIs(2));
}

TEST(Figures, ThatThePageNoLongerSaysAreFound) {
    std::string page = kPage;
    page.replace(page.find("It takes 26 641"), 15, "It takes 26 640");
    EXPECT_THAT(wrongFigures(page, false, answer),
                ElementsAre(HasSubstr("does not say \"26 641 cycles\"")));
    EXPECT_THAT(unmarkedFigures(page), ElementsAre("26 640"));
}

TEST(Figures, AreRoundedToTheDigitsQuoted) {
    EXPECT_EQ(difference("262", Json(262.21)), std::nullopt);
    EXPECT_EQ(difference("262.2", Json(262.21)), std::nullopt);
    EXPECT_NE(difference("262.3", Json(262.21)), std::nullopt);
    EXPECT_NE(difference("263", Json(262.21)), std::nullopt);
    EXPECT_EQ(difference("fourteen", Json(14)), std::nullopt);
    EXPECT_EQ(difference("Mv 2×3", Json("Mv 2×3")), std::nullopt);
    EXPECT_NE(difference("Mv 2×3", Json("Mv 2×4")), std::nullopt);
    EXPECT_NE(difference("many", Json(14)), std::nullopt);
}

TEST(Figures, OfTablesAreReadRowByRow) {
    const std::string page = "<!-- figures of each row\nbank {1:_}.mq --item {1}\n  2: /banks\n"
                             "bank {1:_}.mq --copies\n  3: /banks\n-->"
                             "\n\n| item | banks | copied |\n|---|---|---|\n| `a_1` | 4 | 5 |\n"
                             "| b | 5 | 5 |\n";
    const Figures found = figuresOf(page, false);
    ASSERT_THAT(found.figures, SizeIs(4));
    EXPECT_EQ(found.figures[0].command, "bank a.mq --item a_1");
    EXPECT_EQ(found.figures[1].command, "bank a.mq --copies");
    EXPECT_EQ(found.figures[2].quoted, "5");
    const auto five = [](const std::string&) { return std::optional(Json{{"banks", 5}}); };
    EXPECT_THAT(wrongFigures(page, false, five), ElementsAre(HasSubstr("\"4\" is 5 now")));
}

TEST(Figures, MarksThatSayNothingAreFound) {
    EXPECT_THAT(figuresOf("<!-- figures\nx\n  y\n-->\n", false).errors, SizeIs(1));
    EXPECT_THAT(figuresOf("<!-- figures\nx\n  /y: z\n-->\n", false).errors, SizeIs(1));
    EXPECT_THAT(figuresOf("<!-- figures of each row\nx\n  1: /y\n-->\n", false).errors, SizeIs(1));
}

} // namespace
} // namespace marquetry::docs_test
