// Breaks a text in the ways files break: flipped bits, lost runs and ends, swapped words, absurd
// numbers, doubled lines, stray fragments. The same seed gives the same damage.
#pragma once

#include "engine/support/rng.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::test {

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    std::string mutate(std::string text) {
        const std::int64_t changes = random_.range(1, 3);
        for (std::int64_t k = 0; k < changes && !text.empty(); ++k)
            change(text);
        return text;
    }

private:
    std::size_t position(const std::string& text) {
        return static_cast<std::size_t>(random_.range(0, std::ssize(text) - 1));
    }

    void change(std::string& text) {
        switch (random_.range(0, 7)) {
        case 0: // a byte becomes any other
            text[position(text)] = static_cast<char>(random_.range(0, 255));
            return;
        case 1: // one bit flips
            text[position(text)] ^= static_cast<char>(1 << random_.range(0, 6));
            return;
        case 2: // a run is lost
            text.erase(position(text), static_cast<std::size_t>(random_.range(1, 30)));
            return;
        case 3: // the end is lost
            text.resize(position(text));
            return;
        case 4:
            swapWords(text);
            return;
        case 5:
            replaceNumber(text);
            return;
        case 6:
            duplicateLine(text);
            return;
        default:
            insertFragment(text);
            return;
        }
    }

    static bool isWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    }

    /// The word at or after a random place: [from, to).
    std::pair<std::size_t, std::size_t> word(const std::string& text) {
        std::size_t from = position(text);
        while (from < text.size() && !isWord(text[from]))
            ++from;
        std::size_t to = from;
        while (to < text.size() && isWord(text[to]))
            ++to;
        return {from, to};
    }

    void swapWords(std::string& text) {
        auto [a, aEnd] = word(text);
        auto [b, bEnd] = word(text);
        if (a > b) {
            std::swap(a, b);
            std::swap(aEnd, bEnd);
        }
        if (aEnd > b)
            return;
        const std::string first = text.substr(a, aEnd - a);
        const std::string second = text.substr(b, bEnd - b);
        text.replace(b, bEnd - b, first);
        text.replace(a, aEnd - a, second);
    }

    void replaceNumber(std::string& text) {
        static const std::vector<std::string> kNumbers = {
            "0",          "-1",         "99999999999999999999999", "9223372036854775807",
            "2147483648", "4294967296", "0xffffffffffffffff",      "65536"};
        std::size_t from = position(text);
        while (from < text.size() && (text[from] < '0' || text[from] > '9'))
            ++from;
        std::size_t to = from;
        while (to < text.size() && text[to] >= '0' && text[to] <= '9')
            ++to;
        text.replace(from, to - from, pick(kNumbers));
    }

    void duplicateLine(std::string& text) {
        const std::size_t at = position(text);
        const std::size_t before = text.rfind('\n', at);
        const std::size_t from = before == std::string::npos ? 0 : before + 1;
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
        if (from <= end)
            text.insert(from, text.substr(from, end - from + 1));
    }

    void insertFragment(std::string& text) {
        static const std::vector<std::string> kFragments = {
            "{",  "}",       "(",      ")",       "[",        "]",    ";",        "\"",
            "//", "design ", "let ",   "stream ", "memory {", "\xc3", "relu(",    ",",
            ":",  "\\",      "output", "i32[",    " = ",      "\n",   "concat(y,"};
        text.insert(position(text), pick(kFragments));
    }

    const std::string& pick(const std::vector<std::string>& from) {
        return from[static_cast<std::size_t>(random_.range(0, std::ssize(from) - 1))];
    }

    SplitMix64 random_;
};

} // namespace marquetry::test
