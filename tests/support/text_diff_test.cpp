// Differences of texts: that they make one text of the other, and are the least.
#include "engine/support/rng.h"
#include "engine/support/text_diff.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {
namespace {

/// Few kinds of lines, so that many are equal.
std::string drawn(SplitMix64& random, int most) {
    std::string text;
    for (int k = static_cast<int>(random.range(0, most)); k > 0; --k)
        text += std::string(1, static_cast<char>('a' + random.range(0, 3))) + "\n";
    return text;
}

std::string ofOrigin(const std::vector<DiffLine>& lines, LineOrigin origin) {
    std::string text;
    for (const DiffLine& line : lines)
        if (line.origin == LineOrigin::Both || line.origin == origin)
            text.append(line.text) += '\n';
    return text;
}

/// The longest common subsequence of texts of lines of one letter, by the table of all prefixes.
std::size_t commonLines(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> common(a.size() / 2 + 1,
                                                 std::vector<std::size_t>(b.size() / 2 + 1, 0));
    for (std::size_t i = 1; i < common.size(); ++i)
        for (std::size_t j = 1; j < common[i].size(); ++j)
            common[i][j] = a[2 * i - 2] == b[2 * j - 2]
                               ? common[i - 1][j - 1] + 1
                               : std::max(common[i - 1][j], common[i][j - 1]);
    return common.back().back();
}

TEST(LineDiff, MakesOneTextOfTheOtherByTheFewestLines) {
    SplitMix64 random(11);
    for (int round = 0; round < 4000; ++round) {
        const std::string a = drawn(random, 14);
        const std::string b = drawn(random, 14);
        const auto lines = lineDiff(a, b);
        EXPECT_EQ(ofOrigin(lines, LineOrigin::First), a);
        EXPECT_EQ(ofOrigin(lines, LineOrigin::Second), b);
        const auto both = std::ranges::count(lines, LineOrigin::Both, &DiffLine::origin);
        ASSERT_EQ(static_cast<std::size_t>(both), commonLines(a, b)) << a << "--\n" << b;
    }
}

TEST(LineDiff, OfLongTextsIsAsShortAsWhatWasChanged) {
    SplitMix64 random(5);
    std::string a;
    std::string b;
    std::size_t changed = 0;
    for (int line = 0; line < 20000; ++line) {
        const std::string text = "line " + std::to_string(line) + "\n";
        const bool differs = random.range(0, 99) == 0;
        changed += differs ? 1 : 0;
        a += text;
        b += differs ? "another " + text : text;
    }
    const UnifiedDiff diff = unifiedDiff(a, b);
    EXPECT_EQ(diff.removed, changed);
    EXPECT_EQ(diff.added, changed);
}

// Without a line in common there is nothing to find, and no end of looking for it.
TEST(LineDiff, OfTextsThatHaveNothingInCommonReplacesAll) {
    std::string a;
    std::string b;
    for (int line = 0; line < 60000; ++line) {
        a += "a" + std::to_string(line) + "\n";
        b += "b" + std::to_string(line) + "\n";
    }
    const auto lines = lineDiff(a, b);
    EXPECT_EQ(ofOrigin(lines, LineOrigin::First), a);
    EXPECT_EQ(ofOrigin(lines, LineOrigin::Second), b);
}

TEST(UnifiedDiffs, AreWrittenAsDiffDoes) {
    const std::string a = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    EXPECT_EQ(unifiedDiff(a, a).text, "");
    EXPECT_EQ(unifiedDiff("", "x\n").text, "@@ -0,0 +1,1 @@\n+x\n");
    EXPECT_EQ(unifiedDiff("x\n", "").text, "@@ -1,1 +0,0 @@\n-x\n");
    EXPECT_EQ(unifiedDiff(a, "1\nzwei\n3\n4\n5\n6\n7\n8\n9\nten").text,
              "@@ -1,5 +1,5 @@\n 1\n-2\n+zwei\n 3\n 4\n 5\n"
              "@@ -7,3 +7,4 @@\n 7\n 8\n 9\n+ten\n");
    EXPECT_EQ(unifiedDiff(a, "1\n2\n3\n4\n6\n7\n8\n9\n", 1).text, "@@ -4,3 +4,2 @@\n 4\n-5\n 6\n");
    const UnifiedDiff both = unifiedDiff("a\nb\n", "b\nc\nd\n");
    EXPECT_EQ(both.removed, 1U);
    EXPECT_EQ(both.added, 2U);
}

} // namespace
} // namespace marquetry
