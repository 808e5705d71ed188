// Modules that lowerings share: small, with parameters, written as one would by hand.
//
// Ports are the arguments' order below; `aclk` is the clock, `aresetn` a synchronous reset, low.
// Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

namespace marquetry::rtl {

/// WIDTH, DEPTH, ADDRESS: aclk, re, raddr, q, we, waddr, wdata. A simple dual-port memory; the read
/// is registered and sees the old word. Zero when a simulation begins. Without a style synthesis
/// chooses, and simulation knows of no word before it is written.
ModulePtr dualPortMemory(const std::string& name, std::optional<RamStyle> style);

/// BANKS, MEMORIES, WIDTH, DEPTH, ADDRESS, with a rest also REST: aclk, re, raddr, q, we (a bit for
/// each bank), waddr, wdata. A bank is MEMORIES of WIDTH bits and, with a rest, one of REST bits,
/// side by side. `memory`: a dualPortMemory.
ModulePtr memoryBanks(const std::string& name, const ModulePtr& memory, bool hasRest);

/// DEPTH, ADDRESS: aclk, aresetn, we0, waddr0, we1, waddr1, re, raddr, second. Which of two writers
/// wrote a word last; registered as the memory's read. Writers of one clock write other words.
ModulePtr lastWriter(const std::string& name);

/// WIDTH, CLOCKS ≥ 1: aclk, d, q. What d was so many clocks ago. Nothing is reset: it becomes a
/// shift register where a device has those.
ModulePtr delayLine(const std::string& name);

/// CLOCKS ≥ 1, BITS ≥ 2 that can count them: aclk, aresetn, d, q. A delay line of one bit whose
/// output is 0 until everything from before the reset has left it.
ModulePtr validLine(const std::string& name);

/// LANES, WIDTH, PORTS: asks, banks, words, conflict. 1 when lanes that ask want more different
/// words of one bank than it has ports. Without a clock, for simulation and proofs.
ModulePtr bankConflict(const std::string& name);

} // namespace marquetry::rtl
