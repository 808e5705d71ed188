#include "engine/session/verify_export.h"

#include "engine/algebra/join_outputs.h"
#include "engine/frontend/parser.h"
#include "engine/support/quote.h"

namespace marquetry::session {

namespace {

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

/// The program of an export, parsed beside its weights. They are there as long as this is.
class ProgramCopy {
public:
    static Result<ProgramCopy> make(const hdl::ExportFolder& source) {
        auto folder = files::PrivateFolder::make();
        if (!folder)
            return folder.error();
        for (const auto& [name, bytes] : source.files)
            if (name.starts_with("program/"))
                if (Status status = folder->write(name, bytes); !status)
                    return status.error();
        const std::string file = folder->path() + "/" + source.programFile;
        auto parsed = frontend::parse(source.files.at(source.programFile), file);
        if (!parsed)
            return renamed(parsed.error(), folder->path(), source.path);
        return ProgramCopy(*std::move(folder), *std::move(parsed));
    }

    frontend::ParseResult parsed;

private:
    ProgramCopy(files::PrivateFolder folder, frontend::ParseResult result)
        : parsed(std::move(result)), folder_(std::move(folder)) {}

    static Diagnostics renamed(Diagnostics diagnostics, const std::string& from,
                               const std::string& to) {
        for (Diagnostic& diagnostic : diagnostics) {
            replaceAll(diagnostic.file, from, to);
            replaceAll(diagnostic.message, from, to);
            replaceAll(diagnostic.hint, from, to);
        }
        return diagnostics;
    }

    files::PrivateFolder folder_;
};

/// The design's weights and inputs are files of the export.
Status checkSources(const ir::Program& program, const hdl::ExportFolder& source) {
    for (const ir::Value& value : program.values) {
        const auto* const file = std::get_if<ir::FileSource>(&value.source);
        if (file != nullptr && !source.files.contains(hdl::nameOfProgramFile(file->path)))
            return hdl::damaged("the program reads " + inQuotes(file->path) +
                                ", which is not part of the export");
    }
    return ok();
}

/// The item that was exported, of the kind that the export is.
Result<hdl::ExportedProgram> exported(const hdl::ExportFolder& source,
                                      frontend::ParseResult parsed) {
    if (source.kind == hdl::ExportKind::Memory) {
        auto program = frontend::selectMemory(std::move(parsed), source.program);
        return program ? Result<hdl::ExportedProgram>(*std::move(program)) : program.error();
    }
    if (source.kind == hdl::ExportKind::Stream) {
        auto program = frontend::selectStream(std::move(parsed), source.program);
        if (!program)
            return program.error();
        auto joined = algebra::withJoinedOutputs(*std::move(program));
        return joined ? Result<hdl::ExportedProgram>(*std::move(joined)) : joined.error();
    }
    auto program = frontend::selectItem(std::move(parsed), source.program);
    if (!program)
        return program.error();
    if (Status status = checkSources(*program, source); !status)
        return status.error();
    return hdl::ExportedProgram(*std::move(program));
}

} // namespace

Result<hdl::VerifyReport> verifyExport(const std::string& folder, const hdl::VerifyParams& params,
                                       std::stop_token stop, const hdl::VerifyProgress& progress) {
    const auto source = hdl::readExport(folder);
    if (!source)
        return source.error();
    auto copy = ProgramCopy::make(*source);
    if (!copy)
        return copy.error();
    const auto program = exported(*source, std::move(copy->parsed));
    if (!program)
        return program.error();
    return hdl::verifyArtefact(*source, *program, params, std::move(stop), progress);
}

} // namespace marquetry::session
