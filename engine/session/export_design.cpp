#include "engine/session/export_design.h"

#include "engine/algebra/join_outputs.h"
#include "engine/frontend/parser.h"
#include "engine/hdl/memory_export.h"
#include "engine/hdl/stream_export.h"
#include "engine/ir/printer.h"
#include "engine/session/explore.h"

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

std::string lowerCase(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// Whether the files can lie beside the text at the paths that it names: inside its folder, one
/// file per path also where case does not tell names apart, and none at the text's own path.
bool selfContained(const std::vector<ir::FileSource*>& sources, const std::string& textPath) {
    std::map<std::string, std::string> taken{{lowerCase(textPath), ""}};
    return std::ranges::all_of(sources, [&](const ir::FileSource* source) {
        const std::string path = fs::path(source->path).lexically_normal().generic_string();
        const auto [place, fresh] = taken.emplace(lowerCase(path), source->resolvedPath);
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

Result<hdl::VerifyReport> verifyStreamExport(const std::string& folder,
                                             const hdl::VerifyParams& params, std::stop_token stop,
                                             const hdl::VerifyProgress& progress) {
    auto opened = hdl::openStream(folder);
    if (!opened)
        return opened.error();
    auto parsed = frontend::parseFile(opened->programFile);
    if (!parsed)
        return parsed.error();
    auto program = frontend::selectStream(*std::move(parsed), opened->program);
    if (!program)
        return program.error();
    const auto joined = algebra::withJoinedOutputs(*std::move(program));
    if (!joined)
        return joined.error();
    return hdl::verifyStream(*std::move(opened), *joined, params, std::move(stop), progress);
}

} // namespace

Result<hdl::ExportRequest> makeExportRequest(const design::Design& design,
                                             const ir::Program& program, const std::string& text,
                                             const ExportOptions& options) {
    if (!design.schedule)
        return makeError("not-exportable",
                         "this design cannot be exported: " + design.notExportable,
                         "explore and look at it, or choose limits under which everything stays on "
                         "chip");
    auto files = programFiles(program, text);
    if (!files)
        return files.error();
    hdl::ExportRequest request;
    request.schedule = *design.schedule;
    request.program = program;
    request.programFiles = *std::move(files);
    request.vectors = options.vectors;
    request.seed = options.seed;
    request.designJson = designJson(design, program);
    request.target = options.target;
    return request;
}

std::vector<std::string> inputFiles(const ir::Program& program) {
    std::vector<std::string> inputs{program.file};
    for (const ir::Value& value : program.values)
        if (const auto* source = std::get_if<ir::FileSource>(&value.source))
            inputs.push_back(source->resolvedPath);
    return inputs;
}

Result<hdl::VerifyReport> verifyExport(const std::string& folder, const hdl::VerifyParams& params,
                                       std::stop_token stop, const hdl::VerifyProgress& progress) {
    if (hdl::holdsMemory(folder))
        return hdl::verifyMemory(folder, params, std::move(stop), progress);
    const auto isStream = hdl::holdsStream(folder);
    if (!isStream)
        return isStream.error();
    if (*isStream)
        return verifyStreamExport(folder, params, std::move(stop), progress);
    auto opened = hdl::openExport(folder);
    if (!opened)
        return opened.error();
    auto parsed = frontend::parseFile(opened->programFile);
    if (!parsed)
        return parsed.error();
    auto program = frontend::selectItem(*std::move(parsed), opened->program);
    if (!program)
        return program.error();
    return hdl::verify(*opened, *program, params, std::move(stop), progress);
}

} // namespace marquetry::session
