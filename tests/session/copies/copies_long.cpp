// Larger programs of moves, products of activations and functions of rows as hardware.
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_products.h"
#include "tests/session/buffers/explored.h"
#include "tests/session/copies/verified_copies.h"
#include "tests/support/programs.h"

namespace marquetry {
namespace {

session::Settings settingsOn(const std::string& device, double dsp) {
    session::Settings settings;
    settings.device = device;
    settings.limits["dsp"] = dsp;
    return settings;
}

TEST(VerifiedCopies, RandomProgramsInIcarus) {
    for (std::uint64_t seed = 1000; seed < 1040 && !testing::Test::HasFailure(); ++seed)
        for (const std::string& text :
             {test::randomLayoutsText(seed), test::randomProductsText(seed)}) {
            SCOPED_TRACE(text);
            test::expectVerified(test::programOf(text), settingsOn("xc7z020", 220),
                                 hdl::Simulator::Icarus);
        }
}

TEST(VerifiedCopies, SelfAttentionInVerilator) {
    test::expectVerified(session::parsedExample("skeleshare/self_attention/self_attention.mq"),
                         settingsOn("arria10", 1518), hdl::Simulator::Verilator);
}

} // namespace
} // namespace marquetry
