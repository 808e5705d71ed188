// Session files are read: the version first, then every field, and all mistakes are told at once.
#include "engine/session/design_choices.h"
#include "engine/session/session_fields.h"
#include "engine/session/session_file.h"
#include "engine/session/setup.h"
#include "engine/support/files.h"
#include "engine/support/json_depth.h"
#include "engine/support/text_place.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace marquetry::session {

namespace {

using Field = SessionFields::Field;

constexpr std::size_t kMostSessionBytes = std::size_t{256} << 20;
constexpr const char* kNoSession =
    "open a .mqs file that File, Save Session wrote, or a program (.mq)";

Diagnostic inSession(Diagnostic error, std::string_view text, std::size_t byte,
                     const std::string& path) {
    error.file = path;
    error.range = placeAt(text, byte);
    return error;
}

/// The library says what it met, with bytes of the file in it; a file that ends early is said so.
Diagnostic syntaxError(std::string_view text, std::size_t byte, const std::string& path) {
    const std::size_t at = byte - std::min<std::size_t>(byte, 1);
    const bool ends = text.find_first_not_of(" \t\r\n", at) == std::string_view::npos;
    if (ends)
        return inSession(makeError("session-syntax",
                                   "the session file ends here: expected the rest of it",
                                   "it was cut short; take a copy of it that is whole"),
                         text, text.size(), path);
    return inSession(makeError("session-syntax",
                               "this is no JSON: expected a session file as Marquetry writes it",
                               kNoSession),
                     text, at, path);
}

Result<SessionJson> parsedSession(std::string_view text, const std::string& path) {
    if (nestsTooDeep(text))
        return inSession(makeError("session-form", "lists or objects nest too deep", kNoSession),
                         text, 0, path);
    try {
        return SessionJson::parse(text);
    } catch (const SessionJson::parse_error& error) {
        return syntaxError(text, error.byte, path);
    } catch (const SessionJson::out_of_range&) { // of a number; the library says not which
        return inSession(makeError("session-syntax",
                                   "a number in the session file is too large: expected one "
                                   "that a computer can hold",
                                   kNoSession),
                         text, 0, path);
    }
}

class SessionReader {
public:
    SessionReader(std::string_view text, const std::string& path)
        : fields_(text, path), text_(text), path_(path) {}

    Result<SessionFile> read(const SessionJson& json) {
        const Field root{&json, {}};
        if (const Status known = checkVersion(root); !known)
            return known.error();
        SessionFile session;
        readProgram(root, session);
        readSettings(fields_.member(root, "settings"), session.settings);
        for (const Field& pin : fields_.entries(fields_.member(root, "pins")))
            readPin(pin, session.pins);
        for (const auto& [name, choice] : fields_.members(fields_.member(root, "banks")))
            readBanks(choice, session.banks[name]);
        for (const auto& [name, choice] : fields_.members(fields_.member(root, "streams")))
            readStream(choice, session.streams[name]);
        if (const Field picked = fields_.member(root, "picked"))
            readPicked(picked, session.picked.emplace());
        const Field shown = fields_.member(root, "at_hand");
        fields_.read(fields_.member(shown, "memory"), session.memory);
        fields_.read(fields_.member(shown, "stream"), session.stream);
        fields_.read(fields_.member(root, "searched"), session.searched);
        for (const auto& [name, value] : fields_.members(fields_.member(root, "window")))
            fields_.read(value, session.window[name]);
        fields_.read(fields_.member(root, "saved_as"), session.savedAs);
        if (!fields_.mistakes().empty())
            return fields_.mistakes();
        return session;
    }

private:
    Diagnostic refused(const Field& at, Diagnostic error) const {
        return inSession(std::move(error), text_, byteOf(text_, at.path), path_);
    }

    /// First of all: what else a later version holds is unknown.
    Status checkVersion(const Field& root) {
        const SessionJson& json = *root.value;
        const bool marked = json.is_object() && json.contains("marquetry") &&
                            json["marquetry"] == kSessionMark && json.contains("version");
        if (!marked)
            return refused(root, makeError("session-form",
                                           "this is no session file of Marquetry: expected "
                                           "\"marquetry\": \"session\" and a version",
                                           kNoSession));
        const Field version = fields_.member(root, "version");
        std::int64_t number = 0;
        fields_.read(version, number);
        if (!fields_.mistakes().empty())
            return fields_.mistakes();
        if (number == 0)
            fields_.wrong(version, "a version from 1 to " + std::to_string(SessionFile::kVersion));
        if (number == 0)
            return fields_.mistakes();
        if (number <= SessionFile::kVersion)
            return ok();
        return refused(version,
                       makeError("session-newer",
                                 "this session file was written by a later Marquetry: it has "
                                 "version " +
                                     std::to_string(number) + ", expected at most " +
                                     std::to_string(SessionFile::kVersion),
                                 "open it with that Marquetry; nothing of it was changed"));
    }

    void readProgram(const Field& root, SessionFile& session) {
        const Field program = fields_.member(root, "program");
        if (!program)
            return fields_.missing(root, "program", "an object with the program's file and text");
        fields_.read(fields_.member(program, "file"), session.program);
        fields_.read(fields_.member(program, "item"), session.item);
        std::string text;
        fields_.read(fields_.member(program, "text"), text);
        session.text = HeldText(std::move(text));
        if (program.value->is_object() && session.program.empty() && fields_.mistakes().empty())
            fields_.missing(program, "file", "the path of the program's file");
    }

    void readSettings(const Field& field, Settings& settings) {
        const auto read = [&](const char* name, auto& to) {
            fields_.read(fields_.member(field, name), to);
        };
        read("device", settings.device);
        read("clock", settings.clockMhz);
        read("bandwidth", settings.bandwidth);
        for (const auto& [name, value] : fields_.members(fields_.member(field, "limit")))
            fields_.read(value, settings.limits[name]);
        fields_.readWord(fields_.member(field, "cost"), design::costModelNamed,
                         "the name of a cost model", settings.cost);
        fields_.readWord(fields_.member(field, "objective"), design::objectiveNamed,
                         "the name of an objective", settings.objective);
        read("batch", settings.batch);
        fields_.readWord(fields_.member(field, "method"), design::searchMethodNamed,
                         "the name of a search method", settings.method);
        read("without", settings.without);
        for (const char* group : kGroupMembers) {
            bool on = isOn(settings, group);
            read(group, on);
            if (!on)
                settings = withRules(std::move(settings), {group, false});
        }
        read("seed", settings.seed);
        read("time", settings.seconds);
        read("steps", settings.maxIterations);
        read("enodes", settings.maxEnodes);
    }

    void readPin(const Field& field, std::vector<design::Pin>& pins) {
        design::Pin pin;
        const bool kind = readKind(fields_.member(field, "kind"), pin.kind);
        fields_.read(fields_.member(field, "target"), pin.target);
        fields_.read(fields_.member(field, "layer"), pin.layer);
        fields_.read(fields_.member(field, "enabled"), pin.enabled);
        pin.id = static_cast<int>(pins.size()) + 1;
        if (field.value->is_object() && (!kind || pin.target.empty()) && fields_.mistakes().empty())
            fields_.wrong(field, "a pin with its kind and target");
        pins.push_back(std::move(pin));
    }

    bool readKind(const Field& field, design::PinKind& to) {
        using design::PinKind;
        const auto named = [](const std::string& name) -> std::optional<PinKind> {
            for (const auto& [word, kind] : {std::pair("share", PinKind::Share),
                                             {"never-share", PinKind::NeverShare},
                                             {"force", PinKind::ForceTerm},
                                             {"forbid", PinKind::ForbidTerm}})
                if (name == word)
                    return kind;
            return std::nullopt;
        };
        fields_.readWord(field, named, "share, never-share, force or forbid", to);
        return bool(field);
    }

    void readPicked(const Field& field, PickedDesign& picked) {
        fields_.read(fields_.member(field, "cycles"), picked.cycles);
        fields_.read(fields_.member(field, "frames"), picked.frames);
        fields_.read(fields_.member(field, "dsp"), picked.resources.dsp);
        fields_.read(fields_.member(field, "lut"), picked.resources.lut);
        fields_.read(fields_.member(field, "ff"), picked.resources.ff);
        fields_.read(fields_.member(field, "bram"), picked.resources.bram);
        fields_.read(fields_.member(field, "label"), picked.label);
        fields_.read(fields_.member(field, "lanes"), picked.lanes);
        fields_.read(fields_.member(field, "grouped_channels"), picked.groupedChannels);
    }

    void readMaps(const Field& field, std::vector<ir::FlatMap>& maps) {
        for (const Field& entry : fields_.entries(field)) {
            ir::FlatMap& map = maps.emplace_back();
            if (const Field masks = fields_.member(entry, "xor")) {
                fields_.read(masks, map.alpha);
                map = ir::parityMap(std::move(map.alpha));
                continue;
            }
            fields_.read(fields_.member(entry, "alpha"), map.alpha);
            fields_.read(fields_.member(entry, "B"), map.block);
            fields_.read(fields_.member(entry, "N"), map.banks);
        }
    }

    void readBanks(const Field& field, BankChoice& choice) {
        banking::SchemePins& pins = choice.pins;
        readMaps(fields_.member(field, "maps"), pins.maps);
        if (const Field kind = fields_.member(field, "kind"))
            fields_.readWord(kind, banking::kindNamed, "flat, hierarchical, lattice or xor",
                             pins.kind.emplace());
        fields_.read(fields_.member(field, "banks"), pins.banks);
        fields_.read(fields_.member(field, "block"), pins.block);
        fields_.read(fields_.member(field, "alpha"), pins.alpha);
        fields_.read(fields_.member(field, "copies"), pins.copies);
        if (const Field chosen = fields_.member(field, "chosen")) {
            SchemeName& name = choice.chosen.emplace();
            readMaps(fields_.member(chosen, "maps"), name.maps);
            fields_.read(fields_.member(chosen, "copies"), name.copies);
        }
    }

    void readStream(const Field& field, StreamChoice& choice) {
        fields_.read(fields_.member(field, "clocks"), choice.clocks);
        for (const Field& entry : fields_.entries(fields_.member(field, "circuits"))) {
            std::int64_t clocks = 0;
            fields_.read(fields_.member(entry, "clocks"), clocks);
            CircuitChoice& circuit = choice.circuits[clocks];
            fields_.read(fields_.member(entry, "output_type"), circuit.outputType);
            if (const Field chosen = fields_.member(entry, "chosen"))
                readCircuit(chosen, circuit.chosen.emplace());
        }
    }

    void readCircuit(const Field& field, CircuitName& name) {
        fields_.read(fields_.member(field, "dsp"), name.area.dsp);
        fields_.read(fields_.member(field, "lut"), name.area.lut);
        fields_.read(fields_.member(field, "ff"), name.area.ff);
        fields_.read(fields_.member(field, "bram"), name.area.bram);
        fields_.read(fields_.member(field, "delay"), name.delay);
    }

    SessionFields fields_;
    std::string_view text_;
    const std::string& path_;
};

} // namespace

Result<SessionFile> parseSession(std::string_view text, const std::string& path) {
    const auto json = parsedSession(text, path);
    if (!json)
        return json.error();
    return SessionReader(text, path).read(*json);
}

Result<SessionFile> readSession(const std::string& path) {
    const auto text = files::read(path, kMostSessionBytes);
    if (!text)
        return text.error();
    return parseSession(*text, path);
}

std::string programFileOf(const SessionFile& session, const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path there = session.program;
    const fs::path beside = fs::path(path).parent_path() / there.filename();
    const bool moved = !path.empty() && !fs::is_regular_file(there, ignored) &&
                       fs::is_regular_file(beside, ignored);
    return (moved ? beside : there).string();
}

} // namespace marquetry::session
