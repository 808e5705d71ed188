#include "engine/lower_stream/kernel_tables.h"

#include "engine/datapath/cell_value.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

using datapath::Cell;
using rtl::Expr;

namespace {

constexpr int kReaders = 2; ///< ports of a block RAM

std::vector<std::int64_t> keptWords(const Cell& lookup) {
    std::vector<std::int64_t> kept;
    for (const std::int64_t word : lookup.table)
        kept.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(word) &
                                                 datapath::mask(lookup.bits())));
    return kept;
}

/// A line for each word, as $readmemh takes it.
std::shared_ptr<const std::string> contentsOf(const std::vector<std::int64_t>& words, int bits) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::int64_t word : words) {
        for (int low = (bits - 1) / 4 * 4; low >= 0; low -= 4)
            text += kDigits[(word >> low) & 15];
        text += '\n';
    }
    return std::make_shared<const std::string>(std::move(text));
}

} // namespace

Expr KernelTables::inLuts(rtl::Module& module, std::size_t number, const Cell& lookup,
                          const Expr& index) const {
    const std::vector<std::int64_t> words = keptWords(lookup);
    const Expr word = module.reg(cat("table_", number), rtl::bits(lookup.bits()));
    module.combinational([&](rtl::Block& block) {
        std::vector<std::pair<std::int64_t, rtl::Block::Body>> cases;
        for (std::size_t k = 0; k < words.size(); ++k)
            cases.emplace_back(static_cast<std::int64_t>(k), [&, k](rtl::Block& then) {
                then.set(word, rtl::constant(words[k], lookup.bits()));
            });
        block.select(index, cases,
                     [&](rtl::Block& rest) { rest.set(word, rtl::zeros(lookup.bits())); });
    });
    return word;
}

Expr KernelTables::inBlockRam(rtl::Module& module, const Cell& lookup, const Expr& index) {
    const std::vector<std::int64_t> words = keptWords(lookup);
    auto known = std::ranges::find_if(tables_, [&](const Table& table) {
        return table.readers < kReaders && table.bits == lookup.bits() && table.words == words;
    });
    if (known == tables_.end()) {
        const rtl::Memory memory =
            module.memory(cat("table_", tables_.size(), "_words"), rtl::bits(lookup.bits()),
                          std::ssize(words), rtl::RamStyle::BlockRom);
        module.fill(memory, contentsOf(words, lookup.bits()));
        tables_.push_back({words, lookup.bits(), memory, 0});
        known = tables_.end() - 1;
    }
    ++known->readers;
    return known->memory[index];
}

} // namespace marquetry::hdl
