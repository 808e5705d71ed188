// The memory of a testbench: what answers the AXI4 reads of hardware with external weights.
//
// It holds memory/weights.bin beside DIR, from the address kBenchBase on. With +memory=0 it is the
// nominal one: it takes every request, gives the first beat after the latency, and beats at the
// rate of its figures. With +memory=1 requests wait at random, latencies are random, and beats come
// with gaps. +memory_error=N answers the N-th beat with an error, +memory_stall=N lets the first
// request wait for N clocks more. A request outside the image, or
// across 4096 bytes, is a mismatch. What hardware writes is in write_bench.h.
// Thread rule: pure but for the text it is given.
#pragma once

#include "engine/artefact/bench_text.h"
#include "engine/rtl/axi_write_ports.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace marquetry::hdl {

inline constexpr std::int64_t kBenchBase = 0x1000'0000;

/// Of hardware that writes, too.
struct BenchWrites {
    rtl::AxiWriteNames port;
    std::int64_t from = 0; ///< the first byte of the image that may be written
};

struct BenchMemory {
    rtl::AxiReadNames port;
    std::string base, reload; ///< ports; empty where registers take their place
    /// Likewise of the counters of waits: the whole, and of hardware that writes those of its loads
    /// and of its stores.
    std::string stalls, stallsLoads{}, stallsStores{};
    std::int64_t beatBytes = 8;
    std::int64_t bytes = 0; ///< of the image
    std::int64_t milliBytesPerClock = 8000;
    std::int64_t latency = 0;
    std::int64_t mostBursts = 1; ///< that the hardware asks for before they are answered
    std::optional<BenchWrites> writes{};
};

class WriteBench;

/// In Verilog.
class MemoryBench {
public:
    /// `complain`: adds a mismatch of this kind, with these values ("index, expected, got").
    using Complain =
        std::function<void(const std::string& indent, const char* what, const std::string& values)>;
    MemoryBench(BenchText& text, const BenchMemory& memory, Complain complain)
        : b_(text), memory_(memory), complain_(std::move(complain)) {}

    void declare();
    /// Lines of the hardware's port list.
    void connect();
    /// The counters at the end of a frame, behind others of a line that is printed
    /// (bench_output.h): what its format has, and its values.
    static std::string countsFormat(bool writes);
    std::string counts() const;
    /// The processes of the memory.
    void drive();
    /// In the initial process: the first values and the image.
    void begin();

private:
    void requests();
    void beats();
    WriteBench writes();

    BenchText& b_;
    const BenchMemory& memory_;
    Complain complain_;
};

/// The same in C++, for the bench of Verilator: a struct `Memory` and the only one, `memory`.
std::string memoryStruct(const BenchMemory& memory);
/// Statements of its functions `drive` and `sample`.
std::string driveMemory(const BenchMemory& memory);
std::string sampleMemory(const BenchMemory& memory);

} // namespace marquetry::hdl
