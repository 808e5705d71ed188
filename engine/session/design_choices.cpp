#include "engine/session/design_choices.h"

#include "engine/session/setup.h"

#include <cmath>
#include <concepts>

namespace marquetry::session {

namespace {

using Json = nlohmann::ordered_json;

Json settingsJson(const Settings& settings) {
    Json json = {{"device", settings.device}};
    if (settings.clockMhz)
        json["clock"] = *settings.clockMhz;
    if (settings.bandwidth)
        json["bandwidth"] = *settings.bandwidth;
    json["limit"] = Json::object();
    for (const auto& [name, value] : settings.limits)
        json["limit"][name] = value;
    json["cost"] = toString(settings.cost);
    json["objective"] = toString(settings.objective);
    if (settings.batch)
        json["batch"] = *settings.batch;
    json["method"] = toString(settings.method);
    json["without"] = settings.without;
    for (const char* group : kGroupMembers)
        json[group] = isOn(settings, group);
    json["seed"] = settings.seed;
    json["time"] = settings.seconds;
    json["steps"] = settings.maxIterations;
    json["enodes"] = settings.maxEnodes;
    return json;
}

/// Reads members; the first that is of the wrong kind is the error.
class Reader {
public:
    explicit Reader(const Json& json) : json_(json) {}

    void read(const char* name, std::string& to) {
        if (const Json* const member = find(name, &Json::is_string))
            to = member->get<std::string>();
    }
    void read(const char* name, bool& to) {
        if (const Json* const member = find(name, &Json::is_boolean))
            to = member->get<bool>();
    }
    void read(const char* name, double& to) {
        if (const Json* const member = find(name, &Json::is_number))
            to = member->get<double>();
    }
    void read(const char* name, std::optional<std::int64_t>& to) {
        std::int64_t value = 0;
        if (!json_.contains(name))
            return;
        read(name, value);
        to = value;
    }
    void read(const char* name, std::optional<double>& to) {
        if (const Json* const member = find(name, &Json::is_number))
            to = member->get<double>();
    }
    template <std::integral Integer>
    void read(const char* name, Integer& to) {
        const Json* const member = find(name, &Json::is_number_unsigned);
        if (member && std::in_range<Integer>(member->get<std::uint64_t>()))
            to = static_cast<Integer>(member->get<std::uint64_t>());
        else if (member)
            wrong(name);
    }
    /// A word with a meaning: `named` gives the meaning, or nothing.
    template <class Named, class Word>
    void readWord(const char* name, Named named, Word& to) {
        std::string text = toString(to);
        read(name, text);
        if (const auto word = named(text))
            to = *word;
        else
            wrong(name);
    }
    void read(const char* name, std::map<std::string, double>& to) {
        const Json* const member = find(name, &Json::is_object);
        if (!member)
            return;
        Reader inner(*member);
        for (const auto& [key, value] : member->items())
            inner.read(key.c_str(), to[key]);
        if (!inner.status())
            wrong(name);
    }
    void read(const char* name, std::vector<std::string>& to) {
        const Json* const member = find(name, &Json::is_array);
        if (!member)
            return;
        for (const Json& entry : *member)
            if (entry.is_string())
                to.push_back(entry.get<std::string>());
            else
                wrong(name);
    }
    const Json* object(const char* name) { return find(name, &Json::is_object); }

    void wrong(const char* name) {
        if (status_)
            status_ = makeError("design-form",
                                std::string("\"") + name +
                                    "\" of the settings of a design is not what it should be",
                                "explore the program again");
    }
    const Status& status() const { return status_; }

private:
    const Json* find(const char* name, bool (Json::*isOfKind)() const noexcept) {
        const auto at = json_.find(name);
        if (at == json_.end())
            return nullptr;
        if (((*at).*isOfKind)())
            return &*at;
        wrong(name);
        return nullptr;
    }

    const Json& json_;
    Status status_ = ok();
};

Result<Settings> settingsFrom(const Json& json) {
    Settings settings;
    Reader reader(json);
    reader.read("device", settings.device);
    reader.read("clock", settings.clockMhz);
    reader.read("bandwidth", settings.bandwidth);
    reader.read("limit", settings.limits);
    reader.readWord("cost", design::costModelNamed, settings.cost);
    reader.readWord("objective", design::objectiveNamed, settings.objective);
    reader.read("batch", settings.batch);
    reader.readWord("method", design::searchMethodNamed, settings.method);
    reader.read("without", settings.without);
    for (const char* group : kGroupMembers) {
        bool on = isOn(settings, group);
        reader.read(group, on);
        if (!on)
            settings = withRules(std::move(settings), {group, false});
    }
    reader.read("seed", settings.seed);
    reader.read("time", settings.seconds);
    reader.read("steps", settings.maxIterations);
    reader.read("enodes", settings.maxEnodes);
    if (!reader.status())
        return reader.status().error();
    return settings;
}

} // namespace

Json toJson(const DesignChoices& choices) {
    Json json = Json::parse(design::printPins(choices.pins));
    return {{"settings", settingsJson(choices.settings)}, {"pins", std::move(json["pins"])}};
}

Result<DesignChoices> choicesFrom(const Json& json) {
    DesignChoices choices;
    Reader reader(json);
    if (const Json* const settings = reader.object("settings")) {
        auto read = settingsFrom(*settings);
        if (!read)
            return read.error();
        choices.settings = *std::move(read);
    }
    if (!reader.status())
        return reader.status().error();
    if (!json.contains("pins"))
        return choices;
    const Json pins = {{"pins", json["pins"]}};
    auto read =
        design::parsePins(pins.dump(-1, ' ', false, Json::error_handler_t::replace), "DESIGN.json");
    if (!read)
        return makeError("design-form", "\"pins\" of a design are not what they should be: " +
                                            read.error().front().message);
    choices.pins = *std::move(read);
    return choices;
}

} // namespace marquetry::session
