#include "engine/session/session_fields.h"

#include "engine/support/quote.h"
#include "engine/support/text_place.h"

#include <string>

namespace marquetry::session {

namespace {

constexpr const char* kFormHint =
    "a session file is written by File, Save Session: what was changed by hand can be taken out, "
    "as whatever is not there is as usual";

std::string shownValue(const SessionJson& value) {
    constexpr std::size_t kMostShown = 40;
    std::string text = printable(value.dump(-1, ' ', true, SessionJson::error_handler_t::replace));
    if (text.size() > kMostShown)
        text = text.substr(0, kMostShown) + "…";
    return text;
}

} // namespace

SessionFields::Field SessionFields::member(const Field& of, const std::string& name) {
    if (!is(of, of && of.value->is_object(), "an object"))
        return {};
    const auto found = of.value->find(name);
    if (found == of.value->end())
        return {};
    Field field{&*found, of.path};
    field.path.push_back(name);
    return field;
}

std::vector<SessionFields::Field> SessionFields::entries(const Field& list) {
    std::vector<Field> all;
    if (!is(list, list && list.value->is_array(), "a list"))
        return all;
    for (const SessionJson& value : *list.value) {
        Field entry{&value, list.path};
        entry.path.push_back(std::to_string(all.size()));
        all.push_back(std::move(entry));
    }
    return all;
}

std::vector<std::pair<std::string, SessionFields::Field>>
SessionFields::members(const Field& object) {
    std::vector<std::pair<std::string, Field>> all;
    if (!is(object, object && object.value->is_object(), "an object"))
        return all;
    for (const auto& [name, value] : object.value->items())
        all.emplace_back(name, member(object, name));
    return all;
}

void SessionFields::read(const Field& field, std::string& to) {
    if (is(field, field && field.value->is_string(), "a text"))
        to = field.value->get<std::string>();
}

void SessionFields::read(const Field& field, bool& to) {
    if (is(field, field && field.value->is_boolean(), "true or false"))
        to = field.value->get<bool>();
}

void SessionFields::read(const Field& field, double& to) {
    if (is(field, field && field.value->is_number(), "a number"))
        to = field.value->get<double>();
}

bool SessionFields::integer(const Field& field, std::uint64_t most, std::uint64_t& to) {
    const std::string expected = "an integer from 0 to " + std::to_string(most);
    if (!is(field, field && field.value->is_number_unsigned(), expected.c_str()))
        return false;
    to = field.value->get<std::uint64_t>();
    if (to > most)
        wrong(field, expected);
    return to <= most;
}

/// False of a field that is not there, too, but that is no mistake.
bool SessionFields::is(const Field& field, bool kind, const char* expected) {
    if (field && !kind)
        wrong(field, expected);
    return field && kind;
}

void SessionFields::wrong(const Field& field, const std::string& expected) {
    const std::string name = field.path.empty() ? "the file" : inQuotes(pathText(field.path));
    tell(field, name + " is " + shownValue(*field.value) + ": expected " + expected);
}

void SessionFields::missing(const Field& of, const std::string& name, const std::string& expected) {
    JsonPath path = of.path;
    path.push_back(name);
    tell(of, inQuotes(pathText(path)) + " is missing: expected " + expected);
}

void SessionFields::tell(const Field& at, const std::string& what) {
    if (mistakes_.size() >= kMostMistakes)
        return;
    Diagnostic mistake = makeError("session-form", what, kFormHint);
    mistake.file = file_;
    mistake.range = placeAt(text_, byteOf(text_, at.path));
    mistakes_.push_back(std::move(mistake));
}

} // namespace marquetry::session
