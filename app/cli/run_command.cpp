#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "app/cli/run_stream.h"
#include "engine/frontend/parser.h"
#include "engine/ir/interpreter.h"
#include "engine/session/export_design.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace marquetry::cli {

namespace {

using TensorInputs = std::map<std::string, ir::Tensor>;

/// Files given with --input; a mistake of each is reported.
Result<TensorInputs> loadTensorInputs(const RunOptions& options, const ir::Program& program) {
    TensorInputs inputs;
    Diagnostics errors;
    for (const std::string& text : options.inputs) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const auto input =
            std::find_if(program.inputs.begin(), program.inputs.end(),
                         [&](ir::ValueId id) { return program.value(id).name == name; });
        if (equals == std::string::npos) {
            errors.push_back(makeError("bad-argument", "--input '" + text + "' is not NAME=FILE"));
        } else if (input == program.inputs.end()) {
            errors.push_back(makeError("unknown-name", "design '" + program.name +
                                                           "' has no input '" + name + "'"));
        } else {
            auto tensor = ir::loadTensorFile(text.substr(equals + 1), program.value(*input).type);
            if (tensor)
                inputs.insert_or_assign(name, *std::move(tensor));
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
    files[markerOf(FolderKind::Run)] = dump(report);
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

int runDesign(const RunOptions& options, const ir::Program& program) {
    const OutputPlace output = outputOf(options, session::inputFiles(program));
    if (const Status free = checkFolder(output, FolderKind::Run); !free)
        return fail(free.error(), options.json);
    const auto inputs = loadTensorInputs(options, program);
    if (!inputs)
        return fail(inputs.error(), options.json);
    const auto result = ir::interpret(program, *inputs);
    if (!result)
        return fail(result.error(), options.json);
    files::FolderFiles files;
    const Json report = addTensorOutputs(files, program, *result);
    if (const Status written = writeFolder(output, FolderKind::Run, files); !written)
        return fail(written.error(), options.json);
    if (options.json)
        printJson(report);
    else
        printOutputs(options, report);
    return kDone;
}

int run(const RunOptions& options) {
    auto parsed = frontend::parseFile(options.file);
    if (!parsed)
        return fail(parsed.error(), options.json);
    std::cerr << format(parsed->warnings);
    if (frontend::selectsStream(*parsed, options.item)) {
        const auto stream = frontend::selectStream(*std::move(parsed), options.item);
        return stream ? runStream(options, *stream) : fail(stream.error(), options.json);
    }
    const auto program = frontend::selectItem(*std::move(parsed), options.item);
    return program ? runDesign(options, *program) : fail(program.error(), options.json);
}

} // namespace

void addRunCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "The reference interpreter");
    command->add_option("FILE", options->file, "the .mq file")->required();
    command->add_option("--item", options->item, "the item to run (default: the first)");
    command->add_option("--input", options->inputs, "NAME=FILE: raw little-endian or .npy");
    command->add_option("--out", options->out, "folder for the outputs, one .bin each")->required();
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = run(*options); });
}

} // namespace marquetry::cli
