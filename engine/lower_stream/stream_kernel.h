// The kernel of a stream: a timed datapath (datapath/time_datapath.h) as a Verilog module, with the
// modules of its memories below it.
//
// Ports: aclk, aresetn, enable, in_valid (when the output follows the input's idle time, some steps
// later), in_<name> and out_<name> with all lanes of one step side by side, the first in the lowest
// bits, and out_valid. The kernel takes one step in each clock with enable, nothing happens in
// others: step k after the reset takes the inputs of slot k modulo a frame, and puts out those of
// slot k − latency. Frames follow each other without a gap. The clocks in which nothing in the
// whole circuit is valid are no steps: the one who drives enable waits them out (stream_top.h).
//
// Registers hold words as time_datapath.h says; line buffers of one length are packed into
// memories of at most cost::kernelBankBits bits that share one address, read before they are
// written; FIFOs of equal steps into memories with one address to store and one to fetch
// (kernel_memories.h). Undefined words and words of idle slots are whatever comes; no register is
// read in such a slot for a word that is defined. Complexity: linear in cells and registers. Thread
// rule: pure.
#pragma once

#include "engine/datapath/time_datapath.h"
#include "engine/lower_stream/kernel_memories.h"
#include "engine/lower_stream/stream_control.h"
#include "engine/lower_stream/stream_interface.h"
#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

struct StreamKernel {
    rtl::Module module{""};
    std::vector<rtl::NetPtr> inputs{}; ///< ports of data
    rtl::NetPtr output{};
    rtl::NetPtr inValid{}; ///< null: it has none
    rtl::NetPtr outValid{};
    std::int64_t memoryBits = 0;
    std::int64_t registerBits = 0; ///< of words, without control
    cost::KernelParts parts{};

    /// Has the port in_valid.
    bool takesValid() const { return inValid != nullptr; }
};

/// `inputs` and `output`: what the ports ask to be called, in the datapath's order. `library`: of
/// the netlist that the kernel becomes a part of.
StreamKernel kernelModule(rtl::ModuleLibrary& library, const datapath::TimedDatapath& timed,
                          const std::string& name, const std::vector<std::string>& inputs,
                          const std::string& output);

} // namespace marquetry::hdl
