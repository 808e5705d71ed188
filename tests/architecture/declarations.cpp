#include "tests/architecture/declarations.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <string_view>

namespace marquetry::architecture {

namespace {

using Tokens = std::vector<Token>;
using Kind = Declaration::Kind;

bool isWord(const std::string& text) {
    return !text.empty() && (std::isalnum(static_cast<unsigned char>(text[0])) || text[0] == '_');
}

class Tokenizer {
public:
    explicit Tokenizer(std::string_view source) : rest_(source) {}

    Tokens run() {
        bool lineStart = true;
        while (!rest_.empty()) {
            const char c = rest_[0];
            if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                lineStart = lineStart || c == '\n';
                skip(1);
            } else if (c == '#' && lineStart) {
                skipDirective();
            } else if (rest_.starts_with("//")) {
                skip(std::min(rest_.size(), rest_.find('\n')));
            } else if (rest_.starts_with("/*")) {
                skipPast("*/");
            } else {
                readToken();
                lineStart = false;
            }
        }
        return std::move(tokens_);
    }

private:
    void skip(std::size_t size) {
        line_ += static_cast<int>(std::ranges::count(rest_.substr(0, size), '\n'));
        rest_.remove_prefix(std::min(size, rest_.size()));
    }

    void skipPast(std::string_view end) {
        const std::size_t at = rest_.find(end);
        skip(at == std::string_view::npos ? rest_.size() : at + end.size());
    }

    void skipDirective() {
        std::size_t end = rest_.find('\n');
        while (end != std::string_view::npos && end > 0 && rest_[end - 1] == '\\')
            end = rest_.find('\n', end + 1);
        skip(std::min(rest_.size(), end));
    }

    void readToken() {
        if (rest_.starts_with("R\"")) {
            tokens_.push_back({"\"\"", line_});
            const std::string end = ")" + std::string(rest_.substr(2, rest_.find('(') - 2)) + "\"";
            return skipPast(end);
        }
        if (rest_[0] == '"' || rest_[0] == '\'') {
            tokens_.push_back({"\"\"", line_});
            return skip(literalSize());
        }
        std::size_t size = rest_.starts_with("::") || rest_.starts_with("->") ? 2 : 1;
        if (isWord(std::string(rest_.substr(0, 1))))
            size = wordSize();
        tokens_.push_back({std::string(rest_.substr(0, size)), line_});
        skip(size);
    }

    std::size_t literalSize() const {
        std::size_t k = 1;
        while (k < rest_.size() && rest_[k] != rest_[0])
            k += rest_[k] == '\\' ? 2 : 1;
        return k + 1;
    }

    /// Digits may be parted by apostrophes.
    std::size_t wordSize() const {
        const bool number = std::isdigit(static_cast<unsigned char>(rest_[0])) != 0;
        std::size_t k = 1;
        while (k < rest_.size() && (isWord(std::string(1, rest_[k])) ||
                                    (number && (rest_[k] == '\'' || rest_[k] == '.'))))
            ++k;
        return k;
    }

    std::string_view rest_;
    int line_ = 1;
    Tokens tokens_;
};

std::string joinedText(const Tokens& tokens, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t k = first; k < last; ++k) {
        const bool words = k > first && isWord(tokens[k - 1].text) && isWord(tokens[k].text);
        text += (words || (k > first && tokens[k - 1].text == ",") ? " " : "") + tokens[k].text;
    }
    return text;
}

/// The place after the bracket that closes the one at `at`.
std::size_t pastBracket(const Tokens& tokens, std::size_t at) {
    static const std::set<std::string> kOpen = {"(", "[", "{"};
    static const std::set<std::string> kClose = {")", "]", "}"};
    int depth = 0;
    for (; at < tokens.size(); ++at) {
        depth += kOpen.contains(tokens[at].text) ? 1 : kClose.contains(tokens[at].text) ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/// Likewise for "<…>".
std::size_t pastAngles(const Tokens& tokens, std::size_t at) {
    int depth = 0;
    for (; at < tokens.size(); ++at) {
        depth += tokens[at].text == "<" ? 1 : tokens[at].text == ">" ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/// Where a declaration begins, after "template <…>", attributes and what says how it is linked.
std::size_t start(const Tokens& head) {
    static const std::set<std::string> kSkipped = {"inline", "static",  "constexpr",
                                                   "extern", "typedef", "Q_OBJECT"};
    std::size_t at = 0;
    while (at < head.size()) {
        if (head[at].text == "template" && at + 1 < head.size())
            at = pastAngles(head, at + 1);
        else if (head[at].text == "[")
            at = pastBracket(head, at);
        else if (kSkipped.contains(head[at].text))
            ++at;
        else
            break;
    }
    return at;
}

/// Where the name of a function or variable ends: before its arguments, its value, or the end.
std::size_t nameEnd(const Tokens& head, std::size_t at) {
    static const std::set<std::string> kEnds = {"(", "=", "{", "["};
    while (at < head.size() && !kEnds.contains(head[at].text)) {
        if (head[at].text == "operator")
            return std::min(head.size(), at + 2);
        at = head[at].text == "<" ? pastAngles(head, at) : at + 1;
    }
    return at;
}

class DeclarationReader {
public:
    explicit DeclarationReader(Tokens tokens) : tokens_(std::move(tokens)) {}

    std::vector<Declaration> run() {
        while (at_ < tokens_.size()) {
            readScope({});
            ++at_; // a bracket that closes nothing
        }
        return std::move(found_);
    }

private:
    struct Scope {
        std::string path;
        bool anonymous = false;
        bool member = false;
    };

    void readScope(Scope scope) {
        Tokens head;
        while (at_ < tokens_.size() && tokens_[at_].text != "}") {
            const std::string& text = tokens_[at_].text;
            if (text == ";") {
                declare(head, scope);
                head.clear();
                ++at_;
            } else if (text == ":" && isAccess(head)) {
                head.clear();
                ++at_;
            } else if (text == "(" || text == "[") {
                take(head, pastBracket(tokens_, at_));
            } else if (text == "{") {
                readBraces(head, scope);
            } else {
                take(head, at_ + 1);
            }
        }
    }

    void take(Tokens& head, std::size_t end) {
        head.insert(head.end(), tokens_.begin() + static_cast<std::ptrdiff_t>(at_),
                    tokens_.begin() + static_cast<std::ptrdiff_t>(end));
        at_ = end;
    }

    static bool isAccess(const Tokens& head) {
        static const std::set<std::string> kAccess = {"public", "private", "protected",
                                                      "Q_SIGNALS"};
        const std::size_t at = start(head);
        return at < head.size() && kAccess.contains(head[at].text);
    }

    void readBraces(Tokens& head, Scope scope) {
        const std::size_t at = start(head);
        const std::string first = at < head.size() ? head[at].text : "";
        if (first == "namespace") {
            ++at_;
            const std::string name = joinedText(head, at + 1, head.size());
            const std::string under = scope.path.empty() || name.empty() ? "" : "::";
            readScope({scope.path + under + name, scope.anonymous || name.empty(), scope.member});
            ++at_;
            head.clear();
        } else if ((first == "class" || first == "struct" || first == "union")) {
            ++at_;
            declare(head, scope);
            found_.back().defined = true;
            readScope({scope.path, scope.anonymous, true});
            ++at_;
            skipTo(";");
            head.clear();
        } else if (first != "enum" && isBody(head, at)) {
            at_ = pastBracket(tokens_, at_);
            declare(head, scope, tokens_[at_ - 1].line);
            head.clear();
        } else {
            take(head, pastBracket(tokens_, at_));
        }
    }

    void skipTo(const std::string& text) {
        while (at_ < tokens_.size() && tokens_[at_].text != text)
            ++at_;
        ++at_;
    }

    /// Whether braces that follow are statements, not values of a variable or of a member.
    static bool isBody(const Tokens& head, std::size_t at) {
        const std::size_t end = nameEnd(head, at);
        const bool isOperator = end > 1 && head[end - 2].text == "operator";
        if (end == head.size() || (head[end].text != "(" && !isOperator))
            return false;
        std::size_t k = end;
        while (k < head.size() && head[k].text != ":" && head[k].text != "=")
            k = head[k].text == "(" ? pastBracket(head, k) : k + 1;
        const bool members = k < head.size() && head[k].text == ":";
        return !members || head.back().text == ")" || head.back().text == "}";
    }

    void declare(const Tokens& head, Scope scope, int lastLine = 0) {
        const std::size_t at = start(head);
        if (at >= head.size())
            return;
        Declaration made;
        made.text = joinedText(head, 0, head.size());
        made.scope = scope.path;
        made.anonymous = scope.anonymous;
        made.member = scope.member;
        made.line = head.front().line;
        made.body = lastLine > 0;
        made.lines = made.body ? lastLine - made.line + 1 : 0;
        nameIt(made, head, at);
        found_.push_back(std::move(made));
    }

    static void nameIt(Declaration& made, const Tokens& head, std::size_t at) {
        const auto word = [&](std::size_t k) { return k < head.size() ? head[k].text : ""; };
        static const std::set<std::string> kTypes = {"class", "struct", "union"};
        static const std::regex kTest("(TYPED_)?TEST(_[FP])?");
        if (word(at) == "using" || word(at) == "namespace") {
            made.kind = word(at + 2) == "=" ? Kind::Alias : Kind::Other;
            made.name = word(at + 1);
        } else if (word(at) == "enum") {
            const bool scoped = word(at + 1) == "class" || word(at + 1) == "struct";
            made.kind = Kind::Type;
            made.name = word(at + (scoped ? 2 : 1));
            made.defined = std::ranges::any_of(head, [](auto& token) { return token.text == "{"; });
        } else if (kTypes.contains(word(at)) && nameEnd(head, at) == head.size()) {
            made.kind = Kind::Type;
            made.name = word(at + 1);
        } else if (std::regex_match(word(at), kTest)) {
            made.kind = Kind::Function;
            made.member = true; // of its suite
            made.name = joinedText(head, at, pastBracket(head, at + 1));
        } else if (const std::size_t end = nameEnd(head, at); end > at) {
            const bool isOperator = word(end - 2) == "operator";
            made.kind = isOperator || word(end) == "(" ? Kind::Function : Kind::Variable;
            made.name = (isOperator ? "operator" : "") + word(end - 1);
            const std::size_t before = end - (isOperator ? 2 : 1);
            made.member = made.member ||
                          (before > at && (word(before - 1) == "::" || word(before - 1) == "~"));
        }
    }

    Tokens tokens_;
    std::size_t at_ = 0;
    std::vector<Declaration> found_;
};

} // namespace

std::vector<Token> tokensOf(const std::string& source) {
    return Tokenizer(source).run();
}

std::vector<Declaration> declarationsOf(const std::string& source) {
    return DeclarationReader(tokensOf(source)).run();
}

} // namespace marquetry::architecture
