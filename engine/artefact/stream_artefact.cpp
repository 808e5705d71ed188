#include "engine/artefact/stream_artefact.h"

#include "engine/artefact/product_reports.h"
#include "engine/artefact/shelled_hardware.h"
#include "engine/artefact/stream_testbench.h"
#include "engine/artefact/stream_timing.h"
#include "engine/device/lut6.h"
#include "engine/ir/interpreter.h"
#include "engine/ir/stream_interpreter.h"
#include "engine/rtl/printed.h"
#include "engine/spacetime/wave.h"
#include "engine/support/checked_math.h"
#include "engine/support/json.h"
#include "engine/support/limits.h"
#include "engine/support/quote.h"
#include "engine/support/rng.h"

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;
using spacetime::SeqType;
using spacetime::Slots;
using Kind = SeqType::Kind;

constexpr char kDigits[] = "0123456789abcdef";
/// Of a frame, and of what is in front of its first result.
constexpr std::int64_t kMostClocks = std::int64_t{1} << 40;

/// Layers, outermost first: [kind, length, idle].
Json layersOf(const SeqType& type) {
    Json layers = Json::array();
    for (const SeqType* t = &type; !t->is(Kind::Atom); t = &t->element())
        layers.push_back({t->is(Kind::TSeq)   ? "TSeq"
                          : t->is(Kind::SSeq) ? "SSeq"
                                              : "STuple",
                          t->length, t->idle});
    return layers;
}

/// The layers around nothing yet; nothing when the JSON is no such list.
std::optional<SeqType> typeOf(const Json& layers) {
    SeqType type;
    if (!layers.is_array() || layers.size() > 64)
        return std::nullopt;
    std::int64_t size = 1;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        const bool formed = layer->is_array() && layer->size() == 3 && (*layer)[0].is_string() &&
                            (*layer)[1].is_number_integer() && (*layer)[2].is_number_integer();
        if (!formed)
            return std::nullopt;
        const std::string kind = (*layer)[0];
        const auto length = (*layer)[1].get<std::int64_t>();
        const auto idle = (*layer)[2].get<std::int64_t>();
        if (length < 1 || idle < 0 || length > kMostClocks || idle > kMostClocks ||
            (size = saturatingMul(size, length + idle)) > kMostClocks)
            return std::nullopt;
        type = kind == "TSeq"   ? tseq(length, idle, std::move(type))
               : kind == "SSeq" ? sseq(length, std::move(type))
                                : stuple(length, std::move(type));
    }
    return type;
}

Json portJson(const StreamPort& port) {
    return {{"name", port.name}, {"layers", layersOf(port.type)}};
}

std::optional<StreamPort> portOf(const Json& json) {
    const bool formed = json.is_object() && json.contains("name") && json["name"].is_string() &&
                        isIdentifier(json["name"].get<std::string>()) && json.contains("layers");
    const auto type = formed ? typeOf(json["layers"]) : std::nullopt;
    if (!type)
        return std::nullopt;
    StreamPort port{json["name"], *type, lanes(*type), {}};
    port.beats = validClocks(*type);
    return port;
}

std::string designText(const StreamModules& hardware, const StreamExportRequest& request,
                       const std::string& file, const std::optional<AxiForm>& axi) {
    const StreamInterface& interface = hardware.interface;
    Json inputs = Json::array();
    for (const StreamPort& port : interface.inputs)
        inputs.push_back(portJson(port));
    Json json = {{"marquetry", kProgramVersion},
                 {"schema", 1},
                 {"program", request.program.name},
                 {"program_file", file},
                 {"stream",
                  {{"device", request.device.id},
                   {"name", interface.name},
                   {"clocks", interface.clocks},
                   {"unit", interface.unit},
                   {"latency", interface.latency},
                   {"inputs", inputs},
                   {"output", portJson(interface.output)}}}};
    if (!request.outputType.empty())
        json["stream"]["output_type"] = request.outputType;
    if (axi)
        json["control"] = toJson(*axi);
    return json.dump(1) + "\n";
}

/// `cycles`: 0 when none are predicted.
std::string reportText(const StreamModules& hardware, const StreamExportRequest& request,
                       std::int64_t cycles, const ExportClock& clock) {
    Json json = {{"marquetry", kProgramVersion},
                 {"schema", 1},
                 {"program", request.program.name},
                 {"predicted_cycles", cycles > 0 ? Json(cycles) : Json()},
                 {"clocks", hardware.interface.clocks},
                 {"register_bits", hardware.registerBits},
                 {"memory_bits", hardware.memoryBits}};
    addClock(json, clock);
    return json.dump(1) + "\n";
}

/// Behind the kernel are registers.
ExportClock clockOf(const StreamExportRequest& request, const StreamModules& hardware) {
    std::vector<cost::ClockPath> paths = {{.what = "the kernel", .kernel = hardware.pathDelay}};
    if (request.form.interface == ExportInterface::Axi)
        paths.push_back(shellPath());
    return {request.device.clockMhz, cost::estimateClock(request.device.family, paths),
            "more registers in the kernel do not meet it: a loop or a memory of it takes longer; "
            "ask for a slower clock with --clock"};
}

/// The clocks in which something is valid alone, in their order.
SeqType withoutIdle(const SeqType& type) {
    SeqType valid = type;
    for (SeqType* t = &valid; !t->is(Kind::Atom); t = &t->parts[0])
        t->idle = 0;
    return valid;
}

/// Bytes of the lines of one frame, those of what is defined among them.
std::int64_t textBytes(const StreamPort& port, bool isOutput) {
    const std::int64_t digits = port.tdataBits() / 4;
    const auto leaves = port.lanes * std::ssize(port.leaves);
    return saturatingMul(port.beats, digits + 1 + (isOutput ? ceilDiv(leaves, 4) + 1 : 0));
}

Status checkVectors(const StreamInterface& interface, const ir::StreamProgram& program,
                    int frames) {
    if (const Status held = ir::checkInterpretable(program); !held)
        return held;
    std::int64_t bytes = textBytes(interface.output, true);
    std::int64_t lines = saturatingMul(interface.output.beats, 2);
    for (const StreamPort& input : interface.inputs) {
        bytes = saturatingAdd(bytes, textBytes(input, false));
        lines = saturatingAdd(lines, input.beats);
    }
    const auto refused = [&](std::int64_t asked, std::int64_t limit, const std::string& unit) {
        return tooLarge("the test vectors of stream '" + program.name + "' take", asked, limit,
                        unit, "fewer vectors, or a shorter stream");
    };
    bytes = saturatingMul(bytes, frames);
    lines = saturatingMul(lines, frames);
    if (bytes > kMaxVectorBytes)
        return refused(bytes, kMaxVectorBytes, "bytes of text");
    if (lines > kMaxVectorLines)
        return refused(lines, kMaxVectorLines, "lines");
    return ok();
}

/// The valid slots of one frame as beats, hex; a leaf that is not defined is 0. Fewer once `stop`
/// has fired.
void addBeats(const StreamPort& port, const std::vector<std::int64_t>& words, std::string& beats,
              std::string* care, const std::stop_token& stop) {
    const Slots wave = spacetime::toWave(withoutIdle(port.type), words);
    const auto width = static_cast<std::size_t>(port.lanes) * port.leaves.size();
    for (std::size_t at = 0; at < wave.size() && !stop.stop_requested(); at += width) {
        std::string defined;
        for (std::size_t lane = width; lane-- > 0;) {
            const std::int64_t word = wave[at + lane];
            const bool known = word != ir::kUndefined;
            const ir::ScalarInfo& leaf = ir::info(port.leaves[lane % port.leaves.size()]);
            const auto bits = static_cast<std::uint64_t>(known ? word : 0) &
                              ((std::uint64_t{1} << leaf.bits) - 1);
            for (int digit = 2 * leaf.bytes; digit-- > 0;)
                beats += kDigits[(bits >> (4 * digit)) & 15];
            defined += known ? '1' : '0';
        }
        beats += '\n';
        if (!care)
            continue;
        while (defined.size() % 4 != 0)
            defined.insert(0, "0");
        for (std::size_t k = 0; k < defined.size(); k += 4)
            *care += kDigits[std::stoi(defined.substr(k, 4), nullptr, 2)];
        *care += '\n';
    }
}

std::vector<std::int64_t> drawn(const ir::StreamType& type, SplitMix64& rng) {
    const auto scalars = ir::leaves(ir::atomOf(type));
    std::vector<std::int64_t> words(static_cast<std::size_t>(ir::words(type)));
    for (std::size_t k = 0; k < words.size(); ++k)
        words[k] = ir::wrap(scalars[k % scalars.size()], static_cast<std::int64_t>(rng.next()));
    return words;
}

/// The form of a stream in DESIGN.json, but for its ports.
bool isFormed(const Json& stream) {
    const auto counted = [&](const char* field) {
        return stream.contains(field) && stream[field].is_number_integer() &&
               stream[field].get<std::int64_t>() >= 0;
    };
    return stream.is_object() && stream.contains("name") && stream["name"].is_string() &&
           isIdentifier(stream["name"].get<std::string>()) && counted("clocks") &&
           counted("unit") && counted("latency") &&
           saturatingMul(stream["unit"].get<std::int64_t>(),
                         stream["latency"].get<std::int64_t>()) <= kMostClocks &&
           stream.contains("inputs") && stream["inputs"].is_array() && stream.contains("output");
}

} // namespace

Result<files::FolderFiles> streamVectors(const StreamInterface& interface,
                                         const ir::StreamProgram& program, int frames,
                                         std::uint64_t seed, std::stop_token stop) {
    if (const Status size = checkVectors(interface, program, frames); !size)
        return size.error();
    files::FolderFiles files;
    const StreamPort& output = interface.output;
    for (int frame = 0; frame < frames; ++frame) {
        SplitMix64 rng(seed + static_cast<std::uint64_t>(frame));
        std::map<std::string, ir::StreamData> inputs;
        for (std::size_t k = 0; k < interface.inputs.size(); ++k) {
            const ir::StreamNode& node = program.graph.node(program.graph.inputs[k]);
            ir::StreamData data{node.type, drawn(node.type, rng)};
            addBeats(interface.inputs[k], data.words,
                     files["in_" + interface.inputs[k].name + ".hex"], nullptr, stop);
            inputs[node.name] = std::move(data);
        }
        const auto results = ir::interpret(program, inputs, stop);
        if (!results)
            return results.error();
        addBeats(output, (*results)[0].words, files["out_" + output.name + ".hex"],
                 &files["care_" + output.name + ".hex"], stop);
        if (stop.stop_requested())
            return makeError("cancelled", "the making of vectors was stopped");
    }
    return files;
}

namespace {

/// Nothing of a device whose LUTs the price does not know.
std::optional<device::Resources> areaOf(const datapath::TimedDatapath& timed,
                                        const StreamModules& hardware,
                                        const device::Device& device) {
    if (!device::hasLut6(device))
        return std::nullopt;
    return cost::kernelArea(timed, hardware.parts, device);
}

} // namespace

namespace {

/// The program, and how often a frame of it comes.
std::optional<AxiForm> axiFormOf(const StreamExportRequest& request,
                                 const StreamInterface& interface) {
    if (request.form.interface != ExportInterface::Axi)
        return std::nullopt;
    const std::string what = cat(request.program.name, '\n', request.text, '\n',
                                 toString(interface.output.type), '\n', interface.latency);
    return AxiForm{request.form.streamBits, {kBuildId, designHash(what)}};
}

struct Built : NamedHardware {
    std::int64_t cycles = 0; ///< from a frame's first beat; 0: not predicted
    std::string error{};     ///< a port of the top; empty behind the shell
};

Result<Built> built(const StreamModules& stream, const std::optional<AxiForm>& axi,
                    files::FolderFiles vectors, int frames) {
    const AxisBench alone = streamBench(stream.interface, streamNames(stream.interface));
    if (!axi)
        return Built{{rtl::Names(stream.top.module),
                      {{kStreamBench, writeAxisTestbench(alone)}},
                      rolesOf(alone, kStreamBench, frames),
                      std::move(vectors)},
                     stream.interface.predictedCycles(),
                     alone.names.error};
    const ShellCore core = coreOf(stream.interface, stream.top);
    auto shelled = shelledHardware(core, stream.interface.name, alone, *axi, vectors, frames);
    if (!shelled)
        return shelled.error();
    return Built{*std::move(shelled), shellCycles(core, *axi, stream.interface.predictedCycles())};
}

} // namespace

std::string commandOf(const StreamExportRequest& request) {
    if (!request.least)
        return {};
    return commandAgain(request.form,
                        {request.device, request.vectors == kUsualFrames ? 0 : request.vectors,
                         request.seed == 1 ? 0 : request.seed, request.outputType});
}

Result<Artefact> streamArtefact(const StreamExportRequest& request, std::stop_token stop) {
    if (Status known = checkForm(request.form, request.device, true); !known)
        return known.error();
    if (const Status held = ir::checkInterpretable(request.program); !held)
        return held.error();
    const auto timed = timedForClock(request, stop);
    if (!timed)
        return timed.error();
    const StreamModules hardware = streamModules(request.program, **timed);
    auto vectors =
        streamVectors(hardware.interface, request.program, request.vectors, request.seed, stop);
    if (!vectors)
        return vectors.error();
    const std::optional<AxiForm> axi = axiFormOf(request, hardware.interface);
    auto made = built(hardware, axi, *std::move(vectors), request.vectors);
    if (!made)
        return made.error();
    const ProgramFile program{request.program.name + ".mq", request.text};
    Artefact artefact;
    artefact.program = request.program.name;
    artefact.form = request.form;
    artefact.command = commandOf(request);
    artefact.netlist = printed(made->names, rtl::vendorOf(request.device.family));
    artefact.benches = std::move(made->benches);
    artefact.vectors = std::move(made->vectors);
    artefact.programFiles = {program};
    artefact.design = designText(hardware, request, "program/" + program.path, axi);
    artefact.clock = clockOf(request, hardware);
    artefact.predictedCycles = made->cycles;
    artefact.report = reportText(hardware, request, artefact.predictedCycles, artefact.clock);
    if (!hardware.complete && hardware.pathDelay > datapath::kPathLimit)
        artefact.longPath = hardware.pathDelay;
    artefact.page = streamReport(
        request, hardware,
        {artefact.netlist.top, made->roles, made->error, {}, {}, made->cycles, artefact.clock},
        areaOf(**timed, hardware, request.device));
    return withProject(std::move(artefact), request.device, made->roles);
}

Result<StreamInterface> streamIn(const ExportFolder& source) {
    const Json stream = designOf(source).value("stream", Json());
    const Diagnostic malformed = makeError(
        "schedule-form", "DESIGN.json of " + inQuotes(source.path) + " describes no stream",
        "export the stream again");
    if (!isFormed(stream))
        return malformed;
    StreamInterface interface;
    interface.name = stream["name"];
    interface.clocks = stream["clocks"];
    interface.unit = stream["unit"];
    interface.latency = stream["latency"];
    for (const Json& input : stream["inputs"]) {
        auto port = portOf(input);
        if (!port)
            return malformed;
        interface.inputs.push_back(*std::move(port));
    }
    auto output = portOf(stream["output"]);
    if (!output)
        return malformed;
    interface.output = *std::move(output);
    return interface;
}

} // namespace marquetry::hdl
