#include "app/cli/commands.h"
#include "app/cli/outputs.h"
#include "app/cli/report.h"
#include "engine/frontend/onnx/program_file.h"
#include "engine/ir/printer.h"

#include <filesystem>
#include <iostream>

namespace marquetry::cli {

namespace {

struct ConvertOptions {
    std::string model;
    std::string out;
    bool force = false;
    bool json = false;
};

std::string weightsFolder(const std::string& out) {
    return std::filesystem::path(out).stem().string() + "_weights";
}

/// The program with its weights in files of the folder, whose files these are.
files::FolderFiles placeWeights(ir::Program& program, const std::string& folder) {
    files::FolderFiles files;
    for (const ir::ValueId id : program.weights) {
        ir::Value& weight = program.values[id.index()];
        auto& source = std::get<ir::FileSource>(weight.source);
        const std::string name = weight.name + ".npy";
        files[name] = *source.bytes;
        source.path = folder + "/" + name;
    }
    Json marker = makeReport();
    marker["program"] = program.name;
    marker["files"] = Json::array();
    for (const auto& [name, bytes] : files)
        marker["files"].push_back(name);
    files[markerOf(FolderKind::Weights)] = dump(marker);
    return files;
}

std::string programText(const ir::Program& program, const ConvertOptions& options,
                        const std::vector<std::string>& summary) {
    std::string text =
        kConvertedHead + std::filesystem::path(options.model).filename().string() + "\n";
    for (const std::string& line : summary)
        text += "// " + line + "\n";
    return text + "\n" + ir::print(program);
}

int convert(const ConvertOptions& options) {
    const OutputPlace file{options.out, options.force, {options.model}};
    const auto folder =
        std::filesystem::path(options.out).parent_path() / weightsFolder(options.out);
    const OutputPlace weights{folder.string(), options.force, {options.model}};
    if (const Status free = checkFile(file, FileKind::Program); !free)
        return fail(free.error(), options.json);
    if (const Status free = checkFolder(weights, FolderKind::Weights); !free)
        return fail(free.error(), options.json);
    auto imported = frontend::onnx::importOnnxFile(options.model);
    if (!imported)
        return fail(imported.error(), options.json);
    std::cerr << format(imported->warnings);
    ir::Program& program = imported->program;
    const files::FolderFiles files = placeWeights(program, weightsFolder(options.out));
    const auto summary = frontend::onnx::importSummary(*imported);
    if (const Status written = writeFolder(weights, FolderKind::Weights, files); !written)
        return fail(written.error(), options.json);
    const std::string text = programText(program, options, summary);
    if (const Status written = writeFile(file, FileKind::Program, text); !written)
        return fail(written.error(), options.json);
    Json report = makeReport();
    report["program"] = program.name;
    report["file"] = options.out;
    report["weights"] = folder.string();
    report["macs"] = program.macs();
    report["notes"] = summary;
    if (options.json)
        printJson(report);
    for (const std::string& line : summary)
        if (!options.json)
            std::cout << line << "\n";
    if (!options.json)
        std::cout << "written to " << options.out << " and " << folder.string() << "\n";
    return kDone;
}

} // namespace

void addConvertCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command =
        app.add_subcommand("convert", "An ONNX network as a program, with its weights beside it");
    command->add_option("MODEL", options->model, "the .onnx file")->required();
    command->add_option("--out", options->out, "the .mq file to write")->required();
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = convert(*options); });
}

} // namespace marquetry::cli
