// The control shell: hardware with AXI4-Streams made into a core like any other of the trade, with
// registers behind an AXI4-Lite slave, an interrupt line and streams of the width that is asked
// for.
//
// Ports: aclk, aresetn (synchronous, low), s_axi_control_* (AXI4-Lite), irq, s_axis_<source>_* and
// m_axis_<sink>_* (AXI4-Stream with tdata, tvalid, tlast, tready). Every output comes from
// registers alone, so no path leads from a ready to a ready or to a valid. A frame is one packet of
// every stream; its bits come in the order of the core's, lowest first, in as many beats as they
// need, the last one padded with zeros. Outside of frames the sources' tready is low.
//
// Frames: `start` lets one in, auto-restart those that follow, without a gap where the core works
// on several. No source begins a packet before all others have begun the one before it. A frame
// ends with the last beat of its packets at the sinks.
// Abort, and an error of the core, end what is under way: the core is reset; a packet that has
// begun at a sink is ended by a beat of zeros with TLAST; each source is read on, and what comes is
// lost, until all have given as many packets as the one that is furthest has begun. An abort that
// is written while the abort bit reads 1 does not wait for sources and sinks.
// Watchdog: a frame in which nothing moves for as many clocks as its register says ends like that,
// and what it waits for is given up (shell_watch.h says what a move is).
// A core that reads external memory has an AXI4 master, m_axi_*, with the write channels where it
// writes, too. An answer that is an error ends the frame; a reset of the core breaks no rule of
// that bus (read_guard.h, write_guard.h), and the next start needs no patience of software's:
// requests wait until the memory has answered those of before.
// An address without a register reads 0, a write there changes nothing, and both are answered OKAY.
//
// Errors: stream-width. Complexity: linear in streams. Thread rule: pure.
#pragma once

#include "engine/control/register_map.h"
#include "engine/rtl/axi_lite_ports.h"
#include "engine/rtl/axi_write_ports.h"
#include "engine/rtl/axis_ports.h"
#include "engine/support/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct CoreStream {
    std::string name;           ///< identifier, no other stream's in any case of letters
    rtl::AxisPorts port;        ///< of the core
    std::int64_t frameBits = 1; ///< of a frame, without what pads its last beat
};

/// External memory that a core reads weights from, as the core's ports.
struct CoreMemory {
    rtl::AxiReadPorts
        axi;          ///< of a core that does not write, requests differ in their addresses alone
    rtl::Expr base;   ///< input of 64 bits: where the weights begin
    rtl::Expr reload; ///< a pulse: the next frame reads those that stay again
    rtl::Expr stalls; ///< 64 bits: clocks of the last frame in which it waited for weights
    std::int64_t mostBursts = 1;               ///< that it asks for before they are answered
    std::optional<rtl::AxiWritePorts> write{}; ///< where it writes activations, behind the weights
    /// 64 bits each, where it writes: of `stalls`, those in which it waited for activations to come
    /// or to be taken.
    rtl::Expr stallsLoads{}, stallsStores{};
};

/// What the shell is put around.
struct ShellCore {
    rtl::ModulePtr module;
    rtl::Expr clock, reset, error; ///< the reset is synchronous and low; error stays high
    /// A pulse that begins a frame when none is under way; high from the end of a frame to the next
    /// start. Of no bits: the core has one sink and begins whenever a frame comes.
    rtl::Expr start, done;
    std::vector<CoreStream> sources, sinks; ///< inputs and outputs of the core
    /// 64 bits: clocks of the last frame without those in which it waited. Of no bits: none.
    rtl::Expr work{};
    std::optional<CoreMemory> memory{};
};

struct ShellRequest {
    std::string name; ///< identifier: the beginning of what its modules ask for
    ControlIdentity identity;
    int streamBits = 0; ///< of tdata: 8, 16, 32, …, 512; 0: as the core has them
};

struct ShellPorts {
    rtl::Expr clock, reset, interrupt;
    rtl::AxiLitePorts control;
    std::vector<rtl::AxisPorts> sources, sinks; ///< index: as the core's
    std::optional<rtl::AxiReadPorts> memory;    ///< m_axi_*
    std::optional<rtl::AxiWritePorts> writes;   ///< likewise, of a core that writes
    std::shared_ptr<const rtl::Named> bench;    ///< a module beside the netlist
};

struct ControlShell {
    rtl::ModulePtr module;
    ShellPorts ports;
    RegisterMap registers;
};

/// Whether the streams can be as wide as that; error stream-width.
Status checkStreamBits(const ShellCore& core, int streamBits);

Result<ControlShell> controlShell(const ShellCore& core, const ShellRequest& request);

/// What drivers and benches know it by.
struct ShellNames {
    std::string top, bench;
    std::string clock, reset, interrupt;
    rtl::AxiLiteNames control;
    std::vector<rtl::AxisNames> sources, sinks; ///< index: as the core's
    std::optional<rtl::AxiReadNames> memory;
    std::optional<rtl::AxiWriteNames> writes;
};

ShellNames namesOf(const rtl::Names& names, const ShellPorts& ports);

/// Of a stream's tdata outside; of a frame there.
int shellBits(const CoreStream& stream, int streamBits);
std::int64_t shellBeats(const CoreStream& stream, int streamBits);

} // namespace marquetry::hdl
