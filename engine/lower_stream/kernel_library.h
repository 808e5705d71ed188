// The modules that kernels of streams share: line buffers, and FIFOs between layouts.
//
// Ports are the arguments' order below; `aclk` is the clock, `aresetn` a synchronous reset, low.
// Thread rule: one builder.
#pragma once

#include "engine/rtl/module_library.h"

namespace marquetry::hdl {

/// What makes modules differ beside their parameters.
struct KernelMemoryForm {
    bool hasRest = false; ///< beside the memories of WIDTH bits there is one of REST bits
    bool ahead = false;   ///< of a FIFO: what is fetched does not begin at address 0
};

/// MEMORIES, WIDTH, DEPTH, ADDRESS, with a rest also REST: aclk, aresetn, enable, d, q. What d was
/// DEPTH + 1 clocks with enable ago: memories side by side that share one address, read before they
/// are written.
rtl::ModulePtr lineBuffer(rtl::ModuleLibrary& library, KernelMemoryForm form);

/// The same parameters: aclk, aresetn, enable, stored, fetched, d, q, and if it is ahead, first.
/// Memories side by side with two addresses. In clocks with enable, d is written if `stored`, and q
/// becomes the word that is next to be fetched, which has been fetched if `fetched`. At the reset
/// the words to store begin at address 0, those to fetch at `first`.
rtl::ModulePtr layoutFifo(rtl::ModuleLibrary& library, KernelMemoryForm form);

} // namespace marquetry::hdl
