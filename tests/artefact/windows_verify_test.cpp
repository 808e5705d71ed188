// Windows of every form as hardware: results and cycles in the simulator.
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_windows.h"
#include "tests/support/cases.h"

namespace marquetry {

using hdl::Simulator;
using test::TestDesign;

namespace {

class WindowsVerified : public test::ExportTest {};

} // namespace

TEST_F(WindowsVerified, InIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(7, 40));
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        expectExact(test::randomWindows(seed), {Simulator::Icarus, 2, seed, seed % 3 != 0});
}

TEST_F(WindowsVerified, JoinedInIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(10, 60));
    int joined = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        TestDesign design = test::randomWindows(seed);
        const int here = test::joinSteps(design.schedule, seed % 2 == 0);
        joined += here;
        if (here > 0)
            expectExact(design, {Simulator::Icarus, 2, seed, seed % 4 == 0});
    }
    EXPECT_GE(joined, test::cases(3, 15));
}

// One unit whose calls are padded with different values, two lane units shared by all their calls.
TEST_F(WindowsVerified, UnitsSharedByCallsOfDifferentForms) {
    const TestDesign design = test::designOf(R"(design separable {
  input  x  : i8[9, 7, 3] = random(seed: 1);
  weight w0 : i8[11, 5, 2, 3] = random(seed: 2);
  weight d0 : i8[11, 3, 3] = random(seed: 3);
  weight w1 : i8[18, 1, 1, 11] = random(seed: 4);
  weight d1 : i8[18, 1, 4] = random(seed: 5);
  weight w2 : i8[6, 2, 2, 9] = random(seed: 6);
  let    a  = requant(conv(x, w0, stride: [2, 1], pad: [3, 1, 2, 0], fill: 7), shift: 8);
  let    b  = requant(dwconv(a, d0, pad: 1, fill: -128), shift: 6);
  let    c  = requant(conv(b, w1), shift: 7);
  let    d  = requant(dwconv(c, d1, stride: [1, 2], pad: [0, 2, 0, 1], fill: 100), shift: 5);
  let    e  = maxpool(d, size: 3, stride: 1, pad: 1);
  let    f  = requant(conv(e, w2, pad: [0, 1, 2, 0], fill: -5, groups: 2), shift: 8);
  let    g  = maxpool(f, size: 2, stride: 1, pad_after: 1);
  output y  = requant(sumpool(g, size: [2, 3], stride: [2, 3], pad: [1, 0, 0, 1], fill: 9),
                      shift: 3);
})",
                                             8, 4);
    ASSERT_EQ(design.schedule.units.size(), 4U);
    expectExact(design, {Simulator::Verilator, 3, 1, true});
}

TEST_F(WindowsVerified, SixteenBitLanes) {
    expectExact(test::designOf(R"(design wide {
  input  x : u16[5, 4, 9] = random(seed: 1);
  weight d : i16[9, 2, 3] = random(seed: 2);
  let    p = maxpool(x, size: 2, stride: 1, pad: [1, 0, 0, 1]);
  let    s = requant(sumpool(p, size: 3, stride: 2, pad: 1, fill: 65535), shift: 4, to: u16);
  output y = dwconv(s, d, pad: [0, 1, 1, 2], fill: 40000);
})",
                               8, 2),
                {Simulator::Icarus, 3, 2, true});
}

} // namespace marquetry
