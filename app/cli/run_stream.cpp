#include "app/cli/run_stream.h"

#include "engine/ir/interpreter.h"
#include "engine/ir/stream_interpreter.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

namespace marquetry::cli {

namespace {

using StreamInputs = std::map<std::string, ir::StreamData>;

/// The tensor with the same bytes; streams of pairs have none with the same elements.
ir::Type fileType(const ir::StreamType& type) {
    if (ir::leaves(ir::atomOf(type)).size() > 1)
        return {ir::Scalar::U8, {ir::byteSize(type)}};
    ir::Type tensor{ir::leaves(ir::atomOf(type))[0], {}};
    for (const ir::StreamType* t = &type; !ir::isAtom(*t); t = &t->element())
        tensor.dims.push_back(t->length);
    return tensor;
}

Result<StreamInputs> loadStreamInputs(const RunOptions& options, const ir::StreamProgram& stream) {
    StreamInputs inputs;
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

std::string textOf(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

Json addOutput(files::FolderFiles& files, const std::string& name, const ir::StreamData& data) {
    std::string defined;
    for (const std::int64_t word : data.words)
        defined += word == ir::kUndefined ? '\0' : '\1';
    Json json = namedType(name, data.type);
    json["file"] = name + ".bin";
    json["defined_file"] = name + ".defined.bin";
    json["words"] = data.words.size();
    json["undefined"] = std::ranges::count(defined, '\0');
    files[name + ".bin"] = textOf(ir::toBytes(data));
    files[name + ".defined.bin"] = std::move(defined);
    return json;
}

/// The report that goes with them, its marker.
Json addStreamOutputs(files::FolderFiles& files, const ir::StreamProgram& stream,
                      const std::vector<ir::StreamData>& outputs) {
    Json report = makeReport();
    report["program"] = stream.name;
    report["macs"] = ir::multiplications(stream.graph);
    report["outputs"] = Json::array();
    for (std::size_t k = 0; k < outputs.size(); ++k)
        report["outputs"].push_back(addOutput(files, stream.graph.outputs[k].name, outputs[k]));
    files[markerOf(FolderKind::Run)] = dump(report);
    return report;
}

} // namespace

OutputPlace outputOf(const RunOptions& options, std::vector<std::string> programFiles) {
    OutputPlace output{options.out, options.force, std::move(programFiles)};
    for (const std::string& input : options.inputs)
        if (const std::size_t equals = input.find('='); equals != std::string::npos)
            output.inputs.push_back(input.substr(equals + 1));
    return output;
}

int runStream(const RunOptions& options, const ir::StreamProgram& stream) {
    const OutputPlace output = outputOf(options, {options.file});
    if (const Status free = checkFolder(output, FolderKind::Run); !free)
        return fail(free.error(), options.json);
    const auto inputs = loadStreamInputs(options, stream);
    if (!inputs)
        return fail(inputs.error(), options.json);
    const auto outputs = ir::interpret(stream, *inputs);
    if (!outputs)
        return fail(outputs.error(), options.json);
    files::FolderFiles files;
    const Json report = addStreamOutputs(files, stream, *outputs);
    if (const Status written = writeFolder(output, FolderKind::Run, files); !written)
        return fail(written.error(), options.json);
    if (options.json) {
        printJson(report);
        return kDone;
    }
    for (const Json& one : report["outputs"])
        std::cout << one["name"].get<std::string>() << " : " << one["type"].get<std::string>()
                  << ", " << one["undefined"] << " of " << one["words"]
                  << " words undefined, written to "
                  << (std::filesystem::path(options.out) / one["file"].get<std::string>()).string()
                  << "\n";
    return kDone;
}

} // namespace marquetry::cli
