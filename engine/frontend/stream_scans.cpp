// The state of a scan before the first element: a constant, whose type is that of the state.
#include "engine/frontend/stream_elaborator.h"

#include "engine/frontend/stream_literals.h"
#include "engine/support/limits.h"

namespace marquetry::frontend {

using ir::StreamOp;
using Kind = StreamExprSyntax::Kind;

namespace {

/// Words of one state: a line of a picture, with room to spare.
constexpr std::int64_t kMostStateWords = 1 << 16;

} // namespace

/// Its words and its type, in `node`; false when it is wrong and has been reported.
bool StreamElaborator::readState(const StreamExprSyntax& initial, const Scope& scope,
                                 ir::StreamNode& node) {
    if (isNumber(initial, scope))
        return spreadNumber(initial, scope, node);
    if (initial.kind == Kind::Const) {
        const auto type = numbers_.type(initial.type);
        if (!numbers_.areKnown(initial.literal) || !type)
            return false;
        auto words = literalWords(stream_, numbers_, initial.literal, *type);
        if (!words)
            return reportAt(words.error(), words.error()[0].range), false;
        node.type = *type;
        node.literal = *std::move(words);
        return true;
    }
    const Meaning value = elaborate(initial, scope);
    if (!value)
        return false;
    const ir::StreamNode& found = scope.graph.node(*value);
    if (found.op != StreamOp::Const)
        return error("not-constant", "the state before the first element is no constant",
                     "write a number or const(0 : u16); what changes comes as part of the elements",
                     initial.range),
               false;
    node.type = found.type;
    node.literal = found.literal;
    return true;
}

/// A number is every word of a state that has the type of the elements.
bool StreamElaborator::spreadNumber(const StreamExprSyntax& number, const Scope& scope,
                                    ir::StreamNode& node) {
    const ir::StreamType& whole = scope.graph.node(node.operands[0]).type;
    const auto value = valueOf(number, scope);
    if (!value)
        return false;
    if (!whole.is(ir::StreamType::Kind::Seq))
        return true; // that is reported with the sequence
    const ir::StreamType& atom = ir::atomOf(whole);
    const bool isScalar = atom.is(ir::StreamType::Kind::Scalar);
    if (!isScalar || !fits(*value, atom))
        return error(isScalar ? "number-too-large" : "type-mismatch",
                     isScalar ? std::to_string(*value) + " does not fit into " + toString(atom)
                              : "expected a state of " + toString(whole.element()) +
                                    ", but found the number " + std::to_string(*value),
                     "const(v : t) gives the state a type of its own", number.range),
               false;
    node.type = whole.element();
    const std::int64_t words = ir::words(node.type);
    if (words > kMostStateWords)
        return reportAt({tooLarge("the state of a scan has", words, kMostStateWords, "words",
                                  "map over lines scans each of them by itself")},
                        number.range),
               false;
    node.literal.assign(static_cast<std::size_t>(words), *value);
    return true;
}

/// The function's result is the next state.
bool StreamElaborator::yieldsState(const ir::StreamNode& node, const ir::StreamType& result,
                                   const SourceRange& range) {
    if (node.op != StreamOp::Scan || result == node.type)
        return true;
    error("type-mismatch",
          "the function of a scan yields the next state, " + toString(node.type) + ", not " +
              toString(result),
          "the type of the state is that of the constant before the first element, as in const(0 "
          ": u16)",
          range);
    return false;
}

} // namespace marquetry::frontend
