// Programs for tests: from text, and drawn at random.
#pragma once

#include "engine/ir/program.h"
#include "engine/support/rng.h"

#include <memory>
#include <string>

namespace marquetry::test {

/// The one design of the text; a broken text fails the test and stops it.
std::shared_ptr<const ir::Program> programOf(const std::string& text);

/// Null when the front end refuses the text.
std::shared_ptr<const ir::Program> tryProgramOf(const std::string& text);

/// The first layers of VGG on CIFAR-10 with the pools between them: thirteen convolutions and the
/// classifier are all. More layers repeat the convolutions of equal shape.
std::string vggText(int layers = 14);

struct GraphDraw {
    int layers = 4;
    std::int64_t maxExtent = 7;
    std::int64_t maxChannels = 11;
};

/// Random small programs of convolutions, matrix–vector products, requantisations, activations,
/// pools, residual additions and passes: every operator the layer plan supports, in any legal
/// order. The same seed gives the same text.
std::string randomProgramText(std::uint64_t seed, const GraphDraw& draw);

/// Two to four convolutions and matrix–vector products whose extents come from few values, so that
/// units meet. The same seed gives the same text.
std::string meetingProgramText(std::uint64_t seed);
/// One of those, whose results are scaled.
std::string scaledProgramText(std::uint64_t seed);

/// Two or three layers of what convolutions and matrix–vector products are not: products of
/// matrices (of weights and of activations), filters along lines and columns, depth-wise
/// convolutions; their extents come from few values. The same seed gives the same text.
std::string otherSkeletonsText(std::uint64_t seed);

} // namespace marquetry::test
