// Tests hold no bound on time: what a machine needs for a piece of work says nothing about the next
// machine, or about this one with other work beside. Found here by their words, in sources of tests
// outside tests/bench: clocks and sleeps, waits that end sooner than the patience of all tests, and
// comparisons of which one side is a time and the other is not.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::architecture {

inline constexpr std::string_view kInsteadOfBounds =
    "tests bound no time: count steps, or compare two measurements of one run "
    "(tests/support/effort.h), or wait with the patience of all tests (tests/support/patience.h, "
    "waits.h); figures in seconds and their goals are printed by tests/bench";

/// Where clocks are read, on behalf of all others.
inline bool mayReadClocks(const std::string& path) {
    static constexpr std::array<std::string_view, 5> kPlaces = {
        "tests/bench/", "tests/architecture/", "tests/support/effort.h", "tests/support/patience.h",
        "tests/support/waits.h"};
    return std::ranges::any_of(kPlaces, [&](std::string_view p) { return path.starts_with(p); });
}

/// A word of clocks, sleeps and impatient waits; empty when there is none.
inline std::string clockIn(const std::string& line) {
    static const std::regex kClocks(
        R"((steady|system|high_resolution)_clock|chrono_literals|chrono::((milli|micro|nano)?seconds))"
        R"(|chrono::minutes|<ctime>|std::clock\b|clock_gettime|gettimeofday|getrusage|CLOCKS_PER_SEC)"
        R"(|QElapsedTimer|QDeadlineTimer|sleep_for|sleep_until|\busleep|\bnanosleep|qSleep)"
        R"(|QTest::qWait|QTRY_|_WITH_TIMEOUT|\.wait\(\d*\)|bench::Figures)"
        R"(|wait_(for|until)\((?!.*kPatience))");
    std::smatch match;
    return std::regex_search(line, match, kClocks) ? match.str() : "";
}

inline bool speaksOfTime(const std::string& text) {
    static const std::regex kWords(
        R"([sS]econds|[mM]illis|[mM]icros|[nN]anos|[eE]lapsed|[dD]uration|_(ms|us|ns|s)\b)"
        R"(|\b(ms|us|ns)\b|[a-z](Ms|Us)\b|cpu|Cpu|wallClock|std::clock|\w_clock)");
    return std::regex_search(text, kWords);
}

/// The arguments of a call, from after its parenthesis: those at its own level.
inline std::vector<std::string> argumentsFrom(const std::string& text, std::size_t at) {
    std::vector<std::string> arguments(1);
    char quote = 0;
    for (int depth = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != 0 || c == '"') {
            quote = quote == 0 ? c : c == quote && text[at - 1] != '\\' ? char(0) : quote;
        } else if (c == '(' || c == '{' || c == '[') {
            ++depth;
        } else if ((c == ')' || c == '}' || c == ']') && --depth < 0) {
            return arguments;
        } else if (c == ',' && depth == 0) {
            arguments.emplace_back();
            continue;
        }
        arguments.back() += c;
    }
    return arguments;
}

/// A comparison of a time with something that is none, other than 0.
inline bool boundsTime(const std::string& macro, const std::vector<std::string>& arguments) {
    static const std::regex kZero(R"(\s*0(\.0*)?\s*)");
    static const std::regex kCompared(R"([<>]=?\s*[\w.:]*[\d])");
    const bool ofTwo = std::regex_search(macro, std::regex("_(LT|LE|GT|GE|NEAR)$"));
    if (!ofTwo)
        return speaksOfTime(arguments[0]) && std::regex_search(arguments[0], kCompared);
    if (arguments.size() < 2 || speaksOfTime(arguments[0]) == speaksOfTime(arguments[1]))
        return false;
    return !std::regex_match(arguments[speaksOfTime(arguments[0]) ? 1 : 0], kZero);
}

inline std::string withoutComments(const std::string& text) {
    static const std::regex kComment(R"((^|[^:"])//[^\n]*)");
    return std::regex_replace(text, kComment, "$1");
}

/// "path:line: what: why" for all of one file.
inline std::vector<std::string> timeBounds(const std::string& path, const std::string& source) {
    std::vector<std::string> found;
    const std::string text = withoutComments(source);
    const auto note = [&](std::size_t line, const std::string& what) {
        found.push_back(path + ":" + std::to_string(line) + ": " + what + ": " +
                        std::string(kInsteadOfBounds));
    };
    std::istringstream lines(text);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number)
        if (const std::string word = clockIn(line); !word.empty())
            note(number, word);
    static const std::regex kMacros(
        R"(\b((EXPECT|ASSERT)_(LT|LE|GT|GE|NEAR|TRUE|FALSE)|QVERIFY2?|QCOMPARE\w*)\()");
    for (std::sregex_iterator it(text.begin(), text.end(), kMacros), end; it != end; ++it) {
        const auto at = static_cast<std::size_t>(it->position());
        if (boundsTime((*it)[1], argumentsFrom(text, at + static_cast<std::size_t>(it->length()))))
            note(1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n')),
                 (*it)[1]);
    }
    return found;
}

inline std::vector<std::string> timeBounds(const std::map<std::string, std::string>& files) {
    std::vector<std::string> found;
    for (const auto& [path, text] : files)
        if (path.starts_with("tests/") && !mayReadClocks(path))
            std::ranges::copy(timeBounds(path, text), std::back_inserter(found));
    return found;
}

} // namespace marquetry::architecture
