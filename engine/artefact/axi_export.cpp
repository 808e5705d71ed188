#include "engine/artefact/axi_export.h"

#include "engine/design/weight_image.h"
#include "engine/support/checked_math.h"
#include "engine/support/json.h"
#include "engine/support/sha256.h"

#include <algorithm>
#include <charconv>

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kByte = 8;
constexpr std::int64_t kMostBenchClocks = 0x7fffffff; ///< benches count in 32 bits
constexpr char kDigits[] = "0123456789abcdef";

std::string inHex(std::uint64_t value) {
    std::string text(16, '0');
    for (int digit = 0; digit < 16; ++digit)
        text[static_cast<std::size_t>(15 - digit)] = kDigits[value >> (4 * digit) & 15];
    return text;
}

std::optional<std::uint64_t> fromHex(const Json& json, const char* field) {
    const std::string text =
        json.contains(field) && json[field].is_string() ? json[field].get<std::string>() : "";
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

CoreStream streamOf(const StreamPlan& stream, const rtl::AxisPorts& port) {
    return {stream.name, port, stream.tensor.elements() * stream.elementBits};
}

CoreStream streamOf(const StreamPort& stream, const rtl::AxisPorts& port) {
    return {stream.name, port, stream.beats * stream.tdataBits()};
}

/// Bits of the beats of a frame, cut into other beats: a bit of `lines` is a hex digit's, the last
/// line of a frame has the highest.
class Recut {
public:
    /// `bits`: of a line; frames of so many lines become frames of `count` lines of `width` bits.
    Recut(int bits, std::int64_t lines, int width, std::int64_t count)
        : bits_(bits), lines_(lines), width_(width), count_(count) {}

    std::string operator()(const std::string& text) const {
        std::string result;
        std::vector<bool> frame;
        std::int64_t line = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            add(std::string_view(text).substr(at, end - at), frame);
            at = end == std::string::npos ? text.size() : end + 1;
            if (++line % lines_ == 0)
                take(frame, result);
        }
        return result;
    }

private:
    void add(std::string_view digits, std::vector<bool>& frame) const {
        for (int bit = 0; bit < bits_; ++bit) {
            const auto place = static_cast<std::size_t>(bit / 4);
            const char digit = place < digits.size() ? digits[digits.size() - 1 - place] : '0';
            const auto value = static_cast<int>(std::find(kDigits, kDigits + 16, digit) - kDigits);
            frame.push_back((value >> (bit % 4) & 1) != 0);
        }
    }

    void take(std::vector<bool>& frame, std::string& result) const {
        frame.resize(static_cast<std::size_t>(count_ * width_));
        for (std::int64_t line = 0; line < count_; ++line) {
            std::string digits;
            for (int low = 0; low < width_; low += 4) {
                int value = 0;
                for (int bit = 0; bit < std::min(4, width_ - low); ++bit)
                    value |=
                        frame[static_cast<std::size_t>(line * width_ + low + bit)] ? 1 << bit : 0;
                digits += kDigits[value];
            }
            result.append(digits.rbegin(), digits.rend());
            result += '\n';
        }
        frame.clear();
    }

    int bits_;
    std::int64_t lines_;
    int width_;
    std::int64_t count_;
};

/// A bit of `care` for each byte instead of each leaf.
std::string careOfBytes(const std::string& care, const BenchSink& sink) {
    std::string result;
    const auto leaves = static_cast<int>(sink.leaves.size());
    std::size_t at = 0;
    while (at < care.size()) {
        const std::size_t end = std::min(care.find('\n', at), care.size());
        const std::string_view digits = std::string_view(care).substr(at, end - at);
        std::string bytes; // lowest first
        for (int leaf = 0; leaf < leaves; ++leaf) {
            const char digit = digits[digits.size() - 1 - static_cast<std::size_t>(leaf / 4)];
            const auto value = std::find(kDigits, kDigits + 16, digit) - kDigits;
            bytes.append(
                static_cast<std::size_t>(sink.leaves[static_cast<std::size_t>(leaf)].bits / kByte),
                (value >> (leaf % 4) & 1) != 0 ? '1' : '0');
        }
        while (bytes.size() % 4 != 0)
            bytes += '0';
        std::string line;
        for (std::size_t k = bytes.size(); k > 0; k -= 4) {
            int value = 0;
            for (std::size_t bit = 0; bit < 4; ++bit)
                value |= bytes[k - 4 + bit] == '1' ? 1 << bit : 0;
            line += kDigits[value];
        }
        result += line + '\n';
        at = end + 1;
    }
    return result;
}

/// A beat passes a register of the source, the core's own clock, and two of the sink.
constexpr std::int64_t kShellClocks = 3;

bool isRecut(const CoreStream& stream, const AxiForm& form) {
    return shellBits(stream, form.streamBits) != stream.port.tdata.width();
}

} // namespace

std::uint64_t designHash(std::string_view what) {
    return *fromHex({{"hash", sha256(what).substr(0, 16)}}, "hash");
}

Json toJson(const AxiForm& form) {
    return {{"stream_bits", form.streamBits},
            {"build_id", inHex(form.identity.build)},
            {"design_hash", inHex(form.identity.designHash)}};
}

Result<std::optional<AxiForm>> axiFormIn(const Json& design) {
    if (!design.contains("control"))
        return std::optional<AxiForm>();
    const Json& json = design["control"];
    const bool formed =
        json.is_object() && json.contains("stream_bits") && json["stream_bits"].is_number_integer();
    const auto build = formed ? fromHex(json, "build_id") : std::nullopt;
    const auto hash = formed ? fromHex(json, "design_hash") : std::nullopt;
    const auto bits = formed ? json["stream_bits"].get<std::int64_t>() : -1;
    if (!build || !hash || bits < 0 || bits > 512 || *build > 0xffffffff)
        return makeError("schedule-form", "DESIGN.json describes no control shell",
                         "export the hardware again");
    return std::optional(
        AxiForm{static_cast<int>(bits), {static_cast<std::uint32_t>(*build), *hash}});
}

ShellCore coreOf(const RtlPlan& plan, const rtl::ModulePtr& top, const DesignPorts& ports) {
    ShellCore core{top, ports.clock, ports.reset, ports.error, ports.start, ports.done, {}, {}, {}};
    core.work = ports.cycles;
    if (plan.memory) {
        const auto& memory = *ports.memory;
        core.memory = {memory.axi,
                       memory.base,
                       memory.reload,
                       memory.stalls,
                       plan.memory->queueBeats / design::kBurstBeats,
                       memory.write,
                       memory.stallsLoads,
                       memory.stallsStores};
    }
    for (std::size_t k = 0; k < plan.loads.size(); ++k)
        core.sources.push_back(streamOf(plan.loads[k], ports.loads[k]));
    for (std::size_t k = 0; k < plan.stores.size(); ++k)
        core.sinks.push_back(streamOf(plan.stores[k], ports.stores[k]));
    return core;
}

ShellCore coreOf(const StreamInterface& interface, const StreamTop& top) {
    const StreamPorts& ports = top.ports;
    ShellCore core{top.module, ports.clock, ports.reset, ports.error, {}, {}, {}, {}, {}};
    for (std::size_t k = 0; k < interface.inputs.size(); ++k)
        core.sources.push_back(streamOf(interface.inputs[k], ports.inputs[k]));
    core.sinks.push_back(streamOf(interface.output, ports.output));
    return core;
}

ShellCore coreOf(const RtlPlan& plan) {
    rtl::Module top(plan.name + "_top");
    const DesignPorts ports = declarePorts(top, plan);
    return coreOf(plan, finished(std::move(top)), ports);
}

ShellCore coreOf(const StreamInterface& interface) {
    rtl::Module top(interface.name + "_top");
    const StreamPorts ports = declarePorts(top, interface);
    return coreOf(interface, {finished(std::move(top)), ports});
}

namespace {

AxisBench benchOf(AxisBench bench, const ShellCore& core, const ControlShell& shell,
                  const ShellNames& names, const AxiForm& form) {
    bench.names = {names.top, names.bench, names.clock, names.reset, {}};
    if (bench.control) // of which the shell shows nothing while it works
        bench.patience = std::min(bench.patience + bench.control->clocks, kMostBenchClocks);
    bench.control.reset();
    bench.registers = {names.control, names.interrupt, shell.registers};
    if (bench.memory) {
        bench.memory->port = *names.memory;
        for (std::string* port : {&bench.memory->base, &bench.memory->reload, &bench.memory->stalls,
                                  &bench.memory->stallsLoads, &bench.memory->stallsStores})
            port->clear();
        if (names.writes)
            bench.memory->writes->port = *names.writes;
    }
    const auto outside = [&](BenchStream& stream, const CoreStream& of,
                             const rtl::AxisNames& port) {
        stream.port = port;
        stream.tdataBits = shellBits(of, form.streamBits);
        stream.beats = shellBeats(of, form.streamBits);
    };
    for (std::size_t k = 0; k < bench.sources.size(); ++k)
        outside(bench.sources[k], core.sources[k], names.sources[k]);
    for (std::size_t k = 0; k < bench.sinks.size(); ++k) {
        BenchSink& sink = bench.sinks[k];
        outside(sink.stream, core.sinks[k], names.sinks[k]);
        if (isRecut(core.sinks[k], form))
            sink.leaves.assign(static_cast<std::size_t>(sink.stream.tdataBits / kByte),
                               {kByte, false});
    }
    return bench;
}

} // namespace

Result<Shelled> inShell(const ShellCore& core, const std::string& name, const AxisBench& alone,
                        const AxiForm& form) {
    const auto shell = controlShell(core, {name, form.identity, form.streamBits});
    if (!shell)
        return shell.error();
    rtl::Names names(shell->module);
    const ShellNames known = namesOf(names, shell->ports);
    return Shelled{std::move(names),
                   benchOf(alone, core, *shell, known, form),
                   {known.control, known.interrupt, shell->registers}};
}

bool hasConverters(const ShellCore& core, const AxiForm& form) {
    const auto recut = [&](const CoreStream& stream) { return isRecut(stream, form); };
    return std::ranges::any_of(core.sources, recut) || std::ranges::any_of(core.sinks, recut);
}

std::int64_t shellCycles(const ShellCore& core, const AxiForm& form, std::int64_t coreCycles) {
    return core.sources.empty() || hasConverters(core, form) ? 0 : coreCycles + kShellClocks;
}

cost::ClockPath shellPath() {
    return {.what = "the shell's state", .logic = {36, 6}, .end = cost::PathEnd::Control};
}

files::FolderFiles axiBenches(const AxisBench& bench) {
    return {{kAxiBench, writeAxisTestbench(bench)}};
}

files::FolderFiles behindShell(const files::FolderFiles& vectors, const AxisBench& alone,
                               const ShellCore& core, const AxiForm& form) {
    files::FolderFiles all = vectors;
    const auto recut = [&](const std::string& file, const BenchStream& stream,
                           const CoreStream& of) {
        all[file] = Recut(stream.tdataBits, stream.beats, shellBits(of, form.streamBits),
                          shellBeats(of, form.streamBits))(all[file]);
    };
    for (std::size_t k = 0; k < alone.sources.size(); ++k)
        if (isRecut(core.sources[k], form))
            recut("in_" + alone.sources[k].name + ".hex", alone.sources[k], core.sources[k]);
    for (std::size_t k = 0; k < alone.sinks.size(); ++k) {
        const BenchSink& sink = alone.sinks[k];
        const CoreStream& of = core.sinks[k];
        if (!isRecut(of, form))
            continue;
        recut("out_" + sink.stream.name + ".hex", sink.stream, of);
        if (!sink.cares)
            continue;
        std::string& care = all["care_" + sink.stream.name + ".hex"];
        care = Recut(sink.stream.tdataBits / kByte, sink.stream.beats,
                     shellBits(of, form.streamBits) / kByte,
                     shellBeats(of, form.streamBits))(careOfBytes(care, sink));
    }
    return all;
}

} // namespace marquetry::hdl
