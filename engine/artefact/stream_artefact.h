// The artefact of a scheduled stream: kernel and top, a testbench, golden frames.
//
// DESIGN.json holds its device, its ports' types, latency and prediction under "stream". Same
// request, same artefact. Errors: those of makeStreamHardware and of the interpreter,
// unknown-target, schedule-form, cancelled. Thread rule: pure.
#pragma once

#include "engine/artefact/artefact.h"
#include "engine/artefact/opened_export.h"
#include "engine/datapath/make_datapath.h"
#include "engine/lower_stream/stream_hardware.h"

namespace marquetry::hdl {

struct StreamExportRequest {
    ir::StreamProgram program;
    spacetime::Graph circuit;
    std::string text; ///< of the .mq file
    int vectors = 1;  ///< frames
    std::uint64_t seed = 1;
    std::string target = "verilog";
    std::string device{};                                ///< id; empty: none is named
    rtl::Vendor vendor = rtl::Vendor::Xilinx;            ///< whose attributes memories get
    datapath::SharedDatapath timed{};                    ///< of the circuit; null: to be made
    datapath::Deadline deadline = datapath::kNoDeadline; ///< of the timing then
};

Result<Artefact> streamArtefact(const StreamExportRequest& request, std::stop_token stop = {});

/// Of DESIGN.json: the ports have layers, and no leaves without the program.
Result<StreamInterface> streamIn(const ExportFolder& source);

/// The files the testbench reads, for random frames: name → text.
Result<files::FolderFiles> streamVectors(const StreamInterface& interface,
                                         const ir::StreamProgram& program, int frames,
                                         std::uint64_t seed, std::stop_token stop = {});

} // namespace marquetry::hdl
