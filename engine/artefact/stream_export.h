// Export and verification of a stream: artefact/export.h and artefact/verify.h for `stream` items.
//
//   rtl/*.v             kernel and top            tb/tb_stream.v    testbench
//   vectors/*.hex       golden frames             program/          the program's text
//   DESIGN.json         the stream: its ports' types, latency and prediction under "stream"
//   report.json         cycles and resources      manifest.json     SHA-256 of every file
//
// verify builds the testbench with Verilator or Icarus, drives random frames one after the other,
// with random gaps and back-pressure unless told otherwise, compares every defined leaf with the
// interpreter, and, without gaps, the clocks of every frame with the prediction; it then runs the
// stream once with a first frame cut short and once with one that is too long.
// Same request, same bytes. Errors: those of makeStreamHardware, of the interpreter, of the
// manifest and of the simulators. Thread rule: pure but for the files.
#pragma once

#include "engine/artefact/export.h"
#include "engine/artefact/verify.h"
#include "engine/lower_stream/stream_hardware.h"

namespace marquetry::hdl {

struct StreamExportRequest {
    ir::StreamProgram program;
    spacetime::Graph circuit;
    std::string text; ///< of the .mq file
    int vectors = 1;  ///< frames
    std::uint64_t seed = 1;
    std::string target = "verilog";
    spacetime::Deadline deadline = spacetime::kNoDeadline; ///< of the timing
};

Result<ExportReport> exportStream(const StreamExportRequest& request, const ExportPlace& place,
                                  std::stop_token stop = {});

struct OpenedStream {
    ExportFolder source;
    StreamInterface interface;
};

/// The folder must hold a stream; `program` is not there yet, so the ports have no leaves.
Result<OpenedStream> openStream(ExportFolder source);

Result<VerifyReport> verifyStream(OpenedStream opened, const ir::StreamProgram& program,
                                  const VerifyParams& params, std::stop_token stop = {},
                                  const VerifyProgress& progress = {});

/// The files the testbench reads, for random frames: name → text.
Result<std::map<std::string, std::string>> streamVectors(const StreamInterface& interface,
                                                         const ir::StreamProgram& program,
                                                         int frames, std::uint64_t seed,
                                                         std::stop_token stop = {});

} // namespace marquetry::hdl
