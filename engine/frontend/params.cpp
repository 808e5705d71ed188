#include "engine/frontend/params.h"

#include "engine/frontend/suggest.h"

#include <algorithm>

namespace marquetry::frontend {

namespace {

class ParamResolver {
public:
    ParamResolver(const ir::OpInfo& op, Reporter& reporter) : op_(op), reporter_(reporter) {}

    std::optional<ResolvedParams> resolve(const ExprSyntax& call) {
        bool good = true;
        std::vector<std::string_view> given;
        for (const ParamSyntax& param : call.params) {
            if (std::find(given.begin(), given.end(), param.name.text) != given.end())
                good = reject("the parameter '" + param.name.text + "' is given twice",
                              param.name.range);
            else
                good = assign(param) && good;
            given.push_back(param.name.text);
        }
        for (const ir::ParamSpec& spec : op_.params) {
            const bool present = std::find(given.begin(), given.end(), spec.name) != given.end();
            if (spec.required && !present)
                good = missing(spec, call.range);
            if (!present && spec.defaultField)
                result_.values.*std::get<ir::PerAxis ir::OpParams::*>(spec.field) =
                    result_.values.*spec.defaultField;
        }
        return good ? std::optional(std::move(result_)) : std::nullopt;
    }

private:
    bool reject(std::string message, const SourceRange& range, std::string hint = {}) {
        reporter_.report(makeError("bad-parameter", std::move(message), std::move(hint)), range);
        return false;
    }

    bool missing(const ir::ParamSpec& spec, const SourceRange& range) {
        const std::string name(spec.name);
        reporter_.report(makeError("missing-parameter",
                                   std::string(op_.name) + " needs the parameter '" + name + "'",
                                   "write " + std::string(op_.name) + "(…, " + name + ": …)"),
                         range);
        return false;
    }

    bool assign(const ParamSyntax& param) {
        const auto spec =
            std::find_if(op_.params.begin(), op_.params.end(),
                         [&](const ir::ParamSpec& s) { return s.name == param.name.text; });
        if (spec == op_.params.end())
            return unknown(param.name);
        switch (spec->kind) {
        case ir::ParamKind::Int:
            return assignInt(*spec, param);
        case ir::ParamKind::IntOrWeight:
            if (const auto* word = std::get_if<WordSyntax>(&param.value)) {
                result_.weights.emplace(spec->vector, *word);
                return true;
            }
            return assignInt(*spec, param);
        case ir::ParamKind::Ints:
            return assignInts(*spec, param);
        case ir::ParamKind::Word:
            return assignWord(*spec, param);
        case ir::ParamKind::IntList:
            return assignList(*spec, param);
        case ir::ParamKind::ScalarName:
            return assignScalar(param);
        }
        return false;
    }

    bool unknown(const WordSyntax& name) {
        std::vector<std::string> known;
        std::string all;
        for (const ir::ParamSpec& spec : op_.params) {
            known.emplace_back(spec.name);
            all += (all.empty() ? "" : ", ") + std::string(spec.name);
        }
        const std::string guess = didYouMean(name.text, known);
        const std::string list = all.empty() ? "it has no parameters" : "its parameters are " + all;
        return reject(std::string(op_.name) + " has no parameter '" + name.text + "'", name.range,
                      guess.empty() ? list : guess);
    }

    bool wrongKind(const ParamSyntax& param, const std::string& expected) {
        return reject("the parameter '" + param.name.text + "' must be " + expected,
                      param.valueRange);
    }

    bool inBounds(const ir::ParamSpec& spec, const Number& number) {
        if (number.value >= spec.min && number.value <= spec.max)
            return true;
        return reject("the parameter '" + std::string(spec.name) + "' must lie between " +
                          std::to_string(spec.min) + " and " + std::to_string(spec.max) +
                          ", but is " + std::to_string(number.value),
                      number.range);
    }

    bool assignInt(const ir::ParamSpec& spec, const ParamSyntax& param) {
        const auto* number = std::get_if<Number>(&param.value);
        if (!number)
            return wrongKind(param, spec.kind == ir::ParamKind::IntOrWeight
                                        ? "an integer or a weight"
                                        : "an integer");
        ir::setField(result_.values, spec, {number->value});
        return inBounds(spec, *number);
    }

    /// One integer, or as many as the field takes.
    bool assignInts(const ir::ParamSpec& spec, const ParamSyntax& param) {
        std::vector<Number> numbers;
        if (const auto* number = std::get_if<Number>(&param.value))
            numbers = {*number};
        else if (const auto* list = std::get_if<std::vector<Number>>(&param.value))
            numbers = *list;
        if (numbers.size() == 1 && !std::holds_alternative<Number>(param.value))
            return wrongKind(param, ir::formOf(spec));
        std::vector<std::int64_t> values;
        for (const Number& number : numbers) {
            if (!inBounds(spec, number))
                return false;
            values.push_back(number.value);
        }
        return ir::setField(result_.values, spec, values) || wrongKind(param, ir::formOf(spec));
    }

    bool assignWord(const ir::ParamSpec& spec, const ParamSyntax& param) {
        const auto* word = std::get_if<WordSyntax>(&param.value);
        const auto found =
            word ? std::find(spec.words.begin(), spec.words.end(), word->text) : spec.words.end();
        if (found == spec.words.end())
            return wrongKind(param, ir::formOf(spec));
        return ir::setField(result_.values, spec, {found - spec.words.begin()});
    }

    bool assignList(const ir::ParamSpec& spec, const ParamSyntax& param) {
        const auto* numbers = std::get_if<std::vector<Number>>(&param.value);
        if (!numbers)
            return wrongKind(param, "a list of integers in brackets");
        for (const Number& number : *numbers) {
            if (!inBounds(spec, number))
                return false;
            result_.values.list.push_back(number.value);
        }
        return true;
    }

    bool assignScalar(const ParamSyntax& param) {
        const auto* word = std::get_if<WordSyntax>(&param.value);
        const auto scalar = word ? ir::scalarNamed(word->text) : std::nullopt;
        if (!scalar)
            return wrongKind(param, "a scalar: i8, u8, i16, u16, i32, u32, bit, or i2 to "
                                    "i7 and u2 to u7");
        result_.values.to = *scalar;
        return true;
    }

    const ir::OpInfo& op_;
    Reporter& reporter_;
    ResolvedParams result_;
};

} // namespace

std::optional<ResolvedParams> resolveParams(const ir::OpInfo& op, const ExprSyntax& call,
                                            Reporter& reporter) {
    return ParamResolver(op, reporter).resolve(call);
}

} // namespace marquetry::frontend
