#include "engine/spacetime/table_rom.h"

#include "engine/support/limits.h"

#include <algorithm>
#include <bit>

namespace marquetry::spacetime {

int tableBits(const ir::StreamTable& table) {
    const auto [least, most] = std::ranges::minmax(table.words);
    const auto bits = [](std::int64_t n) {
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n < 0 ? -(n + 1) : n)));
    };
    return std::max({1, bits(least), bits(most)}) + (least < 0 ? 1 : 0);
}

device::Rom tableRom(const ir::StreamTable& table) {
    return device::romOf(static_cast<std::int64_t>(table.words.size()), tableBits(table));
}

namespace {

/// The first lookup in a table that needs more block RAM than there is.
const ir::StreamNode* tooLargeFor(const ir::StreamGraph& graph, const device::Device& device) {
    for (const ir::StreamNode& node : graph.nodes) {
        const bool fits = !node.table || static_cast<double>(tableRom(*node.table).halfBlocks) <=
                                             2 * device.limits.bram;
        const ir::StreamNode* inside =
            node.function ? tooLargeFor(*node.function, device) : nullptr;
        if (!fits || inside)
            return fits ? inside : &node;
    }
    return nullptr;
}

} // namespace

Status checkTables(const ir::StreamProgram& program, const device::Device& device) {
    const ir::StreamNode* node = tooLargeFor(program.graph, device);
    if (!node)
        return ok();
    Diagnostic error = tooLarge("the table takes", tableRom(*node->table).halfBlocks,
                                static_cast<std::int64_t>(2 * device.limits.bram),
                                "halves of the block RAMs that " + device.id + " has",
                                "fewer words or bits, or a larger device");
    error.file = program.file;
    error.range = node->place;
    return error;
}

} // namespace marquetry::spacetime
