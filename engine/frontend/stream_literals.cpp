#include "engine/frontend/stream_literals.h"

namespace marquetry::frontend {

namespace {

using TypeKind = ir::StreamType::Kind;
using Words = std::vector<std::int64_t>;

class LiteralReader {
public:
    LiteralReader(const StreamSyntax& stream, StreamNumbers& numbers)
        : stream_(stream), numbers_(numbers) {}

    Result<Words> read(std::size_t root, const ir::StreamType& type) {
        if (const Status status = append(root, type); !status)
            return status.error();
        return std::move(words_);
    }

private:
    Status append(std::size_t index, const ir::StreamType& type) {
        const LiteralSyntax& literal = stream_.literals[index];
        if (type.is(TypeKind::Pair))
            return appendPair(literal, type);
        if (!ir::isAtom(type))
            return appendList(literal, type);
        if (literal.kind != LiteralSyntax::Kind::Number)
            return wrong(literal, "a number of type " + toString(type));
        const std::int64_t value = *numbers_.value(literal);
        if (!fits(value, type))
            return at(makeError("number-too-large",
                                std::to_string(value) + " does not fit into " + toString(type)),
                      literal);
        words_.push_back(value);
        return ok();
    }

    Status appendPair(const LiteralSyntax& literal, const ir::StreamType& type) {
        if (literal.kind != LiteralSyntax::Kind::Pair || literal.parts.size() != 2)
            return wrong(literal, "a pair (a, b) of type " + toString(type));
        if (Status first = append(literal.parts[0], type.parts[0]); !first)
            return first;
        return append(literal.parts[1], type.parts[1]);
    }

    Status appendList(const LiteralSyntax& literal, const ir::StreamType& type) {
        if (literal.kind != LiteralSyntax::Kind::List ||
            static_cast<std::int64_t>(literal.parts.size()) != type.length)
            return wrong(literal,
                         "a list of " + std::to_string(type.length) + " for " + toString(type));
        for (const std::size_t part : literal.parts) {
            if (Status status = append(part, type.element()); !status)
                return status;
        }
        return ok();
    }

    static Diagnostic at(Diagnostic error, const LiteralSyntax& literal) {
        error.range = literal.range;
        return error;
    }

    static Diagnostic wrong(const LiteralSyntax& literal, const std::string& expected) {
        const std::string count = std::to_string(literal.parts.size());
        const std::string found = literal.kind == LiteralSyntax::Kind::Number ? "a number"
                                  : literal.kind == LiteralSyntax::Kind::List
                                      ? "a list of " + count
                                      : "a tuple of " + count;
        return at(makeError("type-mismatch", "expected " + expected + ", but found " + found),
                  literal);
    }

    const StreamSyntax& stream_;
    StreamNumbers& numbers_;
    Words words_;
};

} // namespace

bool fits(std::int64_t value, const ir::StreamType& type) {
    const ir::ScalarInfo& scalar = info(type.is(TypeKind::Fixed) ? ir::Scalar::U8 : type.scalar);
    return value >= scalar.min && value <= scalar.max;
}

Result<Words> literalWords(const StreamSyntax& stream, StreamNumbers& numbers, std::size_t root,
                           const ir::StreamType& type) {
    return LiteralReader(stream, numbers).read(root, type);
}

} // namespace marquetry::frontend
