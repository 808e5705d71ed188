#include "engine/session/export_design.h"

#include "engine/algebra/join_outputs.h"
#include "engine/frontend/parser.h"
#include "engine/hdl/memory_export.h"
#include "engine/hdl/stream_export.h"
#include "engine/ir/printer.h"
#include "engine/session/explore.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace marquetry::session {

namespace {

namespace fs = std::filesystem;

Result<std::string> readBytes(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return makeError("file-missing", "cannot read \"" + path + "\"",
                         "the program names it as a source");
    std::stringstream bytes;
    bytes << stream.rdbuf();
    return bytes.str();
}

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

Result<std::vector<hdl::ProgramFile>> programFiles(ir::Program program, const std::string& text) {
    std::vector<ir::FileSource*> sources = fileSources(program);
    const bool selfContained = std::ranges::all_of(
        sources, [](const ir::FileSource* source) { return insideFolder(source->path); });
    std::vector<hdl::ProgramFile> files(1);
    files[0].path = program.name + ".mq";
    for (std::size_t k = 0; k < sources.size(); ++k) {
        auto bytes = readBytes(sources[k]->resolvedPath);
        if (!bytes)
            return bytes.error();
        if (!selfContained)
            sources[k]->path =
                "source" + std::to_string(k) + fs::path(sources[k]->path).extension().string();
        const std::string& path = sources[k]->path;
        if (std::ranges::find(files, path, &hdl::ProgramFile::path) == files.end())
            files.push_back({path, *std::move(bytes)});
    }
    files[0].bytes = selfContained ? text : ir::print(program);
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
