// The registers of the control interface: the one table that the hardware, the C header, the
// drivers, IP-XACT and the documents are made of.
//
// Registers are words of 32 bits. Offsets are in bytes, from the address the interface has; the
// first four are those that Vitis HLS gives its cores (UG1399), so that habits and code carry over.
// Thread rule: value types, pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// What software may do with a field.
enum class Access {
    Read,       ///< a write changes nothing
    ReadWrite,  ///< keeps what is written
    ClearByOne, ///< the hardware sets it, a 1 that is written clears it
    Trigger,    ///< a 1 that is written asks for something; what is read says its own
};

struct ControlField {
    std::string name; ///< identifier in lower case
    int low = 0;      ///< lowest bit
    int bits = 1;
    Access access = Access::Read;
    std::uint32_t reset = 0;
    std::string text;   ///< one sentence
    bool fixed = false; ///< it always is what it is at the reset
};

struct ControlRegister {
    std::string name; ///< identifier in lower case
    std::uint32_t offset = 0;
    std::vector<ControlField> fields; ///< lowest bit first; the other bits are 0
    std::string text;                 ///< one sentence
    std::string heldBy{}; ///< register whose reading keeps this one's value; empty: none
};

/// Why a frame ended with an error: the values of the field error.code.
enum class ControlError : std::uint32_t {
    None = 0,
    InputLength = 1, ///< an input's TLAST came early or late
    Aborted = 2,
    MemoryResponse = 3, ///< external memory answered with an error
    Watchdog = 4,       ///< nothing moved for too long
};

struct RegisterMap {
    std::vector<ControlRegister> registers; ///< by offset
    int addressBits = 12;                   ///< of the interface: all offsets fit

    const ControlRegister& at(const std::string& name) const; ///< it must exist
    bool has(const std::string& name) const;
};

/// What the hardware is told of itself.
struct ControlIdentity {
    std::uint32_t build = 0;      ///< of the layout of the registers and of the program's version
    std::uint64_t designHash = 0; ///< of what was built
};

/// What the hardware has beside streams.
struct ControlFeatures {
    bool work = false;    ///< it counts the clocks in which it does not wait for streams
    bool weights = false; ///< it reads weights from external memory
    bool writes = false;  ///< it keeps activations there, too
};

/// Of hardware with these AXI4-Streams: a counter of stalls for each.
RegisterMap registerMap(const std::vector<std::string>& sources,
                        const std::vector<std::string>& sinks, const ControlIdentity& identity,
                        const ControlFeatures& features = {});

} // namespace marquetry::hdl
