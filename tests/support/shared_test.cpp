#include "engine/support/shared.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace marquetry {
namespace {

using Numbers = Shared<std::vector<int>>;

TEST(Shared, ReadsLikeTheContainer) {
    const Numbers numbers = {3, 1, 2};
    EXPECT_EQ(numbers.size(), 3U);
    EXPECT_EQ(numbers[1], 1);
    EXPECT_EQ(numbers.front() + numbers.back(), 5);
    int sum = 0;
    for (const int each : numbers)
        sum += each;
    EXPECT_EQ(sum, 6);
    const Shared<std::map<std::string, int>> ages(std::map<std::string, int>{{"a", 1}});
    EXPECT_TRUE(ages.contains("a"));
    EXPECT_EQ(ages.at("a"), 1);
    EXPECT_EQ(ages.find("b"), ages.end());
}

TEST(Shared, AnEmptyOneHoldsNothing) {
    const Numbers none;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.begin(), none.end());
    EXPECT_EQ(none, Numbers(std::vector<int>()));
}

TEST(Shared, CopiesAreTheSameObjectUntilOneIsEdited) {
    const Numbers first = {1};
    Numbers second = first;
    EXPECT_TRUE(first.same(second));
    second.edit().push_back(2);
    EXPECT_FALSE(first.same(second));
    EXPECT_EQ(*first, (std::vector<int>{1}));
    EXPECT_EQ(*second, (std::vector<int>{1, 2}));
}

TEST(Shared, APartKeepsTheWholeAlive) {
    struct Whole {
        std::vector<int> part{1, 2};
    };
    auto whole = std::make_shared<const Whole>();
    const Numbers part(std::shared_ptr<const std::vector<int>>(whole, &whole->part));
    const std::weak_ptr<const Whole> kept = whole;
    whole.reset();
    EXPECT_FALSE(kept.expired());
    EXPECT_EQ(part.size(), 2U);
}

} // namespace
} // namespace marquetry
