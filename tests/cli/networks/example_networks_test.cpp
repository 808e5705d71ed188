#include "tests/cli/networks/example_networks.h"

namespace marquetry::cli_test {
namespace {

TEST_P(ExampleNetwork, IsExportedAndVerified) {
    exportAndVerify();
}

INSTANTIATE_TEST_SUITE_P(Small, ExampleNetwork, testing::Values("autoencoder"),
                         [](const auto& network) { return network.param; });

} // namespace
} // namespace marquetry::cli_test
