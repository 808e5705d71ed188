// Layers in bands of rows as hardware: results and cycles in the simulator.
#include "engine/design/cycle_model.h"
#include "engine/design/move_hardware.h"
#include "engine/lower_design/lower_design.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_outside.h"
#include "tests/lower_design/random_windows.h"
#include "tests/support/cases.h"

namespace marquetry {

using hdl::Simulator;
using test::TestDesign;

namespace {

constexpr std::int64_t kMostCycles = 12'000;

class BandsVerified : public test::ExportTest {};

} // namespace

TEST_F(BandsVerified, InIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(11, 60));
    int banded = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        if (const auto design = test::randomBands(seed)) {
            ++banded;
            expectExact(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_GE(banded, test::cases(4, 25));
}

// Layers that join, cut and repeat rows, in bands that begin one after another or ahead; a mover
// runs the moves of all bands of a layer.
TEST_F(BandsVerified, WithMovesInIcarus) {
    const int wanted = test::cases(4, 60);
    int designs = 0, shared = 0;
    for (std::uint64_t seed = 0; seed < 400 && designs < wanted; ++seed) {
        const auto design = test::randomMoved(seed, true, seed % 3);
        if (!design || design::predictCycles(design->schedule).total > kMostCycles)
            continue;
        SCOPED_TRACE(seed);
        ++designs;
        for (const auto& moves : design::movesOfMovers(design->schedule))
            shared += moves.size() > 1;
        const Status sound = hdl::check(design->schedule);
        ASSERT_TRUE(sound) << sound.error().front().message;
        expectExact(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
    EXPECT_EQ(designs, wanted);
    EXPECT_GE(shared, wanted / 2);
}

// Three layers and the load in bands, a pool, a value that is added again, channels of no whole
// beats: a beat of the stream has elements of two bands.
TEST_F(BandsVerified, InVerilator) {
    const TestDesign design =
        test::designOf(R"(design banded {
  input  x  : i8[33, 9, 3] = random(seed: 1);
  weight w0 : i8[12, 3, 3, 3] = random(seed: 2);
  weight d0 : i8[12, 3, 3] = random(seed: 3);
  weight w1 : i8[12, 1, 1, 12] = random(seed: 4);
  weight w2 : i8[6, 3, 3, 12] = random(seed: 5);
  let    a  = maxpool(requant(conv(x, w0, pad: 1), shift: 8), size: 2);
  let    b  = requant(dwconv(a, d0, pad: 1, fill: -128), shift: 6);
  let    c  = requant(relu(add(requant(conv(b, w1), shift: 7), a)), shift: 1);
  output y  = requant(conv(c, w2, stride: 2, pad: 1), shift: 8);
})",
                       8, 4, 2, true, 0, [](design::ScheduleRequest& request) {
                           request.bands = {{0, 3, 3}};
                       });
    ASSERT_TRUE(hdl::check(design.schedule));
    expectExact(design, {Simulator::Verilator, 3, 1, true});
}

} // namespace marquetry
