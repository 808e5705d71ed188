#include "app/cli/run_stream.h"

#include "app/cli/output_folder.h"
#include "engine/ir/interpreter.h"
#include "engine/ir/stream_interpreter.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

namespace marquetry::cli {

namespace {

using Inputs = std::map<std::string, ir::StreamData>;

/// The tensor with the same bytes; streams of pairs have none with the same elements.
ir::Type fileType(const ir::StreamType& type) {
    if (ir::leaves(ir::atomOf(type)).size() > 1)
        return {ir::Scalar::U8, {ir::byteSize(type)}};
    ir::Type tensor{ir::leaves(ir::atomOf(type))[0], {}};
    for (const ir::StreamType* t = &type; !ir::isAtom(*t); t = &t->element())
        tensor.dims.push_back(t->length);
    return tensor;
}

Result<Inputs> loadInputs(const RunOptions& options, const ir::StreamProgram& stream) {
    Inputs inputs;
    Diagnostics errors;
    for (const std::string& text : options.inputs) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const auto& ids = stream.graph.inputs;
        const auto input = std::ranges::find_if(
            ids, [&](ir::StreamNodeId id) { return stream.graph.node(id).name == name; });
        if (equals == std::string::npos) {
            errors.push_back(makeError("bad-argument", "--input '" + text + "' is not NAME=FILE"));
        } else if (input == ids.end()) {
            errors.push_back(makeError("unknown-name",
                                       "stream '" + stream.name + "' has no input '" + name + "'"));
        } else {
            const ir::StreamType& type = stream.graph.node(*input).type;
            const auto tensor = ir::loadTensorFile(text.substr(equals + 1), fileType(type));
            if (tensor)
                inputs.insert_or_assign(name, ir::streamFromBytes(type, ir::toBytes(*tensor)));
            else
                errors.insert(errors.end(), tensor.error().begin(), tensor.error().end());
        }
    }
    if (!errors.empty())
        return errors;
    return inputs;
}

Status saveBytes(const std::string& path, std::vector<std::uint8_t> bytes) {
    const ir::Type type{ir::Scalar::U8, {static_cast<std::int64_t>(bytes.size())}};
    return ir::saveTensorFile(path, ir::fromBytes(type, bytes));
}

Result<Json> writeOutput(const std::filesystem::path& folder, const std::string& name,
                         const ir::StreamData& data) {
    std::vector<std::uint8_t> defined;
    for (const std::int64_t word : data.words)
        defined.push_back(word == ir::kUndefined ? 0 : 1);
    const auto undefined = std::ranges::count(defined, 0);
    Json json = namedType(name, data.type);
    json["file"] = name + ".bin";
    json["defined_file"] = name + ".defined.bin";
    json["words"] = data.words.size();
    json["undefined"] = undefined;
    if (Status saved = saveBytes((folder / (name + ".bin")).string(), ir::toBytes(data)); !saved)
        return saved.error();
    if (Status saved = saveBytes((folder / (name + ".defined.bin")).string(), defined); !saved)
        return saved.error();
    return json;
}

Result<Json> writeOutputs(const RunOptions& options, const ir::StreamProgram& stream,
                          const std::vector<ir::StreamData>& outputs) {
    Json report = makeReport();
    report["program"] = stream.name;
    report["macs"] = ir::multiplications(stream.graph);
    report["outputs"] = Json::array();
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        auto json = writeOutput(options.out, stream.graph.outputs[k].name, outputs[k]);
        if (!json)
            return json.error();
        report["outputs"].push_back(*std::move(json));
    }
    const auto marker = std::filesystem::path(options.out) / kRunMarker;
    if (const Status written = writeTextFile(marker.string(), dump(report)); !written)
        return written.error();
    return report;
}

} // namespace

int runStream(const RunOptions& options, const ir::StreamProgram& stream) {
    const auto inputs = loadInputs(options, stream);
    if (!inputs)
        return fail(inputs.error(), options.json);
    const auto outputs = ir::interpret(stream, *inputs);
    if (!outputs)
        return fail(outputs.error(), options.json);
    if (const Status ready = prepareOutputFolder(options.out, kRunMarker); !ready)
        return fail(ready.error(), options.json);
    const auto report = writeOutputs(options, stream, *outputs);
    if (!report)
        return fail(report.error(), options.json);
    if (options.json) {
        printJson(*report);
        return kDone;
    }
    for (const Json& output : (*report)["outputs"])
        std::cout
            << output["name"].get<std::string>() << " : " << output["type"].get<std::string>()
            << ", " << output["undefined"] << " of " << output["words"]
            << " words undefined, written to "
            << (std::filesystem::path(options.out) / output["file"].get<std::string>()).string()
            << "\n";
    return kDone;
}

} // namespace marquetry::cli
