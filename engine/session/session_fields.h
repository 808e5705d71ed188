// Fields of a session file: each is read by its name, and is what was expected, or not there, or a
// mistake with its line and column.
//
// What is not there leaves its target as it was. Of several mistakes all are told, the first
// kMostMistakes of them. Error: session-form. Complexity: linear in the text for each mistake.
// Thread rule: belongs to one thread; the text and the JSON value outlive it.
#pragma once

#include "engine/support/json.h"
#include "engine/support/json_place.h"
#include "engine/support/result.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace marquetry::session {

using SessionJson = nlohmann::ordered_json;

/// Of "marquetry", by which a session file is known.
inline constexpr const char* kSessionMark = "session";

class SessionFields {
public:
    /// A value of the file and the way to it; without a value it is not there.
    struct Field {
        const SessionJson* value = nullptr;
        JsonPath path;
        explicit operator bool() const { return value != nullptr; }
    };

    SessionFields(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    /// Of a field that is there: an object, or a mistake.
    Field member(const Field& of, const std::string& name);
    /// The same for a list.
    std::vector<Field> entries(const Field& list);
    std::vector<std::pair<std::string, Field>> members(const Field& object);

    void read(const Field& field, std::string& to);
    void read(const Field& field, bool& to);
    void read(const Field& field, double& to);
    template <std::integral Integer>
    void read(const Field& field, Integer& to) {
        constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
        std::uint64_t value = 0;
        if (integer(field, most, value))
            to = static_cast<Integer>(value);
    }
    template <class Value>
    void read(const Field& field, std::optional<Value>& to) {
        Value value{};
        read(field, value);
        if (field)
            to = value;
    }
    template <class Value>
    void read(const Field& field, std::vector<Value>& to) {
        for (const Field& entry : entries(field))
            read(entry, to.emplace_back());
    }
    /// A word with a meaning: `named` gives the meaning, or nothing.
    template <class Named, class Word>
    void readWord(const Field& field, Named named, const char* expected, Word& to) {
        std::string text;
        read(field, text);
        if (!field || !field.value->is_string())
            return;
        if (const auto word = named(text))
            to = *word;
        else
            wrong(field, expected);
    }

    /// `expected` as in "a number": what the file holds there is said, too.
    void wrong(const Field& field, const std::string& expected);
    void missing(const Field& of, const std::string& name, const std::string& expected);
    const Diagnostics& mistakes() const { return mistakes_; }

private:
    static constexpr std::size_t kMostMistakes = 20;

    bool is(const Field& field, bool kind, const char* expected);
    bool integer(const Field& field, std::uint64_t most, std::uint64_t& to);
    void tell(const Field& at, const std::string& what);

    std::string_view text_;
    std::string file_;
    Diagnostics mistakes_;
};

} // namespace marquetry::session
