// What it takes to price the buffers of VGG's designs by their best bank schemes.
#include "tests/session/buffers/explored.h"

namespace marquetry::session {
namespace {

/// Both times are of one run, so that a busy host slows both; of several runs the least ratio is
/// the one disturbed least.
TEST(BufferPricing, AddsLessThanATenthToExploringVgg) {
    constexpr double kMost = 0.1;
    const auto program = parsedExample("vgg_cifar/vgg_cifar.mq");
    for (const char* device : {"arria10", "xc7k160t"}) {
        double growth = 1;
        for (int run = 0; run < 5 && growth >= kMost; ++run) {
            const Exploration found = exploredFor(program, device);
            ASSERT_TRUE(found.extraction.design) << device;
            const double pricing = found.extraction.bufferMilliseconds;
            ASSERT_GT(pricing, 0) << "nothing was priced";
            const double others = found.saturateMs + found.extraction.milliseconds - pricing;
            growth = std::min(growth, pricing / others);
        }
        std::cout << device << ": pricing buffers adds " << 100 * growth << " %\n";
        EXPECT_LT(growth, kMost) << device;
    }
}

} // namespace
} // namespace marquetry::session
