#include "engine/banking/hls_directives.h"

#include "engine/banking/flat_maps.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace marquetry::banking {

namespace {

/// Index x of the dimension is in part floor(x / block) mod banks.
struct DimPart {
    std::size_t dim = 0;
    std::int64_t banks = 1;
    std::int64_t block = 1;
};

struct Parts {
    std::vector<DimPart> parts; ///< of more than one bank
    std::string whyNot;
};

/// The map on one dimension, with the least numbers that tell the same addresses apart.
Parts partOf(const ir::FlatMap& map, std::size_t dim, std::int64_t weight) {
    const std::int64_t common = std::gcd(weight, map.block);
    const std::int64_t step = weight / common, block = map.block / common;
    if (block == 1) // multiples of a number that has no divisor in common are all numbers
        return {{{dim, map.banks / std::gcd(step, map.banks), 1}}, {}};
    if (step == 1)
        return {{{dim, map.banks, block}}, {}};
    return {{},
            "it has no blocks of " + std::to_string(block) + " in steps of " +
                std::to_string(step)};
}

Parts partOf(const ir::FlatMap& map, const ir::Shape& dims) {
    std::vector<std::size_t> seen;
    for (std::size_t d = 0; d < dims.size(); ++d)
        if (dims[d] > 1 && map.alpha[d] % modulus(map) != 0)
            seen.push_back(d);
    if (seen.empty())
        return {};
    if (seen.size() > 1)
        return {{}, "it has no banks that depend on the sum of several indices"};
    return partOf(map, seen[0], map.alpha[seen[0]] % modulus(map));
}

/// The scheme as one partition of each of some dimensions.
Parts partsOf(const Scheme& scheme, const ir::Shape& dims) {
    if (isParity(scheme.maps))
        return {{}, "it has no exclusive or of index bits"};
    Parts all;
    std::set<std::size_t> seen;
    for (const ir::FlatMap& map : scheme.maps) {
        const Parts own = partOf(map, dims);
        if (!own.whyNot.empty())
            return own;
        for (const DimPart& part : own.parts) {
            if (part.banks == 1)
                continue;
            if (!seen.insert(part.dim).second)
                return {{}, "it has no two partitions of one dimension"};
            all.parts.push_back(part);
        }
    }
    return all;
}

HlsDirectives forVitis(const ir::MemoryProgram& memory, const Parts& all) {
    HlsDirectives made;
    for (const DimPart& part : all.parts) {
        const std::int64_t extent = memory.type.dims[part.dim];
        const std::int64_t blocks = ceilDiv(extent, part.block);
        std::string type;
        if (part.block == 1 && part.banks >= extent)
            type = "complete";
        else if (part.block == 1)
            type = "cyclic factor=" + std::to_string(part.banks);
        else if (part.banks >= blocks && ceilDiv(extent, blocks) == part.block)
            type = "block factor=" + std::to_string(blocks);
        else
            return {{},
                    "it has no blocks of " + std::to_string(part.block) + " in " +
                        std::to_string(part.banks) + " banks by turns"};
        made.lines.push_back("#pragma HLS array_partition variable=" + memory.array +
                             " type=" + type + " dim=" + std::to_string(part.dim + 1));
    }
    return made;
}

bool powerOfTwo(std::int64_t number) {
    return std::has_single_bit(static_cast<std::uint64_t>(number));
}

int bitsBelow(std::int64_t powerOfTwo) {
    return std::countr_zero(static_cast<std::uint64_t>(powerOfTwo));
}

/// The bits of the address, row-major, that say in which bank an index is.
struct BankBits {
    std::vector<int> bits; ///< the highest first
    std::string whyNot;
};

BankBits bankBits(const DimPart& part, const ir::Shape& dims) {
    // Blocks that do not come by turns are told by all bits of their numbers.
    const auto blocks = static_cast<std::uint64_t>(ceilDiv(dims[part.dim], part.block));
    const std::int64_t banks =
        std::min(part.banks, static_cast<std::int64_t>(std::bit_ceil(blocks)));
    if (!powerOfTwo(banks) || !powerOfTwo(part.block))
        return {{},
                "it picks bits of the address, so numbers of banks and words of blocks are "
                "powers of two"};
    std::int64_t stride = 1, before = 1;
    for (std::size_t d = 0; d < dims.size(); ++d)
        (d < part.dim ? before : stride) *= d == part.dim ? 1 : dims[d];
    const std::int64_t turn = stride * part.block * banks; // words after which banks repeat
    const bool shifts = before > 1 && stride * dims[part.dim] % turn != 0;
    if (!powerOfTwo(stride) || shifts)
        return {{},
                "it picks bits of the address, in which index " + std::to_string(part.dim + 1) +
                    " has none of its own: extents are not multiples of powers of two"};
    BankBits made;
    for (int b = bitsBelow(banks); b-- > 0;)
        made.bits.push_back(bitsBelow(stride * part.block) + b);
    return made;
}

HlsDirectives forIntel(const ir::MemoryProgram& memory, const Parts& all) {
    std::vector<int> bits;
    for (const DimPart& part : all.parts) {
        const BankBits own = bankBits(part, memory.type.dims);
        if (!own.whyNot.empty())
            return {{}, own.whyNot};
        bits.insert(bits.end(), own.bits.begin(), own.bits.end());
    }
    if (bits.empty())
        return {};
    std::ranges::sort(bits, std::ranges::greater{});
    if (bits.front() - bits.back() + 1 != std::ssize(bits))
        return {{}, "its bank bits lie one behind the other"};
    std::string list;
    for (const int bit : bits)
        list += (list.empty() ? "" : ", ") + std::to_string(bit);
    return {{"[[intel::bankwidth(" + std::to_string(ir::info(memory.type.scalar).bytes) +
             "), intel::bank_bits(" + list + ")]]"},
            {}};
}

} // namespace

std::string toString(HlsTool tool) {
    return tool == HlsTool::Vitis ? "Vitis HLS" : "Intel oneAPI";
}

HlsDirectives hlsDirectives(HlsTool tool, const ir::MemoryProgram& memory, const Scheme& scheme) {
    const Parts all = partsOf(scheme, memory.type.dims);
    if (!all.whyNot.empty())
        return {{}, all.whyNot};
    return tool == HlsTool::Vitis ? forVitis(memory, all) : forIntel(memory, all);
}

} // namespace marquetry::banking
