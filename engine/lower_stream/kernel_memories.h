// The memories of a stream kernel: line buffers, and the FIFOs of changes of layout.
//
// Line buffers of one length are packed into memories that share one address, read before they are
// written. FIFOs with equal steps, stored and fetched at equal times, are packed into memories
// with two addresses that count what was stored and what was fetched, modulo the words. At the
// reset an address stands where counting from before the first frame would have brought it to. The
// word for a step is read at the end of the step before; one that is stored in the same place in
// the same step comes behind it. Thread rule: one writer.
#pragma once

#include "engine/lower_stream/stream_control.h"
#include "engine/rtl/module_library.h"

namespace marquetry::hdl {

/// A word on its way through a memory.
struct StoredWord {
    Expr in;
    Expr out; ///< a wire of as many bits
};

/// A FIFO, and the steps in which step 0 of its stores and of its fetches is at work.
struct FifoTiming {
    const datapath::Fifo& fifo;
    std::int64_t store = 0;
    std::int64_t fetch = 0;
};

class KernelMemories {
public:
    void addLine(std::int64_t words, const Expr& enable, StoredWord word);
    /// `stored`, `fetched`: conditions on the steps.
    void addFifo(const FifoTiming& timing, const Expr& stored, const Expr& fetched,
                 StoredWord word);
    /// Instances of modules from the library (kernel_library.h).
    void write(rtl::Module& module, rtl::ModuleLibrary& library, const ControlSignals& signals);

    const std::vector<cost::KernelMemory>& all() const { return memories_; }
    std::int64_t bits() const;

private:
    struct Lines {
        std::int64_t depth = 1;
        Expr enable;
        std::vector<StoredWord> words;
    };
    struct Fifos {
        Expr stored, fetched;
        std::int64_t depth = 1;
        std::int64_t firstFetch = 0; ///< address at the reset, where the one to store is 0
        std::vector<StoredWord> words;
    };
    /// Memories side by side.
    struct Bundle {
        std::string name;
        std::int64_t depth = 1;
        bool isFifo = false;
        bool ahead = false; ///< KernelMemoryForm's
    };
    /// `ports`: those of control.
    void instance(rtl::Module& module, rtl::ModuleLibrary& library, const Bundle& bundle,
                  rtl::Module::Connections ports, const std::vector<StoredWord>& words);

    std::vector<Lines> lines_;
    std::vector<Fifos> fifos_;
    std::vector<cost::KernelMemory> memories_;
};

} // namespace marquetry::hdl
