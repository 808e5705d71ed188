#include "engine/rules/joining.h"

namespace marquetry::rules {

namespace {

using egraph::Pattern;
using egraph::PatternNode;

/// Both sides of one rule, built from operators: their names are the program's, which a pattern's
/// text could not hold.
class RuleBuilder {
public:
    RuleBuilder(const TermLanguage& terms, const JoinedCall& join) : terms_(terms), join_(join) {}

    egraph::Rewrite run() {
        egraph::Rewrite rewrite;
        rewrite.name = "R3-SEQ";
        rewrite.group = "overlap";
        const std::uint32_t writerUnit = variable("u");
        std::vector<std::uint32_t> joined; // operands of the joined call
        std::uint32_t value = call(join_.writer, writerUnit, join_.writerOperands, joined);
        for (const JoinedCall::WriteBack& part : join_.writeBack) {
            std::vector<std::uint32_t> children = {value};
            if (part.addend) {
                children.push_back(operand());
                joined.push_back(children.back());
            }
            value = node(part.op, std::move(children));
        }
        const std::uint32_t between = node(terms_.bufferBlockRam, {value});
        const std::uint32_t readerUnit = variable("v");
        std::vector<std::uint32_t> children = {readerUnit};
        for (std::size_t k = 0; k < join_.readerOperands; ++k) {
            const bool input = k == join_.readerInput;
            children.push_back(input ? between : operand());
            if (!input)
                joined.push_back(children.back());
        }
        node(join_.reader, std::move(children));
        rewrite.lhs = pattern_;
        rewrite.rhs = std::make_shared<const Pattern>(rightSide(writerUnit, readerUnit, joined));
        return rewrite;
    }

private:
    std::uint32_t add(PatternNode node) {
        pattern_.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(pattern_.nodes.size() - 1);
    }

    std::uint32_t variable(std::string name) {
        PatternNode node;
        node.isVar = true;
        node.var = egraph::VarId{pattern_.classVars.size()};
        pattern_.classVars.push_back(std::move(name));
        pattern_.classVarSorts.emplace_back();
        return add(node);
    }

    std::uint32_t operand() { return variable("s" + std::to_string(operands_++)); }

    std::uint32_t node(egraph::OpId op, std::vector<std::uint32_t> children) {
        PatternNode node;
        node.op = op;
        node.children = std::move(children);
        return add(std::move(node));
    }

    std::uint32_t call(egraph::OpId op, std::uint32_t unit, std::size_t count,
                       std::vector<std::uint32_t>& joined) {
        std::vector<std::uint32_t> children = {unit};
        for (std::size_t k = 0; k < count; ++k) {
            children.push_back(operand());
            joined.push_back(children.back());
        }
        return node(op, std::move(children));
    }

    /// Over the variables of the left side, which keep their numbers.
    Pattern rightSide(std::uint32_t writerUnit, std::uint32_t readerUnit,
                      const std::vector<std::uint32_t>& operands) const {
        Pattern right;
        right.classVars = pattern_.classVars;
        right.classVarSorts = pattern_.classVarSorts;
        const auto copy = [&](std::uint32_t variable) {
            right.nodes.push_back(pattern_.nodes[variable]);
            return static_cast<std::uint32_t>(right.nodes.size() - 1);
        };
        PatternNode seq;
        seq.op = terms_.seq;
        seq.children = {copy(writerUnit), copy(readerUnit)};
        right.nodes.push_back(seq);
        PatternNode joined;
        joined.op = join_.joined;
        joined.children = {static_cast<std::uint32_t>(right.nodes.size() - 1)};
        for (std::uint32_t operand : operands)
            joined.children.push_back(copy(operand));
        right.nodes.push_back(joined);
        return right;
    }

    const TermLanguage& terms_;
    const JoinedCall& join_;
    Pattern pattern_;
    int operands_ = 0;
};

} // namespace

std::vector<egraph::Rewrite> joinRewrites(const TermLanguage& terms,
                                          const std::vector<JoinedCall>& joins) {
    std::vector<egraph::Rewrite> rewrites;
    for (const JoinedCall& join : joins)
        rewrites.push_back(RuleBuilder(terms, join).run());
    return rewrites;
}

} // namespace marquetry::rules
