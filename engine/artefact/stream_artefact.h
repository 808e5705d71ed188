// The artefact of a scheduled stream: kernel and top, a testbench, golden frames.
//
// DESIGN.json holds its device, its ports' types, latency and prediction under "stream", and the
// type that its output was pinned to. Same request, same artefact. Errors: those of
// makeStreamHardware and of the interpreter, schedule-form, cancelled, those of checkForm and of
// vendor::checkProject. Thread rule: pure.
#pragma once

#include "engine/artefact/artefact.h"
#include "engine/artefact/opened_export.h"
#include "engine/artefact/report_sections.h"
#include "engine/datapath/make_datapath.h"
#include "engine/lower_stream/stream_hardware.h"

namespace marquetry::hdl {

inline constexpr int kUsualFrames = 1;

struct StreamExportRequest {
    ir::StreamProgram program;
    spacetime::Graph circuit;
    std::string text; ///< of the .mq file
    int vectors = kUsualFrames;
    std::uint64_t seed = 1;
    ExportForm form{};
    device::Device device{};                             ///< whose vendor's attributes memories get
    datapath::SharedDatapath timed{};                    ///< of the circuit; null: to be made
    datapath::Deadline deadline = datapath::kNoDeadline; ///< of the timing then
    ReportExtras extras{};                               ///< of report.html
    std::string outputType{};                            ///< that was pinned; empty: any
    bool least = true; ///< of its throughput and type: what a search for them finds
};

/// Of Artefact; empty: no command line finds a circuit that is not the least.
std::string commandOf(const StreamExportRequest& request);

Result<Artefact> streamArtefact(const StreamExportRequest& request, std::stop_token stop = {});

/// Of DESIGN.json: the ports have layers, and no leaves without the program.
Result<StreamInterface> streamIn(const ExportFolder& source);

/// The files the testbench reads, for random frames: name → text.
Result<files::FolderFiles> streamVectors(const StreamInterface& interface,
                                         const ir::StreamProgram& program, int frames,
                                         std::uint64_t seed, std::stop_token stop = {});

} // namespace marquetry::hdl
