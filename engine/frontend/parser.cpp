#include "engine/frontend/parser.h"

#include "engine/frontend/checker.h"
#include "engine/frontend/memory_checker.h"
#include "engine/frontend/stream_checker.h"
#include "engine/frontend/suggest.h"
#include "engine/frontend/syntax_parser.h"
#include "engine/support/files.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <map>

namespace marquetry::frontend {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;

/// The first line, for mistakes of the file as a whole.
constexpr SourceRange kStart{1, 1, 1, 1};

Diagnostic fileTooLarge(const std::string& file) {
    Diagnostic error = makeError("file-too-large", inQuotes(file) + " is larger than 16 MiB",
                                 "keep weights in files of their own: = file(\"…\")");
    error.file = file;
    error.range = kStart;
    return error;
}

void reportDuplicates(const FileSyntaxTree& tree, Reporter& reporter) {
    std::vector<const WordSyntax*> names;
    for (const DesignSyntax& design : tree.designs)
        names.push_back(&design.name);
    for (const StreamSyntax& stream : tree.streams)
        names.push_back(&stream.name);
    for (const MemorySyntax& memory : tree.memories)
        names.push_back(&memory.name);
    std::ranges::stable_sort(names, {}, [](const WordSyntax* name) {
        return std::pair(name->range.line, name->range.column);
    });
    std::map<std::string, SourceRange> seen;
    for (const WordSyntax* name : names) {
        const auto [first, fresh] = seen.emplace(name->text, name->range);
        if (!fresh && !name->text.empty())
            reporter.report(makeError("duplicate-name", "there are two items '" + name->text + "'",
                                      "the first is in line " + std::to_string(first->second.line)),
                            name->range);
    }
}

std::string plural(const std::string& kind) {
    return kind == "memory" ? "memories" : kind + "s";
}

/// The item called `name`, or the first; `kind` is "design", "stream" or "memory".
template <class Item>
Result<Item> select(std::vector<Item> items, const std::string& name, const std::string& kind) {
    if (items.empty())
        return makeError("no-item", "the file has no " + kind, "write " + kind + " NAME { … }");
    std::vector<std::string> known;
    for (Item& item : items) {
        if (name.empty() || item.name == name)
            return std::move(item);
        known.push_back(item.name);
    }
    std::string all;
    for (const std::string& other : known)
        all += (all.empty() ? "" : ", ") + other;
    const std::string guess = didYouMean(name, known);
    return makeError("no-item", "the file has no " + kind + " '" + name + "'",
                     guess.empty() ? "its " + plural(kind) + " are: " + all : guess);
}

} // namespace

Result<ParseResult> parse(std::string_view text, const std::string& file) {
    if (text.size() > kMaxFileBytes)
        return fileTooLarge(file);
    Reporter reporter(file);
    const FileSyntaxTree tree = parseSyntax(text, reporter);
    reportDuplicates(tree, reporter);
    if (tree.order.empty() && reporter.errorCount() == 0)
        reporter.report(makeError("no-item", "the file holds no design, stream or memory",
                                  "write design NAME { … output y = …; }"),
                        kStart);
    ParseResult result;
    result.text = text;
    result.order = tree.order;
    for (const DesignSyntax& design : tree.designs) {
        if (auto program = checkDesign(design, reporter))
            result.programs.push_back(*std::move(program));
    }
    for (const StreamSyntax& stream : tree.streams) {
        if (auto program = checkStream(stream, reporter))
            result.streams.push_back(*std::move(program));
    }
    for (const MemorySyntax& memory : tree.memories) {
        if (auto program = checkMemory(memory, reporter))
            result.memories.push_back(*std::move(program));
    }
    result.warnings = reporter.take();
    if (hasErrors(result.warnings))
        return std::move(result.warnings);
    return result;
}

Result<std::string> readFile(const std::string& path) {
    auto text = files::read(path, kMaxFileBytes);
    if (text)
        return text;
    if (text.error()[0].code == "file-too-large")
        return fileTooLarge(path);
    Diagnostics errors = text.error();
    for (Diagnostic& error : errors)
        error.file = path;
    return errors;
}

Result<ParseResult> parseFile(const std::string& path) {
    const auto text = readFile(path);
    return text ? parse(*text, path) : text.error();
}

Result<ir::Program> selectItem(ParseResult result, const std::string& item) {
    return select(std::move(result.programs), item, "design");
}

Result<ir::StreamProgram> selectStream(ParseResult result, const std::string& item) {
    return select(std::move(result.streams), item, "stream");
}

Result<ir::MemoryProgram> selectMemory(ParseResult result, const std::string& item) {
    return select(std::move(result.memories), item, "memory");
}

ItemKind selectedKind(const ParseResult& result, const std::string& item) {
    if (item.empty())
        return result.order.front();
    const auto named = [&](const auto& other) { return other.name == item; };
    if (std::ranges::any_of(result.streams, named))
        return ItemKind::Stream;
    return std::ranges::any_of(result.memories, named) ? ItemKind::Memory : ItemKind::Design;
}

bool selectsStream(const ParseResult& result, const std::string& item) {
    return selectedKind(result, item) == ItemKind::Stream;
}

} // namespace marquetry::frontend
