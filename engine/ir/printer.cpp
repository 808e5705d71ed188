#include "engine/ir/printer.h"

namespace marquetry::ir {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + "\"";
}

struct SourcePrinter {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(const RandomSource& source) const {
        return " = random(seed: " + std::to_string(source.seed) +
               ", lo: " + std::to_string(source.lo) + ", hi: " + std::to_string(source.hi) + ")";
    }
    std::string operator()(const FileSource& source) const {
        return " = file(" + quoted(source.path) + ")";
    }
    std::string operator()(const ZeroSource&) const { return " = zeros"; }
    std::string operator()(const ComputedSource&) const { return ""; } // it has an expression
};

class Printer {
public:
    explicit Printer(const Program& program)
        : program_(program), uses_(program.useCounts()), texts_(program.values.size()) {}

    std::string print() {
        text_ = "design " + program_.name + " {\n";
        for (const Value& value : program_.values)
            printValue(value);
        flushAliases(program_.outputs.size());
        return text_ + "}\n";
    }

private:
    void printValue(const Value& value) {
        if (value.kind != ValueKind::Op && !std::holds_alternative<ComputedSource>(value.source)) {
            text_ += std::string("  ") + (value.kind == ValueKind::Input ? "input " : "weight ") +
                     value.name + " : " + toString(value.type) +
                     std::visit(SourcePrinter{}, value.source) + ";\n";
            texts_[value.id.index()] = value.name;
            return;
        }
        const std::string call = expression(value);
        // Values without a name of the user's live inside the expression that uses them.
        const bool unnamed = value.name.find('#') != std::string::npos;
        if (unnamed && uses_[value.id.index()] == 1) {
            texts_[value.id.index()] = call;
            return;
        }
        printStatement(value, call);
    }

    void printStatement(const Value& value, const std::string& call) {
        std::string name = value.name;
        for (char& c : name)
            c = c == '#' ? '_' : c;
        texts_[value.id.index()] = name;
        for (std::size_t k = nextOutput_; k < program_.outputs.size(); ++k) {
            if (program_.outputs[k].value == value.id && program_.outputs[k].name == name) {
                flushAliases(k);
                nextOutput_ = k + 1;
                text_ += "  output " + name + " = " + call + ";\n";
                return;
            }
        }
        text_ += "  let " + name + " = " + call + ";\n";
    }

    /// Outputs before number `end` that are other names of values printed already.
    void flushAliases(std::size_t end) {
        for (; nextOutput_ < end; ++nextOutput_) {
            const Output& output = program_.outputs[nextOutput_];
            text_ += "  output " + output.name + " = " + texts_[output.value.index()] + ";\n";
        }
    }

    std::string expression(const Value& value) const {
        const OpInfo& op = info(value.op);
        std::string text = std::string(op.name) + "(";
        std::size_t next = 0;
        for (; next < static_cast<std::size_t>(op.operands); ++next)
            text += (next == 0 ? "" : ", ") + texts_[value.operands[next].index()];
        for (const ParamSpec& spec : op.params) {
            const std::string written = value.params.vectors & spec.vector
                                            ? texts_[value.operands[next++].index()]
                                            : parameter(value.params, spec);
            if (!written.empty())
                text += ", " + std::string(spec.name) + ": " + written;
        }
        return text + ")";
    }

    /// Empty: as it is when nothing is written.
    static std::string parameter(const OpParams& params, const ParamSpec& spec) {
        const OpParams defaults;
        if (spec.kind == ParamKind::IntList)
            return listText(params.list);
        if (spec.kind == ParamKind::ScalarName)
            return params.to == defaults.to ? "" : std::string(info(params.to).name);
        const auto given = fieldOf(params, spec);
        ParamSpec standard = spec;
        if (spec.defaultField)
            standard.field = spec.defaultField;
        const auto usual = fieldOf(spec.defaultField ? params : defaults, standard);
        if (!spec.required && given == usual)
            return "";
        if (spec.kind == ParamKind::Word)
            return std::string(spec.words[static_cast<std::size_t>(given[0])]);
        return given.size() == 1 ? std::to_string(given[0]) : listText(given);
    }

    const Program& program_;
    const std::vector<int> uses_;
    std::vector<std::string> texts_; ///< how later expressions refer to each value
    std::size_t nextOutput_ = 0;
    std::string text_;
};

} // namespace

std::string print(const Program& program) {
    return Printer(program).print();
}

std::string listText(const std::vector<std::int64_t>& numbers) {
    std::string text = "[";
    for (std::size_t k = 0; k < numbers.size(); ++k)
        text += (k == 0 ? "" : ", ") + std::to_string(numbers[k]);
    return text + "]";
}

} // namespace marquetry::ir
