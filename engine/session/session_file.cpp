#include "engine/session/session_file.h"

#include "engine/session/design_choices.h"
#include "engine/session/session_fields.h"
#include "engine/support/json_depth.h"

#include <utility>

namespace marquetry::session {

namespace {

SessionJson pinsJson(const std::vector<design::Pin>& pins) {
    SessionJson list = SessionJson::array();
    for (design::Pin pin : pins) {
        const bool enabled = std::exchange(pin.enabled, true);
        SessionJson one = SessionJson::parse(design::printPins({pin}))["pins"][0];
        one["enabled"] = enabled;
        list.push_back(std::move(one));
    }
    return list;
}

SessionJson sessionMaps(const std::vector<ir::FlatMap>& maps) {
    SessionJson list = SessionJson::array();
    for (const ir::FlatMap& map : maps) {
        if (map.form == ir::MapForm::Parity)
            list.push_back({{"xor", map.alpha}});
        else
            list.push_back({{"alpha", map.alpha}, {"B", map.block}, {"N", map.banks}});
    }
    return list;
}

SessionJson bankChoiceJson(const BankChoice& choice) {
    const banking::SchemePins& pins = choice.pins;
    SessionJson json = SessionJson::object();
    if (!pins.maps.empty())
        json["maps"] = sessionMaps(pins.maps);
    if (pins.kind)
        json["kind"] = toString(*pins.kind);
    if (pins.banks != 0)
        json["banks"] = pins.banks;
    if (pins.block != 0)
        json["block"] = pins.block;
    if (!pins.alpha.empty())
        json["alpha"] = pins.alpha;
    if (pins.copies != 0)
        json["copies"] = pins.copies;
    if (choice.chosen)
        json["chosen"] = {{"maps", sessionMaps(choice.chosen->maps)},
                          {"copies", choice.chosen->copies}};
    return json;
}

SessionJson circuitChoiceJson(std::int64_t clocks, const CircuitChoice& choice) {
    SessionJson json = {{"clocks", clocks}};
    if (!choice.outputType.empty())
        json["output_type"] = choice.outputType;
    if (choice.chosen) {
        const device::Resources& area = choice.chosen->area;
        json["chosen"] = {{"dsp", area.dsp},
                          {"lut", area.lut},
                          {"ff", area.ff},
                          {"bram", area.bram},
                          {"delay", choice.chosen->delay}};
    }
    return json;
}

SessionJson streamChoiceJson(const StreamChoice& choice) {
    SessionJson json = SessionJson::object();
    if (choice.clocks != 0)
        json["clocks"] = choice.clocks;
    json["circuits"] = SessionJson::array();
    for (const auto& [clocks, circuit] : choice.circuits)
        json["circuits"].push_back(circuitChoiceJson(clocks, circuit));
    return json;
}

} // namespace

bool sameDecisions(const SessionFile& one, const SessionFile& other) {
    return one.program == other.program && one.item == other.item && one.text == other.text &&
           one.settings == other.settings && one.pins == other.pins && one.banks == other.banks &&
           one.streams == other.streams;
}

bool isSessionFile(const std::string& path) {
    return path.ends_with(".mqs");
}

bool looksLikeSession(std::string_view bytes) {
    const SessionJson json = parsedJson(bytes);
    return json.is_object() && json.contains("marquetry") && json["marquetry"] == kSessionMark;
}

std::string printSession(const SessionFile& session) {
    SessionJson json = {{"marquetry", kSessionMark}, {"version", SessionFile::kVersion}};
    json["program"] = {{"file", session.program}, {"item", session.item}, {"text", *session.text}};
    json["settings"] = toJson(DesignChoices{session.settings, {}})["settings"];
    json["pins"] = pinsJson(session.pins);
    json["banks"] = SessionJson::object();
    for (const auto& [name, choice] : session.banks)
        json["banks"][name] = bankChoiceJson(choice);
    json["streams"] = SessionJson::object();
    for (const auto& [name, choice] : session.streams)
        json["streams"][name] = streamChoiceJson(choice);
    json["at_hand"] = {{"memory", session.memory}, {"stream", session.stream}};
    json["searched"] = session.searched;
    json["window"] = SessionJson::object();
    for (const auto& [name, value] : session.window)
        json["window"][name] = value;
    if (!session.savedAs.empty())
        json["saved_as"] = session.savedAs;
    return json.dump(2, ' ', false, SessionJson::error_handler_t::replace) + "\n";
}

std::string asHeld(const std::string& text) {
    const SessionJson json = text;
    return SessionJson::parse(json.dump(-1, ' ', false, SessionJson::error_handler_t::replace))
        .get<std::string>();
}

SessionFile sessionOf(const Snapshot& snapshot, const SessionFile& before) {
    SessionFile session;
    session.program = snapshot.file;
    session.item = snapshot.item;
    session.text = HeldText(snapshot.source);
    session.settings = snapshot.settings;
    session.pins = snapshot.pins;
    for (std::size_t k = 0; k < session.pins.size(); ++k)
        session.pins[k].id = static_cast<int>(k) + 1;
    if (session.program == before.program) {
        session.banks = before.banks;
        if (!snapshot.source)
            session.text = before.text; // the file is away: what was read of it is all there is
        if (snapshot.phase == Phase::Invalid) {
            session.streams = before.streams; // known again when the mistakes are gone
            session.memory = before.memory;
            session.stream = before.stream;
        }
    }
    for (const MemoryItem& item : snapshot.memories) {
        session.banks.erase(item.program->name);
        if (item.choice != BankChoice())
            session.banks[item.program->name] = item.choice;
    }
    for (const StreamItem& item : snapshot.streams) {
        session.streams.erase(item.program->name);
        if (item.choice != StreamChoice())
            session.streams[item.program->name] = item.choice;
    }
    if (snapshot.memory < snapshot.memories.size())
        session.memory = snapshot.memories[snapshot.memory].program->name;
    if (snapshot.stream < snapshot.streams.size())
        session.stream = snapshot.streams[snapshot.stream].program->name;
    session.searched = !snapshot.iterations.empty() || snapshot.phase == Phase::Saturating;
    return session;
}

} // namespace marquetry::session
