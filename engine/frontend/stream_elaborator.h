// Expressions of `stream` items to typed nodes.
//
// A function is typed at each use, with the types of what it is applied to: its nodes are written
// into a graph of its own for map, map2 and reduce, and in place where it is called by its name.
//
// Errors (reported, each once per place): those of stream_checker.h but no-output.
// Complexity: linear in the nodes made, at most kMaxStreamNodes. Thread rule: one thread.
#pragma once

#include "engine/frontend/once_reporter.h"
#include "engine/frontend/stream_numbers.h"
#include "engine/frontend/stream_windows.h"
#include "engine/ir/stream_program.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace marquetry::frontend {

class StreamElaborator {
public:
    /// What an expression stands for; nothing when it is wrong and has been reported.
    using Meaning = std::optional<ir::StreamNodeId>;

    struct Scope;

    /// An operator, or an expression that is a function.
    struct Function {
        const ir::StreamOpInfo* op = nullptr;
        const StreamExprSyntax* expression = nullptr;
        std::string name;
        const Scope* written = nullptr; ///< where it may take functions from; null: nowhere

        std::size_t arity() const;
        bool associative() const;
    };

    /// Names of what an expression may use, and where its nodes go.
    struct Scope {
        ir::StreamGraph& graph;
        std::map<std::string, Meaning> values;
        const Scope* outer = nullptr;              ///< of the expression that applies the function
        std::map<std::string, Function> functions; ///< parameters that are functions
        const Scope* written = nullptr;            ///< of the expression that the function is in
    };

    /// Both must outlive the elaborator.
    StreamElaborator(const StreamSyntax& stream, Reporter& reporter)
        : stream_(stream), reporter_(reporter), numbers_(stream, reporter_) {}

    /// Makes `function`, an expression of that kind or a table, known to all expressions after
    /// this.
    void defineFunction(const std::string& name, const StreamExprSyntax& function);
    Meaning elaborate(const StreamExprSyntax& expression, const Scope& scope);
    StreamNumbers& numbers() { return numbers_; }
    Meaning append(ir::StreamGraph& graph, ir::StreamNode node, const SourceRange& place);
    /// Whether a value, function or parameter may have this name; reported when not.
    bool notAnOperator(const WordSyntax& name);
    std::nullopt_t error(std::string code, std::string message, std::string hint,
                         const SourceRange& range);

private:
    /// What a function is applied to: a value, or a function.
    struct Argument {
        ir::StreamNodeId value;
        std::optional<Function> function;
    };

    const ir::StreamOpInfo* operatorNamed(const std::string& name, const Scope& scope) const;
    /// A derived operator in others (stream_derived.cpp); `type` is that of its result.
    Meaning derived(const ir::StreamNode& node, const std::vector<ir::StreamType>& types,
                    const ir::StreamType& type, const Scope& scope, const SourceRange& range);
    std::nullopt_t reportAt(const Diagnostics& diagnostics, const SourceRange& range);

    Meaning elaborateKind(const StreamExprSyntax& expression, const Scope& scope);
    Meaning lookUp(const WordSyntax& name, const Scope& scope);
    Meaning constant(const StreamExprSyntax& expression, const Scope& scope);
    Meaning counter(const StreamExprSyntax& expression, const Scope& scope);
    Meaning call(const StreamExprSyntax& expression, const Scope& scope);
    std::optional<Argument> argument(const StreamExprSyntax& expression, const Scope& scope);
    Meaning unknownOperator(const StreamExprSyntax& expression, const Scope& scope);
    Meaning operatorCall(const ir::StreamOpInfo& op, const StreamExprSyntax& expression,
                         const Scope& scope);
    /// A derived operator, too, with its border (stream_windows.cpp).
    Meaning window(const ir::StreamNode& node, const StreamExprSyntax& call, const Scope& scope);
    /// What is outside of the picture, for elements of this type.
    std::optional<WindowBorder> borderOf(const StreamExprSyntax& call, const ir::StreamType& pixel,
                                         const Scope& scope);
    /// Whether a call names no arguments but those of its operator; reported when not.
    bool namesFit(bool isWindow, const StreamExprSyntax& call);
    bool readParams(const ir::StreamOpInfo& op, const StreamExprSyntax& call, const Scope& scope,
                    ir::StreamNode& node);
    /// Of a scan whose operand is known (stream_scans.cpp).
    bool readState(const StreamExprSyntax& initial, const Scope& scope, ir::StreamNode& node);
    bool spreadNumber(const StreamExprSyntax& number, const Scope& scope, ir::StreamNode& node);
    bool yieldsState(const ir::StreamNode& node, const ir::StreamType& result,
                     const SourceRange& range);
    bool elaborateOperands(const ir::StreamOpInfo& op, std::span<const std::size_t> operands,
                           const Scope& scope, ir::StreamNode& node);
    /// Whether a name is that of a value of the scope, or of one around it.
    static bool isValue(const std::string& name, const Scope& scope);
    bool isNumber(const StreamExprSyntax& expression, const Scope& scope) const;
    std::optional<std::int64_t> valueOf(const StreamExprSyntax& number, const Scope& scope);
    Meaning untypedNumber(const StreamExprSyntax& expression, const Scope& scope);
    Meaning numberOf(const StreamExprSyntax& number, const ir::StreamType& type,
                     const Scope& scope);
    Meaning longer(const ir::StreamOpInfo& op, const StreamExprSyntax& expression,
                   const Scope& scope);
    Meaning lifted(ir::StreamOp op, ir::StreamNodeId a, ir::StreamNodeId b, const Scope& scope,
                   const SourceRange& range);
    static std::vector<ir::StreamType> operandTypes(const ir::StreamNode& node, const Scope& scope);
    /// Of what an operator makes of operands that fit; reported when they do not.
    std::optional<ir::StreamType> typeOf(const ir::StreamNode& node, const ir::StreamType* body,
                                         const Scope& scope, const SourceRange& range);
    Meaning finish(ir::StreamNode node, const ir::StreamType* body, const Scope& scope,
                   const SourceRange& range);

    /// A parameter that is a function, of the scope or of those that it is written in.
    static const Function* givenFunction(const std::string& name, const Scope& scope);
    /// Whether a name is that of a function, and of nothing nearer.
    bool isFunction(const std::string& name, const Scope& scope) const;
    std::optional<Function> functionNamed(const WordSyntax& name, const Scope& scope);
    std::optional<Function> function(const StreamExprSyntax& expression, const Scope& scope);
    Meaning higherOrder(ir::StreamNode node, const StreamExprSyntax& syntax, const Scope& scope,
                        const SourceRange& range);
    std::shared_ptr<const ir::StreamGraph> functionGraph(const Function& applied,
                                                         const std::vector<ir::StreamType>& types,
                                                         const Scope& scope,
                                                         const SourceRange& range);
    Meaning apply(const Function& applied, const std::vector<Argument>& arguments,
                  const Scope& scope, const SourceRange& range);
    Meaning applyOperator(const Function& applied, const std::vector<Argument>& arguments,
                          const Scope& scope, const SourceRange& range);
    /// What a table is written as; null when that is wrong and has been reported.
    ir::StreamTablePtr tableOf(const StreamExprSyntax& table);
    /// A word of a table (stream_tables.cpp).
    Meaning lookedUp(const Function& table, const Argument& index, const Scope& scope,
                     const SourceRange& range);
    bool bind(const WordSyntax& parameter, const Argument& argument, Scope& inner);

    const StreamSyntax& stream_;
    OnceReporter reporter_;
    StreamNumbers numbers_;
    std::map<std::string, const StreamExprSyntax*> functions_;
    std::map<const StreamExprSyntax*, ir::StreamTablePtr> tables_;
    std::int64_t nodes_ = 0;
    std::int64_t applications_ = 0;
    int depth_ = 0;
};

/// How an operator is written: "map(f, x)".
std::string usage(const ir::StreamOpInfo& op);

} // namespace marquetry::frontend
