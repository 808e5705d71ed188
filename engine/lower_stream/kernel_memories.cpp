#include "engine/lower_stream/kernel_memories.h"

#include "engine/datapath/cell_value.h"
#include "engine/lower_stream/kernel_library.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

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

void KernelMemories::write(rtl::Module& module, rtl::ModuleLibrary& library,
                           const ControlSignals& signals) {
    std::ranges::stable_sort(lines_, {}, &Lines::depth);
    int number = 0;
    for (const Lines& lines : lines_)
        instance(module, library, {cat("lines_", number++), lines.depth},
                 {{"aclk", signals.clock}, {"aresetn", signals.reset}, {"enable", lines.enable}},
                 lines.words);
    number = 0;
    for (const Fifos& fifo : fifos_) {
        Bundle bundle{cat("fifo_", number++), fifo.depth, true, fifo.firstFetch != 0};
        rtl::Module::Connections control = {{"aclk", signals.clock},
                                            {"aresetn", signals.reset},
                                            {"enable", signals.enable},
                                            {"stored", fifo.stored},
                                            {"fetched", fifo.fetched}};
        if (bundle.ahead)
            control.emplace_back("first", rtl::constant(fifo.firstFetch, bitsFor(fifo.depth)));
        instance(module, library, bundle, std::move(control), fifo.words);
    }
}

void KernelMemories::instance(rtl::Module& module, rtl::ModuleLibrary& library,
                              const Bundle& bundle, rtl::Module::Connections ports,
                              const std::vector<StoredWord>& words) {
    const int most = cost::kernelBankBits(bundle.depth);
    std::vector<Expr> inputs; // highest first
    for (const StoredWord& word : words)
        inputs.insert(inputs.begin(), word.in);
    const Expr in = module.wire(bundle.name + "_in", rtl::join(inputs));
    const int all = in.width();
    memories_.push_back({bundle.depth, all, most, bundle.isFifo});
    const Expr out = module.wire(bundle.name + "_out", rtl::bits(all));
    const int memories = std::max(1, all / most);
    const int rest = all > most ? all % most : 0;
    rtl::Module::Arguments sizes = {{"MEMORIES", memories}, {"WIDTH", std::min(all, most)}};
    if (rest > 0)
        sizes.emplace_back("REST", rest);
    sizes.emplace_back("DEPTH", bundle.depth);
    sizes.emplace_back("ADDRESS", bitsFor(bundle.depth));
    const KernelMemoryForm form{rest > 0, bundle.ahead};
    ports.insert(ports.end(), {{"d", in}, {"q", out}});
    module.instance(bundle.isFifo ? layoutFifo(library, form) : lineBuffer(library, form),
                    bundle.name, ports, sizes);
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
