// Tables of constants: what is written, and words that are looked up.
#include "engine/frontend/stream_elaborator.h"

#include "engine/frontend/stream_literals.h"
#include "engine/ir/stream_ranges.h"
#include "engine/support/limits.h"

namespace marquetry::frontend {

using ir::StreamOp;
using ir::StreamType;

ir::StreamTablePtr StreamElaborator::tableOf(const StreamExprSyntax& table) {
    const auto [entry, fresh] = tables_.try_emplace(&table);
    if (!fresh)
        return entry->second;
    const auto element = numbers_.type(table.type);
    if (!numbers_.areKnown(table.literal) || !element)
        return nullptr;
    if (!element->is(StreamType::Kind::Scalar)) {
        error("type-mismatch", "the words of a table are scalars, not " + toString(*element),
              "a table for each part of a pair", table.type.range);
        return nullptr;
    }
    const auto length = std::ssize(stream_.literals[table.literal].parts);
    if (length > ir::kMaxTableWords) {
        reportAt({tooLarge("the table has", length, ir::kMaxTableWords, "words")}, table.range);
        return nullptr;
    }
    auto words = literalWords(stream_, numbers_, table.literal, ir::seqOf(length, *element));
    if (!words) {
        reportAt(words.error(), words.error()[0].range);
        return nullptr;
    }
    entry->second =
        std::make_shared<const ir::StreamTable>(ir::StreamTable{*element, *std::move(words)});
    return entry->second;
}

StreamElaborator::Meaning StreamElaborator::lookedUp(const Function& table, const Argument& index,
                                                     const Scope& scope, const SourceRange& range) {
    if (index.function)
        return error("type-mismatch", "'" + table.name + "' works on values, not on functions", "",
                     range);
    const ir::StreamTablePtr words = tableOf(*table.expression);
    if (!words)
        return std::nullopt;
    ir::StreamNode node{StreamOp::Lookup, {}, words->element, {index.value}};
    node.table = words;
    if (!typeOf(node, &words->element, scope, range))
        return std::nullopt;
    const ir::WordRange found = ir::wordRange(scope.graph, index.value);
    const auto last = std::ssize(words->words) - 1;
    if (found.low < 0 || found.high > last)
        return error("index-outside",
                     "the index may be " + std::to_string(found.low) + " to " +
                         std::to_string(found.high) + ", but " + table.name + " has words 0 to " +
                         std::to_string(last),
                     "clamp(v, 0, " + std::to_string(last) + ") is inside", range);
    return append(scope.graph, std::move(node), range);
}

} // namespace marquetry::frontend
