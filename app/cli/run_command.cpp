#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "app/cli/run_stream.h"
#include "app/cli/value_files.h"
#include "engine/frontend/onnx/model_input.h"
#include "engine/frontend/onnx/program_file.h"
#include "engine/ir/interpreter.h"
#include "engine/session/export_design.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace marquetry::cli {

namespace {

using TensorInputs = std::map<std::string, ir::Tensor>;

/// A program to run, and what the file that it came from says of its values.
struct Source {
    const ir::Program& program;
    const frontend::onnx::Imported* imported = nullptr; ///< of a network
};

Result<ir::Tensor> loadTensorInput(const std::string& path, const Source& source,
                                   std::size_t index) {
    const ir::Type& type = source.program.value(source.program.inputs[index]).type;
    return source.imported
               ? frontend::onnx::loadModelInput(path, source.imported->inputs[index], type)
               : ir::loadTensorFile(path, type);
}

/// Index in program.inputs, by the program's name or by that in the network's file.
std::optional<std::size_t> inputNamed(const Source& source, const std::string& name) {
    for (std::size_t k = 0; k < source.program.inputs.size(); ++k)
        if (source.program.value(source.program.inputs[k]).name == name ||
            (source.imported && source.imported->inputs[k].tensor == name))
            return k;
    return std::nullopt;
}

/// Files given with --input; a mistake of each is reported.
Result<TensorInputs> loadTensorInputs(const RunOptions& options, const Source& source) {
    TensorInputs inputs;
    Diagnostics errors;
    for (const std::string& text : options.inputs) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const auto input = inputNamed(source, name);
        if (equals == std::string::npos) {
            errors.push_back(makeError("bad-argument", "--input '" + text + "' is not NAME=FILE"));
        } else if (!input) {
            errors.push_back(makeError("unknown-name", "design '" + source.program.name +
                                                           "' has no input '" + name + "'"));
        } else {
            auto tensor = loadTensorInput(text.substr(equals + 1), source, *input);
            if (tensor)
                inputs.insert_or_assign(source.program.value(source.program.inputs[*input]).name,
                                        *std::move(tensor));
            else
                errors.insert(errors.end(), tensor.error().begin(), tensor.error().end());
        }
    }
    if (!errors.empty())
        return errors;
    return inputs;
}

/// The report that goes with the files, its marker.
Json addTensorOutputs(files::FolderFiles& files, const ir::Program& program,
                      const ir::InterpreterResult& result) {
    Json report = makeReport();
    report["program"] = program.name;
    report["macs"] = program.macs();
    report["outputs"] = Json::array();
    for (const ir::Output& output : program.outputs) {
        const ir::Tensor& tensor = result.values[output.value.index()];
        const std::string file = output.name + ".bin";
        files[file] = ir::encodeTensorFile(file, tensor);
        const auto [low, high] = std::minmax_element(tensor.data.begin(), tensor.data.end());
        Json json = namedType(output.name, tensor.type);
        json["file"] = file;
        json["min"] = *low;
        json["max"] = *high;
        report["outputs"].push_back(std::move(json));
    }
    return report;
}

void printOutputs(const RunOptions& options, const Json& report) {
    for (const Json& output : report["outputs"])
        std::cout
            << output["name"].get<std::string>() << " : " << output["type"].get<std::string>()
            << ", values " << output["min"] << " … " << output["max"] << ", written to "
            << (std::filesystem::path(options.out) / output["file"].get<std::string>()).string()
            << "\n";
}

int runDesign(const RunOptions& options, const Source& source) {
    const ir::Program& program = source.program;
    const OutputPlace output = outputOf(options, session::inputFiles(program));
    if (const Status free = checkFolder(output, FolderKind::Run); !free)
        return fail(free.error(), options.json);
    const auto inputs = loadTensorInputs(options, source);
    if (!inputs)
        return fail(inputs.error(), options.json);
    const auto result = ir::interpret(program, *inputs);
    if (!result)
        return fail(result.error(), options.json);
    files::FolderFiles files;
    Json report = addTensorOutputs(files, program, *result);
    if (options.all)
        report["files"] = addAllValues(files, program, source.imported, *result);
    files[markerOf(FolderKind::Run)] = dump(report);
    if (const Status written = writeFolder(output, FolderKind::Run, files); !written)
        return fail(written.error(), options.json);
    if (options.json)
        printJson(report);
    else
        printOutputs(options, report);
    return kDone;
}

int run(const RunOptions& options) {
    auto file = frontend::onnx::readProgramFile(options.file);
    if (!file)
        return fail(file.error(), options.json);
    std::cerr << format(file->parsed.warnings);
    if (frontend::selectsStream(file->parsed, options.item)) {
        const auto stream = frontend::selectStream(std::move(file->parsed), options.item);
        return stream ? runStream(options, *stream) : fail(stream.error(), options.json);
    }
    const auto program = frontend::selectItem(std::move(file->parsed), options.item);
    if (!program)
        return fail(program.error(), options.json);
    return runDesign(options, {*program, file->imported ? &*file->imported : nullptr});
}

} // namespace

void addRunCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "The reference interpreter");
    command->add_option("FILE", options->file, "the .mq or .onnx file")->required();
    command->add_option("--item", options->item, "the item to run (default: the first)");
    command->add_option(
        "--input", options->inputs,
        "NAME=FILE: raw little-endian or .npy; of a network .npy in its own layout, "
        "real numbers or integers");
    command->add_flag("--all", options->all, "also every value, as .npy, listed in values.json");
    command->add_option("--out", options->out, "folder for the outputs, one .bin each")->required();
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = run(*options); });
}

} // namespace marquetry::cli
