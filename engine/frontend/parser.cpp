#include "engine/frontend/parser.h"

#include "engine/frontend/checker.h"
#include "engine/frontend/suggest.h"
#include "engine/frontend/syntax_parser.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace marquetry::frontend {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;

/// The first line, for mistakes of the file as a whole.
constexpr SourceRange kStart{1, 1, 1, 1};

Diagnostic tooLarge(const std::string& file) {
    Diagnostic error = makeError("file-too-large", "'" + file + "' is larger than 16 MiB",
                                 "keep weights in files of their own: = file(\"…\")");
    error.file = file;
    error.range = kStart;
    return error;
}

void reportSkipped(const FileSyntaxTree& tree, bool fatal, Reporter& reporter) {
    for (const SkippedItem& item : tree.skipped) {
        Diagnostic diagnostic =
            makeWarning("unsupported-item",
                        "the " + item.kind.text + " '" + item.name.text +
                            "' is skipped: only design items can be worked with in this version");
        if (fatal)
            diagnostic.severity = Severity::Error;
        reporter.report(std::move(diagnostic), item.kind.range);
    }
}

void reportDuplicates(const FileSyntaxTree& tree, Reporter& reporter) {
    std::map<std::string, SourceRange> seen;
    for (const DesignSyntax& design : tree.designs) {
        const auto [first, fresh] = seen.emplace(design.name.text, design.name.range);
        if (!fresh && !design.name.text.empty())
            reporter.report(makeError("duplicate-name",
                                      "there are two designs '" + design.name.text + "'",
                                      "the first is in line " + std::to_string(first->second.line)),
                            design.name.range);
    }
}

Diagnostic fileError(std::string code, std::string message, const std::string& path) {
    Diagnostic error = makeError(std::move(code), std::move(message));
    error.file = path;
    return error;
}

} // namespace

Result<ParseResult> parse(std::string_view text, const std::string& file) {
    if (text.size() > kMaxFileBytes)
        return tooLarge(file);
    Reporter reporter(file);
    const FileSyntaxTree tree = parseSyntax(text, reporter);
    reportDuplicates(tree, reporter);
    reportSkipped(tree, tree.designs.empty(), reporter);
    if (tree.designs.empty() && reporter.errorCount() == 0)
        reporter.report(makeError("no-item", "the file holds no design",
                                  "write design NAME { … output y = …; }"),
                        kStart);
    ParseResult result;
    for (const DesignSyntax& design : tree.designs) {
        if (auto program = checkDesign(design, reporter))
            result.programs.push_back(*std::move(program));
    }
    result.warnings = reporter.take();
    if (hasErrors(result.warnings))
        return std::move(result.warnings);
    return result;
}

Result<ParseResult> parseFile(const std::string& path) {
    std::error_code failed;
    const auto status = std::filesystem::status(path, failed);
    if (!std::filesystem::exists(status))
        return fileError("file-missing", "there is no file '" + path + "'", path);
    if (!std::filesystem::is_regular_file(status))
        return fileError("file-unreadable", "'" + path + "' is not a file", path);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fileError("file-unreadable", "cannot open '" + path + "' for reading", path);
    std::string text(kMaxFileBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return parse(text, path);
}

Result<ir::Program> selectItem(ParseResult result, const std::string& item) {
    std::vector<std::string> known;
    for (ir::Program& program : result.programs) {
        if (item.empty() || program.name == item)
            return std::move(program);
        known.push_back(program.name);
    }
    std::string all;
    for (const std::string& name : known)
        all += (all.empty() ? "" : ", ") + name;
    const std::string guess = didYouMean(item, known);
    return makeError("no-item", "the file has no design '" + item + "'",
                     guess.empty() ? "its designs are: " + all : guess);
}

} // namespace marquetry::frontend
