#include "engine/artefact/rtl_check.h"

#include "engine/artefact/opened_export.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace marquetry::hdl {

namespace {

constexpr std::array<std::string_view, 19> kRefusedWords = {
    "bind",    "checker",   "class",     "config",  "defparam", "export",      "extern",
    "force",   "import",    "interface", "let",     "library",  "macromodule", "modport",
    "package", "primitive", "program",   "release", "virtual"};
constexpr std::array<std::string_view, 4> kDirectives = {"`else", "`endif", "`ifdef", "`ifndef"};

enum class Kind : std::uint8_t { Word, System, Directive, Text, Other, End };

struct Token {
    Kind kind = Kind::End;
    std::string_view text; ///< of a string, what is between the quotes
    int line = 0;
};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isWordPart(char c) {
    return isLetter(c) || (c >= '0' && c <= '9');
}

/// Verilog as far as it matters here. Comments are left out; they may hold any character.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    /// Nothing, where the text is none that we write.
    std::optional<Token> next() {
        if (!skip())
            return std::nullopt;
        if (at_ == text_.size())
            return Token{Kind::End, {}, line_};
        const char c = text_[at_];
        if (c == '"')
            return string();
        if (isWordPart(c))
            return word(Kind::Word, 0);
        if (c == '$')
            return word(Kind::System, 1);
        if (c == '`')
            return word(Kind::Directive, 1);
        if (c == '\\' || c < ' ' || c > '~')
            return std::nullopt;
        return Token{Kind::Other, text_.substr(at_++, 1), line_};
    }

    int line() const { return line_; }

private:
    /// Spaces and comments; false when a comment does not end.
    bool skip() {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            const char c = rest[0];
            std::size_t length = 0;
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                length = 1;
            } else if (rest.starts_with("//")) {
                length = std::min(rest.find('\n'), rest.size());
            } else if (rest.starts_with("/*")) {
                const std::size_t end = rest.find("*/", 2);
                if (end == std::string_view::npos)
                    return false;
                length = end + 2;
            } else {
                return true;
            }
            line_ += static_cast<int>(std::ranges::count(rest.substr(0, length), '\n'));
            at_ += length;
        }
        return true;
    }

    Token word(Kind kind, std::size_t length) {
        while (at_ + length < text_.size() && isWordPart(text_[at_ + length]))
            ++length;
        at_ += length;
        return {kind, text_.substr(at_ - length, length), line_};
    }

    std::optional<Token> string() {
        const std::size_t begin = at_ + 1;
        const std::size_t end = text_.find_first_of("\"\\\n", begin);
        if (end == std::string_view::npos || text_[end] != '"')
            return std::nullopt;
        at_ = end + 1;
        return Token{Kind::Text, text_.substr(begin, end - begin), line_};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
};

std::string stemOf(const std::string& name) {
    return std::filesystem::path(name).stem().string();
}

/// A text without anything that results, or a format, are made of.
bool isPlainMessage(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return isWordPart(c) || c == ' ' || c == ':' || c == ',' || c == '.' || c == '-';
    });
}

/// Looks at one file, token by token, with a few tokens around each.
class FileCheck {
public:
    FileCheck(const std::string& name, const files::FolderFiles& files)
        : name_(name), files_(files), lexer_(files.at(name)) {}

    Status run() {
        for (std::size_t k = 1; k < window_.size(); ++k)
            if (!advance())
                return refuseText();
        while (at(0).kind != Kind::End) {
            if (Status status = check(); !status)
                return status;
            if (!advance())
                return refuseText();
        }
        if (modules_ != 1)
            return refuse(1, std::to_string(modules_) + " modules instead of one");
        return ok();
    }

private:
    bool advance() {
        std::ranges::rotate(window_, window_.begin() + 1);
        const auto token = lexer_.next();
        window_.back() = token.value_or(Token());
        return token.has_value();
    }

    Status refuse(int line, const std::string& what) const {
        return damaged(printable(name_) + ":" + std::to_string(line) + ": " + what +
                       " is not simulated");
    }

    Status refuseText() const {
        return refuse(lexer_.line(), "a name or character that no module of ours has");
    }

    /// The token looked at, one before it (-1), or one of the three behind it.
    const Token& at(int k) const { return window_[static_cast<std::size_t>(k + 1)]; }

    bool isOther(int k, std::string_view text) const {
        return at(k).kind == Kind::Other && at(k).text == text;
    }

    Status check() {
        const Token& token = at(0);
        const std::string text(token.text);
        switch (token.kind) {
        case Kind::System:
            return isHarmless() ? ok() : refuse(token.line, "the system task " + text);
        case Kind::Directive:
            return std::ranges::count(kDirectives, token.text) > 0
                       ? ok()
                       : refuse(token.line, "the directive " + text);
        case Kind::Word:
            if (std::ranges::count(kRefusedWords, token.text) > 0)
                return refuse(token.line, inQuotes(text));
            return text == "module" ? checkModule() : ok();
        case Kind::Other:
            // A connection ".port(…)" stands behind "(" or ","; everything else looks inside.
            if (text == "." && !isOther(-1, "(") && !isOther(-1, ","))
                return refuse(token.line, "a name inside another module");
            return ok();
        default:
            return ok();
        }
    }

    Status checkModule() {
        ++modules_;
        const std::string stem = stemOf(name_);
        if (at(1).kind != Kind::Word || at(1).text != stem)
            return refuse(at(0).line, "a module that is not called " + inQuotes(stem));
        return ok();
    }

    bool isHarmless() const {
        const std::string_view task = at(0).text;
        const std::string_view argument = at(2).text;
        const bool literal = isOther(1, "(") && at(2).kind == Kind::Text;
        if (task == "$readmemh")
            return literal && argument.ends_with(".mem") &&
                   argument.find('/') == std::string_view::npos &&
                   files_.contains("rtl/" + std::string(argument)) && isOther(3, ",");
        if (task == "$display")
            return literal && isPlainMessage(argument) && isOther(3, ")");
        return task == "$signed" || (task == "$stop" && isOther(1, ";"));
    }

    const std::string& name_;
    const files::FolderFiles& files_;
    Lexer lexer_;
    std::array<Token, 5> window_;
    int modules_ = 0;
};

/// Whether a text of ours declares a module of this name.
bool declares(std::string_view text, const std::string& module) {
    const std::string words = "module " + module;
    for (std::size_t at = text.find(words); at != std::string_view::npos;
         at = text.find(words, at + 1))
        if (at + words.size() == text.size() || !isWordPart(text[at + words.size()]))
            return true;
    return false;
}

} // namespace

Status checkRtl(const files::FolderFiles& files, const files::FolderFiles& bench) {
    for (const auto& [name, text] : files) {
        if (!name.starts_with("rtl/") || !name.ends_with(".v"))
            continue;
        if (Status status = FileCheck(name, files).run(); !status)
            return status;
        for (const auto& [benchName, benchText] : bench)
            if (declares(benchText, stemOf(name)))
                return damaged(printable(name) + " is a module of the bench: it is not simulated");
    }
    return ok();
}

} // namespace marquetry::hdl
