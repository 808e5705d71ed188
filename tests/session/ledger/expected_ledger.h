// What a ledger has to say of a design, found in another way: the nest of every call is walked word
// by word, its multiplications are counted in its packed weights, and sums are compared with the
// cycle model, the design's calls and its resources.
#pragma once

#include "engine/design/design.h"
#include "engine/design/ledger.h"
#include "engine/device/device.h"
#include "engine/ir/program.h"

namespace marquetry::test {

/// Fails the test where the ledger says anything else.
void expectLedger(const design::Design& design, const ir::Program& program,
                  const device::Device& device, const device::Resources& limits);

/// How often a design had something of each part, so that a test knows that it saw them.
struct SeenParts {
    std::array<int, design::kClockParts> parts{};
    int overlaps = 0;
    int bounds = 0; ///< rows that are not bound by compute
    int external = 0;
    void add(const design::Ledger& ledger);
};

} // namespace marquetry::test
