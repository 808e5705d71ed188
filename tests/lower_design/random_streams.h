// Random designs with a stream unit (cost/stream_unit.h).
#pragma once

#include "tests/lower_design/schedule_builder.h"

namespace marquetry::test {

/// One convolution on a stream unit. The same seed gives the same design.
TestDesign randomStream(std::uint64_t seed);
/// Behind it products on another unit, where they can take what it makes.
TestDesign randomStreamAndProducts(std::uint64_t seed);

} // namespace marquetry::test
