#include "engine/frontend/checker.h"

#include "engine/frontend/lexer.h"
#include "engine/frontend/params.h"
#include "engine/frontend/suggest.h"
#include "engine/ir/checked_use.h"
#include "engine/ir/interpreter.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace marquetry::frontend {

namespace {

using ir::ValueId;

/// What a name or an expression stands for; nothing when it is wrong and has been reported.
using Meaning = std::optional<ValueId>;

class Checker {
public:
    Checker(const DesignSyntax& design, Reporter& reporter) : design_(design), reporter_(reporter) {
        program_.name = design.name.text;
        program_.file = reporter.file();
        program_.folder = std::filesystem::path(program_.file).parent_path().string();
        meanings_.resize(design.expressions.size());
    }

    std::optional<ir::Program> check() {
        const int errorsBefore = reporter_.errorCount();
        for (const StatementSyntax& statement : design_.statements)
            checkStatement(statement);
        const bool hasOutput =
            std::any_of(design_.statements.begin(), design_.statements.end(),
                        [](const auto& s) { return s.kind == StatementKind::Output; });
        if (!hasOutput && !design_.broken)
            error("no-output", "design '" + program_.name + "' has no output",
                  "add output NAME = …;", design_.name.range);
        if (design_.broken || reporter_.errorCount() > errorsBefore)
            return std::nullopt;
        return std::move(program_);
    }

private:
    void error(std::string code, std::string message, std::string hint, const SourceRange& range) {
        reporter_.report(makeError(std::move(code), std::move(message), std::move(hint)), range);
    }

    void reportAll(const Diagnostics& diagnostics, const SourceRange& range) {
        for (const Diagnostic& diagnostic : diagnostics)
            reporter_.report(diagnostic, range);
    }

    void checkStatement(const StatementSyntax& statement) {
        const bool fresh = checkName(statement.name);
        Meaning meaning;
        if (!statement.broken) {
            meaning =
                statement.kind == StatementKind::Let || statement.kind == StatementKind::Output
                    ? define(statement)
                    : declare(statement);
        }
        if (fresh)
            names_.emplace(statement.name.text, meaning);
        if (fresh && meaning && statement.kind == StatementKind::Output)
            program_.outputs.push_back({statement.name.text, *meaning});
    }

    bool checkName(const WordSyntax& name) {
        if (name.text.empty())
            return false;
        if (ir::opNamed(name.text)) {
            error("reserved-name", "'" + name.text + "' is an operator and cannot be redefined",
                  "choose another name, e.g. '" + name.text + "_'", name.range);
            return false;
        }
        const auto first = places_.emplace(name.text, name.range);
        if (first.second)
            return true;
        error("duplicate-name", "'" + name.text + "' is defined twice",
              "the first definition is in line " + std::to_string(first.first->second.line),
              name.range);
        return false;
    }

    ir::Value& append(ir::Value value) {
        value.id = ValueId(program_.values.size());
        program_.values.push_back(std::move(value));
        return program_.values.back();
    }

    Meaning declare(const StatementSyntax& statement) {
        const auto type = checkType(statement.type);
        if (!type)
            return std::nullopt;
        ir::Value value;
        value.kind =
            statement.kind == StatementKind::Input ? ir::ValueKind::Input : ir::ValueKind::Weight;
        value.name = statement.name.text;
        value.type = *type;
        value.range = ir::fullRange(type->scalar);
        value.place = statement.name.range;
        if (statement.source) {
            if (!checkSource(*statement.source, value))
                return std::nullopt;
        } else if (value.kind == ir::ValueKind::Weight) {
            error("missing-source", "the weight '" + value.name + "' has no source",
                  "add = random(seed: …), = file(\"…\") or = zeros", value.place);
            return std::nullopt;
        }
        const ir::Value& added = append(std::move(value));
        (added.kind == ir::ValueKind::Input ? program_.inputs : program_.weights)
            .push_back(added.id);
        return added.id;
    }

    std::optional<ir::Type> checkType(const TypeSyntax& syntax) {
        const auto scalar = ir::scalarNamed(syntax.scalar.text);
        if (!scalar) {
            const std::string hint =
                didYouMean(syntax.scalar.text, {"i8", "u8", "i16", "u16", "i32", "u32", "bit"});
            error("unknown-type", "there is no scalar type '" + syntax.scalar.text + "'",
                  hint.empty() ? "i8, u8, i16, u16, i32, u32, bit, or i2 to i7 and u2 to u7" : hint,
                  syntax.scalar.range);
            return std::nullopt;
        }
        ir::Type type{*scalar, {}};
        for (const Number& dim : syntax.dims) {
            if (dim.value <= 0) {
                error("bad-dimension",
                      "a dimension must be at least 1, but this one is " +
                          std::to_string(dim.value),
                      "", dim.range);
                return std::nullopt;
            }
            type.dims.push_back(dim.value);
        }
        const auto elements = checkedProduct(type.dims);
        if (!elements || *elements > kMaxElements) {
            reporter_.report(tooLarge(toString(type) + " has", elements.value_or(INT64_MAX),
                                      kMaxElements, "elements"),
                             syntax.range);
            return std::nullopt;
        }
        return type;
    }

    bool checkSource(const SourceSyntax& syntax, ir::Value& value) {
        if (const auto* random = std::get_if<RandomSyntax>(&syntax.source))
            return checkRandom(*random, syntax.range, value);
        if (const auto* file = std::get_if<FileSyntax>(&syntax.source))
            return checkFile(*file, syntax.range, value);
        value.source = ir::ZeroSource{};
        // Inputs can be given other vectors than the default one, weights cannot.
        if (value.kind == ir::ValueKind::Weight)
            value.range = {0, 0};
        return true;
    }

    bool checkRandom(const RandomSyntax& random, const SourceRange& range, ir::Value& value) {
        const ir::Range full = ir::fullRange(value.type.scalar);
        const ir::Range drawn = {random.lo ? random.lo->value : full.lo,
                                 random.hi ? random.hi->value : full.hi};
        if (drawn.lo > drawn.hi || drawn.lo < full.lo || drawn.hi > full.hi) {
            error("bad-parameter",
                  "random values from " + std::to_string(drawn.lo) + " to " +
                      std::to_string(drawn.hi) + " do not fit " +
                      std::string(info(value.type.scalar).name),
                  "lo and hi must satisfy " + std::to_string(full.lo) +
                      " <= lo <= hi <= " + std::to_string(full.hi),
                  range);
            return false;
        }
        value.source = ir::RandomSource{random.seed, drawn.lo, drawn.hi};
        if (value.kind == ir::ValueKind::Weight)
            value.range = drawn;
        return true;
    }

    bool checkFile(const FileSyntax& file, const SourceRange& range, ir::Value& value) {
        const auto resolved = std::filesystem::path(program_.folder) / file.path;
        auto bytes = ir::readTensorFile(resolved.string(), value.type);
        if (!bytes) {
            reportAll(bytes.error(), range);
            return false;
        }
        // Two values of one file share its bytes, also when it is edited in between.
        const auto [known, fresh] = files_.try_emplace(resolved.string(), *std::move(bytes));
        value.source = ir::FileSource{file.path, resolved.string(), known->second};
        if (value.kind == ir::ValueKind::Weight)
            return checkHeld(range, value);
        return true;
    }

    /// Inputs can be given other vectors than the default one, weights cannot.
    bool checkHeld(const SourceRange& range, ir::Value& value) {
        const auto held = ir::loadSource(value);
        if (!held) {
            reportAll(held.error(), range);
            return false;
        }
        const auto [lo, hi] = std::ranges::minmax(held->data);
        value.range = {lo, hi};
        return true;
    }

    /// A weight is what its file holds.
    static void narrow(ir::Value& value) {
        const auto tensor = ir::loadSource(value);
        if (!tensor || tensor->data.empty())
            return;
        const auto [lo, hi] = std::ranges::minmax(tensor->data);
        value.range = {lo, hi};
    }

    /// Operands stand before their users, so one pass over the new expressions suffices.
    Meaning define(const StatementSyntax& statement) {
        int inner = 0;
        for (; nextExpression_ <= statement.expression; ++nextExpression_) {
            const ExprSyntax& expression = design_.expressions[nextExpression_];
            if (!expression.isCall) {
                meanings_[nextExpression_] = resolve(expression.name);
                continue;
            }
            const bool root = nextExpression_ == statement.expression;
            const std::string name =
                root ? statement.name.text : statement.name.text + "#" + std::to_string(++inner);
            meanings_[nextExpression_] = checkCall(expression, name);
        }
        return meanings_[statement.expression];
    }

    Meaning resolve(const WordSyntax& name) {
        const auto found = names_.find(name.text);
        if (found != names_.end())
            return found->second;
        std::string hint = "names must be defined before they are used";
        if (ir::opNamed(name.text)) {
            hint = "'" + name.text + "' is an operator: call it with its operands in parentheses";
        } else {
            std::vector<std::string> known;
            for (const auto& entry : names_)
                known.push_back(entry.first);
            if (const std::string guess = didYouMean(name.text, known); !guess.empty())
                hint = guess;
        }
        error("unknown-name", "there is no value '" + name.text + "' here", hint, name.range);
        return std::nullopt;
    }

    Meaning checkCall(const ExprSyntax& call, const std::string& name) {
        const ir::OpInfo* op = ir::opNamed(call.name.text);
        if (!op) {
            unknownOperator(call.name);
            return std::nullopt;
        }
        ir::Value value;
        value.op = op->kind;
        value.name = name;
        value.place = call.range;
        for (const std::size_t operand : call.operands) {
            if (!meanings_[operand])
                return std::nullopt;
            value.operands.push_back(*meanings_[operand]);
        }
        if (call.operands.size() != static_cast<std::size_t>(op->operands)) {
            wrongOperandCount(*op, call);
            return std::nullopt;
        }
        auto params = resolveParams(*op, call, reporter_);
        if (!params)
            return std::nullopt;
        value.params = std::move(params->values);
        for (const auto& [vector, weight] : params->weights)
            if (!addWeightParameter(vector, weight, value))
                return std::nullopt;
        return checkValue(std::move(value));
    }

    void unknownOperator(const WordSyntax& name) {
        std::vector<std::string> known;
        std::string all;
        for (const ir::OpInfo& op : ir::opTable()) {
            known.emplace_back(op.name);
            all += (all.empty() ? "" : ", ") + std::string(op.name);
        }
        const std::string guess = didYouMean(name.text, known);
        error("unknown-operator", "there is no operator '" + name.text + "'",
              guess.empty() ? "the operators are " + all : guess, name.range);
    }

    void wrongOperandCount(const ir::OpInfo& op, const ExprSyntax& call) {
        error("operand-count",
              std::string(op.name) + " takes " + std::to_string(op.operands) +
                  (op.operands == 1 ? " operand" : " operands") + ", but got " +
                  std::to_string(call.operands.size()),
              "", call.range);
    }

    bool addWeightParameter(unsigned vector, const WordSyntax& name, ir::Value& value) {
        const Meaning weight = resolve(name);
        if (!weight)
            return false;
        if (program_.value(*weight).kind != ir::ValueKind::Weight) {
            error("bad-parameter", "'" + name.text + "' is not a weight",
                  "give an integer, or a weight of the last dimension", name.range);
            return false;
        }
        value.operands.push_back(*weight);
        value.params.vectors |= vector;
        return true;
    }

    Meaning checkValue(ir::Value value) {
        const SourceRange place = value.place;
        Diagnostics warnings;
        auto checked = ir::checkedUse(program_, std::move(value), warnings);
        reportAll(warnings, place);
        if (checked)
            return append(*std::move(checked)).id;
        reportAll(checked.error(), place);
        return std::nullopt;
    }

    const DesignSyntax& design_;
    Reporter& reporter_;
    ir::Program program_;
    std::map<std::string, Meaning> names_;
    std::map<std::string, SourceRange> places_; ///< first definition of every name
    std::map<std::string, std::shared_ptr<const std::string>> files_; ///< by resolved path
    std::vector<Meaning> meanings_; ///< Index: DesignSyntax::expressions
    std::size_t nextExpression_ = 0;
};

} // namespace

std::optional<ir::Program> checkDesign(const DesignSyntax& design, Reporter& reporter) {
    return Checker(design, reporter).check();
}

} // namespace marquetry::frontend
