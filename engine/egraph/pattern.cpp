#include "engine/egraph/pattern.h"

#include <algorithm>
#include <charconv>

namespace marquetry::egraph {

namespace {

std::optional<std::uint32_t> indexOf(const std::vector<std::string>& names, std::string_view name) {
    const auto it = std::ranges::find(names, name);
    if (it == names.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(it - names.begin());
}

std::optional<Param> asInteger(std::string_view word) {
    Param value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size())
        return std::nullopt;
    return value;
}

/// One pass over the text with an explicit stack of open parentheses.
class PatternParser {
public:
    PatternParser(const Language& language, std::string_view text, const Pattern* scope,
                  bool closedScope)
        : language_(language), text_(text), closedScope_(closedScope) {
        if (scope) {
            pattern_.classVars = scope->classVars;
            pattern_.paramVars = scope->paramVars;
            pattern_.classVarSorts = scope->classVarSorts;
        }
    }

    Result<Pattern> parse() {
        while (!failed_ && skipSpace())
            takeToken();
        if (!failed_ && !open_.empty())
            fail("pattern-syntax", "a parenthesis is not closed");
        if (!failed_ && !done_)
            fail("pattern-syntax", "the pattern is empty");
        if (failed_)
            return *failed_;
        return std::move(pattern_);
    }

private:
    struct Frame {
        std::optional<OpId> op; ///< empty until its name was read
        std::vector<ParamPattern> params;
        std::vector<std::uint32_t> children;
    };

    void fail(std::string code, const std::string& what) {
        if (!failed_)
            failed_ =
                makeError(std::move(code), what + " in the pattern '" + std::string(text_) + "'");
    }

    bool skipSpace() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
            ++at_;
        return at_ < text_.size();
    }

    void takeToken() {
        if (done_)
            return fail("pattern-syntax", "there is text after the end");
        if (text_[at_] == '(') {
            ++at_;
            open_.emplace_back();
        } else if (text_[at_] == ')') {
            ++at_;
            closeFrame();
        } else {
            const std::size_t end = std::min(text_.find_first_of(" \n()", at_), text_.size());
            const std::string_view word = text_.substr(at_, end - at_);
            at_ = end;
            takeWord(word);
        }
    }

    void takeWord(std::string_view word) {
        if (!open_.empty() && !open_.back().op)
            open_.back().op = findOp(word);
        else if (word.front() == '?')
            takeClassVar(word.substr(1));
        else if (word.front() == '$' || asInteger(word))
            takeParam(word);
        else if (const auto op = findOp(word))
            takeNode(Frame{op, {}, {}});
    }

    std::optional<OpId> findOp(std::string_view word) {
        const auto op = language_.findOp(word);
        if (!op)
            fail("unknown-operator", "there is no operator '" + std::string(word) + "'");
        return op;
    }

    void takeClassVar(std::string_view name) {
        PatternNode node;
        node.isVar = true;
        const auto known = indexOf(pattern_.classVars, name);
        if (!known && closedScope_)
            return fail("unbound-variable", "nothing binds '?" + std::string(name) + "'");
        node.var = VarId{known ? *known : static_cast<std::uint32_t>(pattern_.classVars.size())};
        if (!known) {
            pattern_.classVars.emplace_back(name);
            pattern_.classVarSorts.emplace_back();
        }
        place(std::move(node));
    }

    void takeParam(std::string_view word) {
        if (open_.empty() || !open_.back().children.empty())
            return fail("pattern-syntax", "the parameter '" + std::string(word) +
                                              "' must follow the name of its operator");
        ParamPattern param;
        if (const auto value = asInteger(word)) {
            param.literal = *value;
        } else {
            const std::string_view name = word.substr(1);
            const auto known = indexOf(pattern_.paramVars, name);
            if (!known && closedScope_)
                return fail("unbound-variable", "nothing binds '$" + std::string(name) + "'");
            param.isVar = true;
            param.var =
                ParamVarId{known ? *known : static_cast<std::uint32_t>(pattern_.paramVars.size())};
            if (!known)
                pattern_.paramVars.emplace_back(name);
        }
        open_.back().params.push_back(param);
    }

    void closeFrame() {
        if (open_.empty())
            return fail("pattern-syntax", "a parenthesis closes nothing");
        if (!open_.back().op)
            return fail("pattern-syntax", "an operator is missing");
        Frame frame = std::move(open_.back());
        open_.pop_back();
        takeNode(std::move(frame));
    }

    void takeNode(Frame frame) {
        const OpId op = *frame.op;
        if (!language_.acceptsParamCount(op, frame.params.size()) ||
            !language_.acceptsChildCount(op, frame.children.size()))
            return fail("pattern-arity",
                        "wrong number of parameters or children of '" + language_.name(op) + "'");
        for (std::size_t i = 0; i < frame.children.size(); ++i)
            checkSort(frame.children[i], language_.childSort(op, i));
        place(PatternNode{false, {}, op, std::move(frame.params), std::move(frame.children)});
    }

    void checkSort(std::uint32_t child, SortId wanted) {
        const PatternNode& node = pattern_.nodes[child];
        if (node.isVar && !pattern_.classVarSorts[node.var.index()].valid())
            pattern_.classVarSorts[node.var.index()] = wanted;
        const SortId got =
            node.isVar ? pattern_.classVarSorts[node.var.index()] : language_.result(node.op);
        if (got != wanted)
            fail("pattern-sort", "expected a child of sort " + language_.sortName(wanted) +
                                     ", found " + language_.sortName(got));
    }

    void place(PatternNode node) {
        const auto index = static_cast<std::uint32_t>(pattern_.nodes.size());
        pattern_.nodes.push_back(std::move(node));
        if (open_.empty())
            done_ = true;
        else
            open_.back().children.push_back(index);
    }

    const Language& language_;
    std::string_view text_;
    bool closedScope_;
    Pattern pattern_;
    std::vector<Frame> open_;
    std::size_t at_ = 0;
    bool done_ = false;
    std::optional<Diagnostic> failed_;
};

} // namespace

std::optional<VarId> Pattern::classVar(std::string_view name) const {
    const auto index = indexOf(classVars, name);
    return index ? std::optional{VarId{*index}} : std::nullopt;
}

std::optional<ParamVarId> Pattern::paramVar(std::string_view name) const {
    const auto index = indexOf(paramVars, name);
    return index ? std::optional{ParamVarId{*index}} : std::nullopt;
}

Result<Pattern> Pattern::parse(const Language& language, std::string_view text) {
    return PatternParser(language, text, nullptr, false).parse();
}

Result<Pattern> Pattern::parseIn(const Language& language, std::string_view text,
                                 const Pattern& scope) {
    return PatternParser(language, text, &scope, true).parse();
}

Result<Pattern> Pattern::parseBeside(const Language& language, std::string_view text,
                                     const Pattern& scope) {
    return PatternParser(language, text, &scope, false).parse();
}

std::string format(const Language& language, const Pattern& pattern) {
    // Children come first, so the text of every child is ready when its parent is written.
    std::vector<std::string> texts;
    for (const PatternNode& node : pattern.nodes) {
        if (node.isVar) {
            texts.push_back("?" + pattern.classVars[node.var.index()]);
            continue;
        }
        std::string text = language.name(node.op);
        for (const ParamPattern& p : node.params)
            text += " " +
                    (p.isVar ? "$" + pattern.paramVars[p.var.index()] : std::to_string(p.literal));
        for (std::uint32_t child : node.children)
            text += " " + texts[child];
        const bool bare = node.params.empty() && node.children.empty();
        texts.push_back(bare ? std::move(text) : "(" + text + ")");
    }
    return texts.empty() ? std::string() : texts.back();
}

} // namespace marquetry::egraph
