// The hardware of a scheduled stream: the kernel (stream_kernel.h) and its AXI4-Stream edges.
//
// Top: aclk, aresetn, s_axis_<input>_{tdata,tvalid,tlast,tready} of each input,
// m_axis_<output>_{tdata,tvalid,tlast,tready}, error. A beat holds what is valid in one slot: all
// lanes side by side, the first lowest, every leaf of an atom in whole bytes; slots without
// anything valid have no beat. TLAST marks the last beat of a frame.
//
// The top drives the kernel's enable: a step when every input that has a valid slot has its beat,
// and there is room for the output. Where steps are several clocks long it waits the rest. When no
// next frame has begun at the end of one, it runs the kernel on until the last word is out, and
// starts it anew: frames need not follow each other.
// A frame that TLAST ends early is filled up with zeros, one that goes on without it loses what is
// too much, up to TLAST: `error` is set, until the reset, and the next frame is whole.
//
// Clocks without gaps: from the first beat of a frame to its last result, both included,
// predictedCycles: the steps up to the last valid slot of the output, behind the latency, and one
// for the output's buffer. Thread rule: pure.
#pragma once

#include "engine/ir/stream_program.h"
#include "engine/lower_stream/stream_kernel.h"
#include "engine/lower_stream/stream_ports.h"
#include "engine/rtl/netlist.h"
#include "engine/rtl/ram_style.h"

namespace marquetry::hdl {

struct StreamTop {
    rtl::ModulePtr module;
    StreamPorts ports;
};

/// A stream before its parts are named: the top may become a part of another one.
struct StreamModules {
    StreamInterface interface;
    StreamTop top;
    std::int64_t registerBits = 0;
    std::int64_t memoryBits = 0;
    cost::KernelParts parts; ///< what its price is made of beside the datapath
    double pathDelay = 0;    ///< ps, estimated
    bool complete = true;    ///< false: the time ended with paths that are longer than need be
};

/// `timed`: of a schedule of `program`.
StreamModules streamModules(const ir::StreamProgram& program, const datapath::TimedDatapath& timed);

struct StreamHardware : StreamModules {
    StreamNames names;
    Netlist netlist;
};

/// The modules, named. `vendor`: whose attributes memories get.
StreamHardware makeStreamHardware(const ir::StreamProgram& program,
                                  const datapath::TimedDatapath& timed,
                                  rtl::Vendor vendor = rtl::Vendor::Xilinx);

/// `kernelModule`: the kernel's, finished.
StreamTop streamTop(const StreamInterface& interface, const StreamKernel& kernel,
                    rtl::ModulePtr kernelModule);

} // namespace marquetry::hdl
