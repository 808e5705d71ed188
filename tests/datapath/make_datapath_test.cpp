// The one way to a timed datapath: what it is asked for is in the value, or said.
#include "engine/datapath/make_datapath.h"
#include "tests/lower_stream/kernel_bench.h"

#include <gtest/gtest.h>

namespace marquetry::test {
namespace {

spacetime::Graph convolution() {
    return designAt(exampleStream("conv", "conv_4x4"), {1, 1}).circuit;
}

TEST(MakeDatapath, IsLoweredAndTimed) {
    const spacetime::Graph circuit = convolution();
    const auto made = datapath::makeDatapath(circuit);
    const auto lowered = datapath::lowerDatapath(circuit);
    ASSERT_TRUE(made && lowered);
    const auto timed = datapath::timeDatapath(*lowered);
    ASSERT_TRUE(timed);
    EXPECT_EQ((*made)->times, timed->times);
    EXPECT_EQ((*made)->latency, timed->latency);
    EXPECT_EQ((*made)->datapath.cells.size(), lowered->cells.size());
    EXPECT_TRUE((*made)->complete);
}

TEST(MakeDatapath, OneThatIsOnlyEstimatedHasALimit) {
    const spacetime::Graph circuit = convolution();
    const auto cells = std::ssize((*datapath::makeDatapath(circuit))->datapath.cells);
    datapath::DatapathParams params;
    params.mostEstimated = cells;
    EXPECT_TRUE(datapath::makeDatapath(circuit, params));
    params.mostEstimated = cells - 1;
    const auto refused = datapath::makeDatapath(circuit, params);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "too-large");
}

TEST(MakeDatapath, WhatIsStoppedSaysSo) {
    std::stop_source source;
    source.request_stop();
    const auto stopped = datapath::makeDatapath(convolution(), {}, source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error()[0].code, "cancelled");
}

} // namespace
} // namespace marquetry::test
