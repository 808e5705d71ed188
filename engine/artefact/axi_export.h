// Exports of `--interface axi`: what the control shell is put around, how DESIGN.json says so, and
// benches and vectors for the streams behind it.
//
// Where the shell changes the width of streams, benches compare bytes: a beat may hold parts of
// elements, or elements of several beats. Errors: stream-width, schedule-form (of DESIGN.json).
// Thread rule: pure.
#pragma once

#include "engine/artefact/axis_testbench.h"
#include "engine/control/control_shell.h"
#include "engine/cost/clock_estimate.h"
#include "engine/lower_design/design_ports.h"
#include "engine/lower_stream/stream_hardware.h"
#include "engine/support/folders.h"
#include "engine/vendor/project.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string_view>

namespace marquetry::hdl {

/// The layout of the registers, version 1, in the upper half; the program's version below.
inline constexpr std::uint32_t kBuildId = 0x0001'0001;

struct AxiForm {
    int streamBits = 0; ///< ExportForm's
    ControlIdentity identity{kBuildId, 0};
};

/// Of what identifies the hardware: SHA-256, the first 64 bits.
std::uint64_t designHash(std::string_view what);

/// "control" of DESIGN.json: {"stream_bits", "build_id", "design_hash"}, the last two in hex.
nlohmann::ordered_json toJson(const AxiForm& form);
/// Of DESIGN.json; nothing when it has no "control".
Result<std::optional<AxiForm>> axiFormIn(const nlohmann::ordered_json& design);

ShellCore coreOf(const RtlPlan& plan, const rtl::ModulePtr& top, const DesignPorts& ports);
ShellCore coreOf(const StreamInterface& interface, const StreamTop& top);
/// The same with a top that has its ports and nothing else: the shell's names are those it gives
/// to every netlist of them.
ShellCore coreOf(const RtlPlan& plan);
ShellCore coreOf(const StreamInterface& interface);

/// Some streams have another width in the shell.
bool hasConverters(const ShellCore& core, const AxiForm& form);

/// Clocks from a stream's first beat to the last one of its result, of a core that takes so many;
/// 0: they are not predicted, since converters of widths wait in between, or no beat comes first.
std::int64_t shellCycles(const ShellCore& core, const AxiForm& form, std::int64_t coreCycles);

inline constexpr const char* kAxiBench = "tb/tb_axi.v";
/// The one bench, for both simulators.
files::FolderFiles axiBenches(const AxisBench& bench);

/// The longest path between registers of the shell itself.
cost::ClockPath shellPath();

/// Vectors of the core alone ("in_x.hex" …) in the beats of the shell.
files::FolderFiles behindShell(const files::FolderFiles& vectors, const AxisBench& alone,
                               const ShellCore& core, const AxiForm& form);

/// The core in its shell, named.
struct Shelled {
    rtl::Names names;
    AxisBench bench;
    vendor::ProjectControl control;
};
/// `alone`: the bench of the core alone. `name`: the hardware's, an identifier.
Result<Shelled> inShell(const ShellCore& core, const std::string& name, const AxisBench& alone,
                        const AxiForm& form);

} // namespace marquetry::hdl
