// What answers the AXI4 writes of hardware, in the memory of a testbench (memory_bench.h).
//
// Beats share the memory's rate with those that are read. The nominal memory takes every request at
// once, and the beats of a burst behind its request; the answer comes after the latency. The other
// one lets each of the three channels wait at random, takes beats before their request, too, and
// begins with random bytes where the hardware writes.
// What is written is there to be read when it is answered, no sooner: hardware that reads before
// gets what was there. A mismatch is a burst outside of what may be written, across 4096 bytes, not
// from a beat's address on or of another form than INCR of whole beats; what is offered and taken
// back; and a WLAST in another place than the burst's last beat.
// +memory_write_error=N answers the N-th burst with an error, +memory_write_stall=N lets the first
// burst wait for N clocks until it is taken.
// Thread rule: pure but for the text it is given.
#pragma once

#include "engine/artefact/memory_bench.h"

#include <string>

namespace marquetry::hdl {

/// In Verilog. `memory` writes.
class WriteBench {
public:
    WriteBench(BenchText& text, const BenchMemory& memory, const MemoryBench::Complain& complain)
        : b_(text), memory_(memory), port_(memory.writes->port), complain_(complain) {}

    void declare();
    void connect();
    /// At the clock's edge, in the process that takes the reads.
    void requests();
    /// Between the edges, in the process that answers the reads.
    void answers();
    /// Behind the image.
    void begin();

private:
    void checkHeld();
    void takeRequest();
    void takeBeat();
    void gather();
    void store();

    BenchText& b_;
    const BenchMemory& memory_;
    const rtl::AxiWriteNames& port_;
    const MemoryBench::Complain& complain_;
};

/// Members of the struct `Memory` in C++, and its constants.
std::string writeConstants(const BenchMemory& memory);
std::string writeMembers();
/// Statements of the functions `drive` and `sample` of Verilator's bench.
std::string driveWrites(const BenchMemory& memory);
std::string sampleWrites(const BenchMemory& memory);

} // namespace marquetry::hdl
