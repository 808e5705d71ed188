// Random designs of products of two activations (mm, bmm, mv, dot, conv, also in groups, dwconv and
// 1-D stencils), of softmax and layernorm, as transformer blocks have them, and of batched products
// with weights.
#pragma once

#include "tests/lower_design/schedule_builder.h"

namespace marquetry::test {

/// The same seed gives the same text.
std::string randomProductsText(std::uint64_t seed);
/// The design of that text, with random lanes and rows.
TestDesign randomProducts(std::uint64_t seed);

} // namespace marquetry::test
