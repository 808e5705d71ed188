#include "engine/frontend/stream_checker.h"

#include "engine/frontend/stream_elaborator.h"

#include <algorithm>
#include <map>

namespace marquetry::frontend {

namespace {

class StreamChecker {
public:
    StreamChecker(const StreamSyntax& stream, Reporter& reporter)
        : stream_(stream), reporter_(reporter), elaborator_(stream, reporter) {}

    std::optional<ir::StreamProgram> check() {
        const int errorsBefore = reporter_.errorCount();
        ir::StreamProgram program{stream_.name.text, reporter_.file(), {}};
        for (const StreamStatementSyntax& statement : stream_.statements)
            checkStatement(statement, program.graph);
        const bool hasOutput =
            std::any_of(stream_.statements.begin(), stream_.statements.end(),
                        [](const auto& s) { return s.kind == StatementKind::Output; });
        if (!hasOutput && !stream_.broken)
            elaborator_.error("no-output", "stream '" + program.name + "' has no output",
                              "add output NAME = …;", stream_.name.range);
        if (stream_.broken || reporter_.errorCount() > errorsBefore)
            return std::nullopt;
        return program;
    }

private:
    void checkStatement(const StreamStatementSyntax& statement, ir::StreamGraph& graph) {
        const bool fresh = checkName(statement.name);
        const auto* root = statement.kind == StatementKind::Input || statement.broken
                               ? nullptr
                               : &stream_.expressions[statement.expression];
        if (root && root->isFunction() && statement.kind == StatementKind::Let) {
            if (fresh)
                elaborator_.defineFunction(statement.name.text, *root);
            return;
        }
        if (root && statement.kind == StatementKind::Let && isNumber(*root)) {
            elaborator_.numbers().named(statement.name);
            return;
        }
        const StreamElaborator::Meaning meaning = meaningOf(statement, root, graph);
        if (!fresh)
            return;
        values_.emplace(statement.name.text, meaning);
        if (!meaning)
            return;
        if (statement.kind == StatementKind::Input)
            graph.inputs.push_back(*meaning);
        if (statement.kind == StatementKind::Output)
            graph.outputs.push_back({statement.name.text, *meaning});
        if (graph.node(*meaning).name.empty())
            graph.nodes[meaning->index()].name = statement.name.text;
    }

    bool isNumber(const StreamExprSyntax& root) {
        using Kind = StreamExprSyntax::Kind;
        return root.kind == Kind::Number || root.kind == Kind::Arithmetic ||
               (root.kind == Kind::Name && elaborator_.numbers().isNumber(root.name.text) &&
                !values_.contains(root.name.text));
    }

    StreamElaborator::Meaning meaningOf(const StreamStatementSyntax& statement,
                                        const StreamExprSyntax* root, ir::StreamGraph& graph) {
        if (root)
            return elaborator_.elaborate(*root, {graph, values_, nullptr, {}, nullptr});
        auto type = statement.broken ? std::nullopt : elaborator_.numbers().type(statement.type);
        if (!type)
            return std::nullopt;
        return elaborator_.append(graph, {ir::StreamOp::Input, {}, *std::move(type)},
                                  statement.name.range);
    }

    bool checkName(const WordSyntax& name) {
        if (name.text.empty() || !elaborator_.notAnOperator(name))
            return false;
        const auto first = places_.emplace(name.text, name.range);
        if (!first.second)
            elaborator_.error("duplicate-name", "'" + name.text + "' is defined twice",
                              "the first definition is in line " +
                                  std::to_string(first.first->second.line),
                              name.range);
        return first.second;
    }

    const StreamSyntax& stream_;
    Reporter& reporter_;
    StreamElaborator elaborator_;
    std::map<std::string, StreamElaborator::Meaning> values_;
    std::map<std::string, SourceRange> places_;
};

} // namespace

std::optional<ir::StreamProgram> checkStream(const StreamSyntax& stream, Reporter& reporter) {
    return StreamChecker(stream, reporter).check();
}

} // namespace marquetry::frontend
