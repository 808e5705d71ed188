// Reads and writes of an AXI4 master as commands of an Avalon memory-mapped host.
//
// Avalon has one channel for commands. A burst that is written has it from its request to its last
// beat; its address and length stay. A read that waits is not overtaken, since it may not be taken
// back. The lengths of reads wait for their beats, so that the last one is known.
// Facts: Intel 683091 (one response for each burst that is written, never in the clock of a
// read's). Thread rule: one builder.
#pragma once

#include "engine/rtl/module.h"
#include "engine/vendor/project.h"

#include <string>
#include <utility>
#include <vector>

namespace marquetry::vendor {

/// Of the host.
struct HostPorts {
    rtl::Expr address, read, burstcount, waitrequest, readdata, readdatavalid, response;
    rtl::Expr write{}, writedata{}, byteenable{}, writeresponsevalid{}; ///< of one that writes
};

/// Of a memory that is written.
class AvalonCommands {
public:
    struct Timing {
        rtl::Expr clock, reset;
    };
    AvalonCommands(rtl::Module& m, const ProjectMemory& memory, const std::string& name,
                   const Timing& at)
        : m_(m), memory_(memory), name_(name), at_(at) {}

    /// The ports that a host which only reads does not have.
    void addPorts(HostPorts& p);
    void drive(const HostPorts& p);
    /// Wires of the master's ports, but for those of its beats that are read.
    const std::vector<std::pair<std::string, rtl::Expr>>& connections() const { return wired_; }

private:
    rtl::Expr wire(const std::string& port, int width);
    void driveWrites(const HostPorts& p);
    void driveReads(const HostPorts& p);
    void countBeats(const HostPorts& p, const rtl::Expr& length);

    rtl::Module& m_;
    const ProjectMemory& memory_;
    std::string name_;
    Timing at_;
    std::vector<std::pair<std::string, rtl::Expr>> wired_;
    rtl::Expr writing_, writeAddress_, writeBeats_; ///< the burst that is written
    rtl::Expr readWaits_;
    rtl::Expr owed_; ///< reads
};

} // namespace marquetry::vendor
