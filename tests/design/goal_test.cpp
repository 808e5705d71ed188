// Objectives and methods are spelt one way everywhere.
#include "engine/design/goal.h"

#include <gtest/gtest.h>

namespace marquetry::design {

TEST(Goal, NamesAreReadAsTheyArePrinted) {
    for (const Objective objective : kObjectives)
        EXPECT_EQ(objectiveNamed(toString(objective)), objective);
    for (const SearchMethod method : {SearchMethod::Pool, SearchMethod::Milp})
        EXPECT_EQ(searchMethodNamed(toString(method)), method);
    EXPECT_STREQ(toString(Objective::Front), "front");
    EXPECT_STREQ(toString(Objective::Throughput), "throughput");
    EXPECT_STREQ(toString(SearchMethod::Milp), "milp");
    for (const char* unknown : {"", "Latency", "beauty", "latency "}) {
        EXPECT_EQ(objectiveNamed(unknown), std::nullopt);
        EXPECT_EQ(searchMethodNamed(unknown), std::nullopt);
    }
}

} // namespace marquetry::design
