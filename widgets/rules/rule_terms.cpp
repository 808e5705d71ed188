#include "widgets/rules/rule_terms.h"

#include <algorithm>

namespace marquetry::widgets {

namespace {

class TermReader {
public:
    explicit TermReader(QStringView text) : text_(text) {}

    std::optional<RuleTerm> whole() {
        auto term = read();
        skipSpaces();
        return term && at_ == text_.size() ? term : std::nullopt;
    }

private:
    std::optional<RuleTerm> read() {
        RuleTerm term;
        const qsizetype begin = at_;
        while (at_ < text_.size() && !QStringView(u"[](),").contains(text_[at_]))
            ++at_;
        term.name = text_.mid(begin, at_ - begin).trimmed().toString();
        if (term.name.isEmpty() || !readParams(term) || !readArguments(term))
            return std::nullopt;
        return term;
    }

    bool readParams(RuleTerm& term) {
        if (!takes(u'['))
            return true;
        const qsizetype end = text_.indexOf(u']', at_);
        if (end < 0)
            return false;
        term.params = text_.mid(at_, end - at_).trimmed().toString();
        at_ = end + 1;
        return true;
    }

    bool readArguments(RuleTerm& term) {
        if (!takes(u'('))
            return true;
        do {
            auto argument = read();
            if (!argument)
                return false;
            term.arguments.push_back(*std::move(argument));
        } while (takes(u','));
        return takes(u')');
    }

    bool takes(QChar mark) {
        skipSpaces();
        const bool here = at_ < text_.size() && text_[at_] == mark;
        at_ += here ? 1 : 0;
        return here;
    }

    void skipSpaces() {
        while (at_ < text_.size() && text_[at_].isSpace())
            ++at_;
    }

    QStringView text_;
    qsizetype at_ = 0;
};

} // namespace

QString RuleTerm::label() const {
    return params.isEmpty() ? name : QStringLiteral("%1[%2]").arg(name, params);
}

bool RuleTerm::isVariable() const {
    const bool word = std::ranges::all_of(name, [](QChar c) { return c.isLetterOrNumber(); });
    const bool shortName = name.size() == 1 || (name.size() == 2 && name[1].isDigit());
    return params.isEmpty() && arguments.empty() && word && shortName;
}

std::optional<RuleSides> readEquation(const QString& equation) {
    const QStringList sides = equation.split(QStringLiteral(" = "));
    if (sides.size() != 2)
        return std::nullopt;
    auto before = TermReader(sides[0]).whole();
    auto after = TermReader(sides[1]).whole();
    if (!before || !after)
        return std::nullopt;
    return RuleSides{*std::move(before), *std::move(after)};
}

} // namespace marquetry::widgets
