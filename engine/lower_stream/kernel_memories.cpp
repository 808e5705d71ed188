#include "engine/lower_stream/kernel_memories.h"

#include "engine/datapath/cell_value.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// Counts modulo `words`, from `first` on.
Expr addressOf(rtl::Module& module, const ControlSignals& signals, const std::string& name,
               const Expr& enable, std::int64_t words, std::int64_t first) {
    const int bits = bitsFor(words);
    const Expr at = module.reg(name, rtl::bits(bits));
    const Expr last = at == words - 1;
    const Expr zero = rtl::zeros(bits);
    module.clocked(signals.clock, [&](rtl::Block& block) {
        if (first == 0) { // one synchronous reset for both
            block.when(~signals.reset | (enable & last),
                       [&](rtl::Block& then) { then.set(at, zero); });
            block.orWhen(enable, [&](rtl::Block& then) { then.set(at, at + 1); });
            return;
        }
        block.when(~signals.reset,
                   [&](rtl::Block& then) { then.set(at, rtl::constant(first, bits)); });
        block.orWhen(enable, [&](rtl::Block& then) { then.set(at, choose(last, zero, at + 1)); });
    });
    return at;
}

} // namespace

void KernelMemories::addLine(std::int64_t words, const Expr& enable, StoredWord word) {
    for (Lines& lines : lines_)
        if (lines.depth == words && lines.enable.same(enable))
            return lines.words.push_back(std::move(word));
    lines_.push_back({words, enable, {std::move(word)}});
}

void KernelMemories::addFifo(const FifoTiming& timing, const Expr& stored, const Expr& fetched,
                             StoredWord word) {
    const datapath::Fifo& fifo = timing.fifo;
    const std::int64_t depth = fifo.words(timing.fetch - timing.store);
    const std::int64_t firstFetch =
        datapath::modulo(fifo.countBefore(fifo.fetches, -timing.fetch) -
                             fifo.countBefore(fifo.stores, -timing.store),
                         depth);
    for (Fifos& at : fifos_)
        if (at.depth == depth && at.firstFetch == firstFetch && at.stored.same(stored) &&
            at.fetched.same(fetched))
            return at.words.push_back(std::move(word));
    fifos_.push_back({stored, fetched, depth, firstFetch, {std::move(word)}});
}

void KernelMemories::write(rtl::Module& module, const ControlSignals& signals) {
    std::ranges::stable_sort(lines_, {}, &Lines::depth);
    int number = 0;
    for (const Lines& lines : lines_) {
        const std::string name = "lines_" + std::to_string(number++);
        module.note(name + ": line buffers of " + std::to_string(lines.depth) + " words");
        const Expr at = addressOf(module, signals, name + "_at", lines.enable, lines.depth, 0);
        writeBundle(module, signals.clock,
                    {name, at, at, lines.enable, rtl::constant(1, 1), lines.depth, false},
                    lines.words);
    }
    number = 0;
    for (const Fifos& fifo : fifos_) {
        const std::string name = "fifo_" + std::to_string(number++);
        module.note(name + ": at most " + std::to_string(fifo.depth) + " words between layouts");
        const Expr stored = module.wire(name + "_stored", fifo.stored);
        const Expr in =
            addressOf(module, signals, name + "_in_at", signals.enable & stored, fifo.depth, 0);
        const Expr out = addressOf(module, signals, name + "_out_at", signals.enable & fifo.fetched,
                                   fifo.depth, fifo.firstFetch);
        writeBundle(module, signals.clock,
                    {name, out, in, signals.enable, stored, fifo.depth, true}, fifo.words);
    }
}

void KernelMemories::writeBundle(rtl::Module& module, const Expr& clock, const Bundle& bundle,
                                 const std::vector<StoredWord>& words) {
    const int most = cost::kernelBankBits(bundle.depth);
    std::vector<Expr> inputs; // highest first
    for (const StoredWord& word : words)
        inputs.insert(inputs.begin(), word.in);
    const Expr joined = rtl::join(inputs);
    const int all = joined.width();
    memories_.push_back({bundle.depth, all, most, bundle.isFifo});
    const Expr in = module.wire(bundle.name + "_in", joined);
    std::vector<Expr> read;
    for (int low = 0, bank = 0; low < all; low += most, ++bank) {
        const int bits = std::min(most, all - low);
        const std::string name = bundle.name + "_" + std::to_string(bank);
        const rtl::Memory memory = module.memory(name, rtl::bits(bits), bundle.depth);
        const Expr out = module.reg(name + "_out", rtl::bits(bits));
        module.clocked(clock, [&](rtl::Block& block) {
            block.when(bundle.enable, [&](rtl::Block& then) {
                then.set(out, memory[bundle.readAt]);
                const auto write = [&](rtl::Block& b) {
                    b.set(memory[bundle.writeAt], in.slice(low, bits));
                };
                if (bundle.writes.constant())
                    write(then);
                else
                    then.when(bundle.writes, write);
            });
        });
        read.insert(read.begin(), out);
    }
    const Expr out =
        read.size() == 1 ? read[0] : module.wire(bundle.name + "_out", rtl::join(read));
    int low = 0;
    for (const StoredWord& word : words) {
        module.assign(word.out, out.slice(low, word.out.width()));
        low += word.out.width();
    }
}

std::int64_t KernelMemories::bits() const {
    std::int64_t bits = 0;
    for (const cost::KernelMemory& memory : memories_)
        bits += memory.words * memory.bits;
    return bits;
}

} // namespace marquetry::hdl
