#include "engine/design/pin.h"

#include "engine/support/json.h"
#include "engine/support/json_depth.h"

#include <algorithm>
#include <array>
#include <utility>

namespace marquetry::design {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<PinKind, const char*>, 4> kKinds{{
    {PinKind::Share, "share"},
    {PinKind::NeverShare, "never-share"},
    {PinKind::ForceTerm, "force"},
    {PinKind::ForbidTerm, "forbid"},
}};

const char* name(PinKind kind) {
    for (const auto& [value, text] : kKinds)
        if (value == kind)
            return text;
    return "share";
}

Diagnostic fault(const std::string& file, const std::string& what) {
    Diagnostic error = makeError(
        "pins-file", what,
        "expected {\"pins\":[{\"kind\":\"share|never-share|force|forbid\",\"target\":\"Mv "
        "64×576\"}]}");
    error.file = file;
    return error;
}

std::string field(const Json& entry, const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

} // namespace

std::string toString(const Pin& pin) {
    std::string text = std::string(name(pin.kind)) + " " + pin.target;
    if (!pin.layer.empty())
        text += " in " + pin.layer;
    return text;
}

std::string noteOf(const Pin& pin) {
    return "pin: " + toString(pin);
}

bool namesPin(const Diagnostic& diagnostic, const Pin& pin) {
    const auto& notes = diagnostic.notes;
    return std::ranges::find(notes, noteOf(pin)) != notes.end() ||
           (diagnostic.code == "pin-unknown" &&
            diagnostic.message.find(toString(pin)) != std::string::npos);
}

Result<std::vector<Pin>> parsePins(std::string_view json, const std::string& file) {
    const Json document = parsedJson(json);
    if (document.is_discarded() || !document.is_object() || !document.contains("pins") ||
        !document["pins"].is_array())
        return fault(file, "the pins are not a JSON object with a list \"pins\"");
    std::vector<Pin> pins;
    for (const Json& entry : document["pins"]) {
        const std::string place = "pin " + std::to_string(pins.size() + 1);
        if (!entry.is_object())
            return fault(file, place + " is not an object");
        Pin pin;
        pin.id = static_cast<int>(pins.size()) + 1;
        if (entry.contains("layer") && !entry["layer"].is_string())
            return fault(file, place + " has a layer that is not a name");
        pin.target = field(entry, "target");
        pin.layer = field(entry, "layer");
        const std::string kind = field(entry, "kind");
        bool known = false;
        for (const auto& [value, text] : kKinds)
            if (kind == text) {
                pin.kind = value;
                known = true;
            }
        if (!known)
            return fault(file, place + " has the unknown kind \"" + kind + "\"");
        if (pin.target.empty())
            return fault(file, place + " has no target");
        const bool sharing = pin.kind == PinKind::Share || pin.kind == PinKind::NeverShare;
        if (sharing && !pin.layer.empty())
            return fault(file, place + " names a layer, but " + kind + " holds for a whole unit");
        pins.push_back(std::move(pin));
    }
    return pins;
}

std::string printPins(const std::vector<Pin>& pins) {
    Json document;
    document["pins"] = Json::array();
    for (const Pin& pin : pins) {
        if (!pin.enabled)
            continue;
        Json entry;
        entry["kind"] = name(pin.kind);
        entry["target"] = pin.target;
        if (!pin.layer.empty())
            entry["layer"] = pin.layer;
        document["pins"].push_back(std::move(entry));
    }
    return document.dump(2) + "\n";
}

} // namespace marquetry::design
