// Packed weight memories, element by element.
#include "engine/design/schedule.h"
#include "tests/lower_design/schedule_builder.h"

#include <gtest/gtest.h>

namespace marquetry {

using test::ScheduleBuilder;
using test::TestDesign;

namespace {

const ir::Tensor& weightOf(const TestDesign& test, std::size_t step) {
    return test.values[std::get<design::ComputeStep>(test.schedule.steps[step]).weight->index()];
}

} // namespace

TEST(PackWeights, PutsTapsInNestOrder) {
    ScheduleBuilder builder("c", 8);
    const auto unit = builder.unit("u", 2);
    const auto x = builder.input("x", {ir::Scalar::I8, {4, 4, 10}});
    builder.output("y", builder.conv(unit, x, {3, 2, 1, 0}, {}));
    const TestDesign test = builder.finish();
    const auto packed = design::packWeights(test.schedule, unit, test.program, test.values);
    const auto& w = weightOf(test, 1).data; // 3 × 2 × 2 × 10
    ASSERT_EQ(packed.size(), 2u * 8 * 2 * 8) << "2 blocks of 4 taps of 2 words, 2 rows, 8 lanes";
    const auto at = [&](std::size_t word, std::size_t row, std::size_t lane) {
        return packed[(word * 2 + row) * 8 + lane];
    };
    EXPECT_EQ(at(0, 0, 0), w[0]);
    EXPECT_EQ(at(0, 1, 7), w[40 + 7]) << "row 1, tap 0, channel 7";
    EXPECT_EQ(at(1, 0, 1), w[9]) << "tap 0, channel 9";
    EXPECT_EQ(at(1, 0, 2), 0) << "past the channels";
    EXPECT_EQ(at(4, 0, 3), w[20 + 3]) << "tap (1, 0), channel 3";
    EXPECT_EQ(at(8 + 2, 0, 5), w[80 + 10 + 5]) << "second block: row 2, tap (0, 1)";
    EXPECT_EQ(at(8, 1, 0), 0) << "past the rows";
}

TEST(PackWeights, FollowsTheWordsOfAFlattenedTensor) {
    ScheduleBuilder builder("m", 8);
    const auto unit = builder.unit("u", 4);
    const auto x = builder.input("x", {ir::Scalar::I8, {1, 3, 5}});
    builder.output("y", builder.mv(unit, x, 4, {}));
    const TestDesign test = builder.finish();
    const auto packed = design::packWeights(test.schedule, unit, test.program, test.values);
    const auto& w = weightOf(test, 1).data; // 4 × 15
    ASSERT_EQ(packed.size(), 3u * 4 * 8);
    for (std::size_t pixel = 0; pixel < 3; ++pixel)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t lane = 0; lane < 8; ++lane)
                EXPECT_EQ(packed[(pixel * 4 + row) * 8 + lane],
                          lane < 5 ? w[row * 15 + pixel * 5 + lane] : 0);
}

TEST(PackWeights, KeepsCallsOfOneUnitApart) {
    ScheduleBuilder builder("two", 8);
    const auto unit = builder.unit("u", 8);
    const auto x = builder.input("x", {ir::Scalar::I8, {8}});
    test::EpilogueSpec e;
    e.requantBefore = test::requant(7);
    builder.output("y", builder.mv(unit, builder.mv(unit, x, 8, e), 8, e));
    const TestDesign test = builder.finish();
    const auto packed = design::packWeights(test.schedule, unit, test.program, test.values);
    ASSERT_EQ(packed.size(), 128u);
    EXPECT_TRUE(std::equal(packed.begin(), packed.begin() + 64, weightOf(test, 1).data.begin()));
    EXPECT_TRUE(std::equal(packed.begin() + 64, packed.end(), weightOf(test, 2).data.begin()));
}

} // namespace marquetry
