// What a bank scheme is in the directives of high-level synthesis (HLS) tools, which put an array
// that stays as it is declared in banks:
//
//   Vitis HLS     #pragma HLS array_partition variable=a type=cyclic|block|complete factor=N dim=D
//   Intel oneAPI  [[intel::bankwidth(W), intel::bank_bits(b, …)]]
//
// A partition of Vitis HLS is of one dimension (dim, from 1): `cyclic` puts index x in bank x mod
// N, `block` in N runs of ceil(extent / N), `complete` each in its own. Bank bits are bits of the
// array's address in words, row-major, the highest first, one behind the other. A directive stands
// here only where exactly those addresses share a bank that share one in the scheme; the banks'
// numbers and the places inside them are the tool's. Copies are nobody's: the directive is that of
// one of them.
//
// Thread rule: pure.
#pragma once

#include "engine/banking/scheme.h"

#include <string>
#include <vector>

namespace marquetry::banking {

enum class HlsTool : std::uint8_t { Vitis, Intel };

/// "Vitis HLS", "Intel oneAPI".
std::string toString(HlsTool tool);

struct HlsDirectives {
    std::vector<std::string> lines; ///< none: one bank, or `whyNot`
    std::string whyNot;             ///< the tool cannot say it: "it has no …"
};

HlsDirectives hlsDirectives(HlsTool tool, const ir::MemoryProgram& memory, const Scheme& scheme);

} // namespace marquetry::banking
