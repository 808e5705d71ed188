#include "engine/session/export_design.h"

#include "engine/device/device_file.h"
#include "engine/ir/fold_constants.h"
#include "engine/ir/printer.h"
#include "engine/lower_design/lower_design.h"
#include "engine/rtl/reserved_words.h"
#include "engine/session/explore.h"
#include "engine/session/setup.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace marquetry::session {

namespace {

namespace fs = std::filesystem;

bool insideFolder(const std::string& path) {
    const fs::path relative(path);
    return relative.is_relative() &&
           std::ranges::none_of(relative, [](const fs::path& part) { return part == ".."; });
}

std::vector<ir::FileSource*> fileSources(ir::Program& program) {
    std::vector<ir::FileSource*> sources;
    for (ir::Value& value : program.values)
        if (auto* source = std::get_if<ir::FileSource>(&value.source))
            sources.push_back(source);
    return sources;
}

/// Whether the files can lie beside the text at the paths that it names: inside its folder, one
/// file per path also where case does not tell names apart, and none at the text's own path.
bool selfContained(const std::vector<ir::FileSource*>& sources, const std::string& textPath) {
    std::map<std::string, std::string> taken{{rtl::lowerCase(textPath), ""}};
    return std::ranges::all_of(sources, [&](const ir::FileSource* source) {
        const std::string path = fs::path(source->path).lexically_normal().generic_string();
        const auto [place, fresh] = taken.emplace(rtl::lowerCase(path), source->resolvedPath);
        return insideFolder(source->path) && (fresh || place->second == source->resolvedPath);
    });
}

/// The text, and the bytes that were read with it.
Result<std::vector<hdl::ProgramFile>> programFiles(ir::Program program, const std::string& text) {
    const std::vector<ir::FileSource*> sources = fileSources(program);
    std::vector<hdl::ProgramFile> files(1);
    files[0].path = program.name + ".mq";
    const bool asWritten = selfContained(sources, files[0].path);
    for (std::size_t k = 0; k < sources.size(); ++k) {
        ir::FileSource& source = *sources[k];
        ENGINE_ASSERT(source.bytes != nullptr, "a program is read with its files");
        if (!asWritten)
            source.path = "source" + std::to_string(k) + fs::path(source.path).extension().string();
        if (std::ranges::find(files, source.path, &hdl::ProgramFile::path) == files.end())
            files.push_back({source.path, *source.bytes});
    }
    files[0].bytes = asWritten ? text : ir::print(program);
    return files;
}

} // namespace

Result<hdl::ExportRequest> requestOf(const design::Schedule& schedule, const ir::Program& program,
                                     const std::string& text, const ExportOptions& options) {
    auto files = programFiles(program, text);
    if (!files)
        return files.error();
    auto folded = ir::foldConstants(std::make_shared<const ir::Program>(program));
    if (!folded)
        return folded.error();
    hdl::ExportRequest request;
    request.schedule = schedule;
    request.program = **folded;
    request.programFiles = *std::move(files);
    request.vectors = options.vectors;
    request.seed = options.seed;
    request.form = options.form;
    request.circuits = options.circuits;
    request.extras.pictures = options.pictures;
    return request;
}

Status exportable(const design::Design& design) {
    if (!design.schedule)
        return makeError("not-exportable",
                         "this design cannot be exported: " + design.notExportable,
                         "explore and look at it, or choose limits under which everything stays on "
                         "chip");
    return hdl::check(*design.schedule);
}

Result<hdl::ExportRequest> makeExportRequest(const design::Design& design,
                                             const ir::Program& program, const std::string& text,
                                             const ExportOptions& options) {
    if (const Status possible = exportable(design); !possible)
        return possible.error();
    auto request = requestOf(*design.schedule, program, text, options);
    if (!request)
        return request.error();
    request->designJson = designJson(design, program, options.choices);
    request->device =
        options.choices ? deviceOf(*options.choices, design.device) : deviceNamed(design.device);
    return request;
}

device::Device deviceOf(const DesignChoices& choices, const std::string& id) {
    const auto setup = makeSetup(choices.settings, {});
    return setup && setup->device.id == id ? setup->device : deviceNamed(id);
}

device::Device deviceNamed(const std::string& id) {
    for (const device::Device& device : device::shippedDevices())
        if (device.id == id)
            return device;
    device::Device unknown;
    unknown.id = unknown.name = unknown.family = id;
    return unknown;
}

std::vector<std::string> inputFiles(const ir::Program& program) {
    std::vector<std::string> inputs{program.file};
    for (const ir::Value& value : program.values)
        if (const auto* source = std::get_if<ir::FileSource>(&value.source))
            inputs.push_back(source->resolvedPath);
    return inputs;
}

} // namespace marquetry::session
