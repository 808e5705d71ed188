// The designs the simulators run: together they use every part of the hardware.
#pragma once

#include "tests/lower_design/schedule_builder.h"

namespace marquetry::test {

TestDesign convPoolRequant();     ///< 3 channels, padding, max pool, two rows at once
TestDesign convThenVector();      ///< one shared unit: a convolution, then mv of its result
TestDesign twoShapesOneUnit();    ///< one unit, two convolutions of different shapes and shifts
TestDesign residualBlock();       ///< an addition of a stored tensor, then relu
TestDesign leadsAndFollows();     ///< two units that can be joined either way round, an addition
TestDesign wideOutput();          ///< i32 results and a sum pool
TestDesign twoInputsTwoOutputs(); ///< passes, unsigned operands, two ports each way
TestDesign sixteenBits();         ///< u16 × i16, stride 2, leaky
TestDesign copies();              ///< no computation: one input stored twice, one never read
std::vector<TestDesign> allDesigns();

} // namespace marquetry::test
