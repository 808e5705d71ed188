// The part of a testbench that reaches registers: an AXI4-Lite master in Verilog, and the frames
// that it starts and waits for.
//
// The master sends when it is asked to (`lite_writes`, `lite_reads` count what is asked), takes
// every answer at once, and counts a mismatch when one is not OKAY.
// Thread rule: pure but for the text it is given.
#pragma once

#include "engine/artefact/axis_testbench.h"

#include <functional>
#include <string>

namespace marquetry::hdl {

class RegisterBench {
public:
    /// `wait`: adds a clock in which too long a wait ends the run, with this indent. `complain`:
    /// adds a mismatch of this kind, with these values ("index, expected, got").
    struct Uses {
        std::function<void(const std::string& indent)> wait;
        std::function<void(const std::string& indent, const char* what, const std::string& values)>
            complain;
    };

    RegisterBench(BenchText& text, const BenchRegisters& registers, Uses uses)
        : b_(text), registers_(registers), uses_(std::move(uses)) {}

    void declare();
    /// Lines of the hardware's port list.
    void connect();
    /// The processes of the master.
    void drive();
    /// In the initial process: the first values; identity and interrupts, behind the reset.
    void begin();
    void setUp();
    /// Starts a frame and waits for its end.
    void frame(const std::string& indent);
    /// Its clocks are printed, its error compared.
    void outcome(const std::string& indent);

private:
    void write(const std::string& indent, const char* name, std::uint32_t value);
    void read(const std::string& indent, const char* name);
    void expect(const std::string& indent, const char* name);

    BenchText& b_;
    const BenchRegisters& registers_;
    Uses uses_;
};

} // namespace marquetry::hdl
