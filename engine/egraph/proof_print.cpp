#include "engine/egraph/proof.h"

namespace marquetry::egraph {

namespace {

constexpr std::string_view kEllipsis = "…";

/// Writes a term with an explicit stack and stops once it is too wide: a term with shared parts can
/// be exponentially longer than its table.
class TermWriter {
public:
    TermWriter(const Proof& proof, const ProofText& text) : proof_(proof), text_(text) {}

    std::string write(ProofTermId term) {
        todo_.push_back({term, 0});
        while (!todo_.empty() && out_.size() <= text_.maxWidth)
            advance();
        if (out_.size() <= text_.maxWidth)
            return std::move(out_);
        std::size_t end = text_.maxWidth;
        while (end > 0 && (static_cast<unsigned char>(out_[end]) & 0xC0) == 0x80)
            --end; // not inside a character
        return out_.substr(0, end).append(kEllipsis);
    }

private:
    struct Open {
        ProofTermId term;
        std::size_t written; ///< children
    };

    void advance() {
        Open& open = todo_.back();
        const ProofTerm& term = proof_.term(open.term);
        if (open.written == 0)
            writeHead(term);
        if (open.written == term.children.size()) {
            writeTail(term);
            todo_.pop_back();
            return;
        }
        if (lisp())
            out_ += ' ';
        else
            out_ += open.written == 0 ? "(" : ", ";
        const ProofTermId child = term.children[open.written++];
        todo_.push_back({child, 0});
    }

    void writeHead(const ProofTerm& term) {
        if (lisp() && !bare(term))
            out_ += '(';
        out_ += proof_.language->name(term.op);
        for (std::size_t k = 0; k < term.params.size(); ++k)
            out_ += (lisp() ? " " : k == 0 ? "[" : ", ") + std::to_string(term.params[k]);
        if (!lisp() && !term.params.empty())
            out_ += ']';
    }

    void writeTail(const ProofTerm& term) {
        const bool closes = lisp() ? !bare(term) : !term.children.empty();
        if (closes)
            out_ += ')';
    }

    bool lisp() const { return text_.notation == ProofText::Notation::Lisp; }
    static bool bare(const ProofTerm& term) { return term.params.empty() && term.children.empty(); }

    const Proof& proof_;
    const ProofText& text_;
    std::string out_;
    std::vector<Open> todo_;
};

std::string placeText(std::span<const std::uint32_t> place) {
    if (place.empty())
        return "the root";
    std::string text;
    for (std::uint32_t k : place)
        text += (text.empty() ? "" : ".") + std::to_string(k);
    return text;
}

} // namespace

std::string formatTerm(const Proof& proof, ProofTermId term, const ProofText& text) {
    return TermWriter(proof, text).write(term);
}

std::string formatStep(const Proof& proof, const ProofStep& step, std::span<const Rewrite> rules,
                       const ProofText& text) {
    std::string name = "given";
    if (step.rule != kGiven)
        name = step.rule.index() < rules.size() ? rules[step.rule.index()].name
                                                : "rule " + std::to_string(step.rule.value());
    return name + (step.forward ? " → at " : " ← at ") + placeText(step.place) + ": " +
           formatTerm(proof, proof.at(step.before, step.place), text) + " = " +
           formatTerm(proof, proof.at(step.after, step.place), text);
}

std::string format(const Proof& proof, std::span<const Rewrite> rules, const ProofText& text) {
    std::string out = "    " + formatTerm(proof, proof.start, text) + "\n";
    for (std::size_t k = 0; k < proof.steps.size(); ++k) {
        std::string number = std::to_string(k + 1);
        number.insert(0, number.size() < 3 ? 3 - number.size() : 0, ' ');
        out += number + " " + formatStep(proof, proof.steps[k], rules, text) + "\n";
    }
    return out + "    " + formatTerm(proof, proof.end, text) + "\n";
}

} // namespace marquetry::egraph
