#include "engine/session/command_line.h"

#include "engine/session/setup.h"
#include "engine/support/numbers.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <optional>

namespace marquetry::session {

namespace {

using design::Pin;

/// "--map 9,1,3,2": N, B and alpha of each map; "--map xor,36,1": the masks of a parity.
std::string mapOptions(const std::vector<ir::FlatMap>& maps) {
    std::string out;
    for (const ir::FlatMap& map : maps) {
        out += map.form == ir::MapForm::Parity
                   ? " --map xor"
                   : " --map " + std::to_string(map.banks) + "," + std::to_string(map.block);
        for (const std::int64_t a : map.alpha)
            out += "," + std::to_string(a);
    }
    return out;
}

std::string bankOptions(const banking::SchemePins& pins) {
    std::string out = mapOptions(pins.maps);
    if (pins.kind)
        out += " --kind " + toString(*pins.kind);
    if (pins.banks > 0)
        out += " --banks " + std::to_string(pins.banks);
    if (pins.block > 0)
        out += " --block " + std::to_string(pins.block);
    for (std::size_t k = 0; k < pins.alpha.size(); ++k)
        out += (k == 0 ? " --alpha " : ",") + std::to_string(pins.alpha[k]);
    if (pins.copies > 0)
        out += " --copies " + std::to_string(pins.copies);
    return out;
}

struct Writer {
    const CommandContext& context;

    std::string item(const std::string& name) const {
        return name.empty() ? "" : " --item " + shellWord(name);
    }
    std::string search(const std::string& verb, const Settings& settings,
                       const std::vector<Pin>& pins) const {
        return "marquetry " + verb + " " + shellWord(context.file) + item(context.item) +
               exploreOptions(settings, pins);
    }
    std::string search(const std::string& verb) const {
        return search(verb, context.settings, context.pins);
    }
    std::string explore(const Settings& settings, const std::vector<Pin>& pins) const {
        return search("explore", settings, pins);
    }
    std::string explore() const { return explore(context.settings, context.pins); }
    std::string steps(std::size_t more) const {
        return " --steps " + std::to_string(context.iterations + more);
    }

    std::string operator()(const OpenFile& c) const {
        return "marquetry open " + shellWord(c.path) + item(c.item);
    }
    std::string operator()(const OpenText& c) const {
        return "marquetry open " + shellWord(c.file);
    }
    std::string operator()(const OpenSession& c) const {
        return c.path.empty() ? std::string() : "marquetry open " + shellWord(c.path);
    }
    std::string operator()(const ChangeSettings& c) const {
        return explore(c.settings, context.pins);
    }
    std::string operator()(const SwitchRules& c) const {
        return explore(withRules(context.settings, c), context.pins);
    }
    std::string operator()(const Run&) const { return explore(); }
    std::string operator()(const Pause&) const { return explore() + steps(0); }
    std::string operator()(const StepOnce&) const { return explore() + steps(1); }
    std::string operator()(const StopRun&) const { return explore() + steps(0); }
    std::string operator()(const AddPin& c) const {
        std::vector<Pin> pins = context.pins;
        pins.push_back(c.pin);
        return explore(context.settings, pins);
    }
    std::string operator()(const RemovePin& c) const {
        std::vector<Pin> pins = context.pins;
        std::erase_if(pins, [&](const Pin& pin) { return pin.id == c.id; });
        return explore(context.settings, pins);
    }
    std::string operator()(const EnablePin& c) const {
        std::vector<Pin> pins = context.pins;
        for (Pin& pin : pins)
            if (pin.id == c.id)
                pin.enabled = c.enabled;
        return explore(context.settings, pins);
    }
    std::string operator()(const Undo&) const { return {}; }
    std::string operator()(const Redo&) const { return {}; }
    std::string operator()(const ChoosePoint& c) const {
        const Settings settings = fastestOf(context.settings, c.point.resources, c.point.frames);
        return explore(settings, context.pins);
    }
    std::string operator()(const AskWhatIf& c) const {
        return c.pin ? (*this)(AddPin{*c.pin}) : std::string();
    }
    std::string operator()(const AskBeside&) const { return {}; } // looking is not doing
    std::string operator()(const AskFile&) const { return {}; }
    std::string operator()(const AskHdlDifference&) const { return {}; }
    std::string operator()(const AskProof&) const { return {}; }
    std::string bank(const std::string& memory) const {
        const auto array = context.arrays.find(memory);
        return "marquetry bank " + shellWord(context.file) +
               (array == context.arrays.end() ? item(memory) : array->second) + " --device " +
               shellWord(context.settings.device);
    }
    std::string fixed(const std::string& memory, const SchemeName& scheme) const {
        return bank(memory) + mapOptions(scheme.maps) + " --copies " +
               std::to_string(scheme.copies);
    }
    std::string operator()(const ShowMemory& c) const { return bank(c.item); }
    std::string operator()(const ChooseBanks& c) const { return fixed(c.item, c.scheme); }
    std::string operator()(const PinBanks& c) const { return bank(c.item) + bankOptions(c.pins); }
    std::string operator()(const TryBanks& c) const {
        return c.scheme.maps.empty() ? std::string() : fixed(c.item, c.scheme);
    }
    std::string circuit(const std::string& stream, const std::string& when) const {
        return "marquetry schedule " + shellWord(context.file) + item(stream) + when +
               " --device " + shellWord(context.streamDevice);
    }
    std::string clock() const {
        return context.settings.clockMhz ? " --clock " + numberText(*context.settings.clockMhz)
                                         : std::string();
    }
    static const char* pictures(const Export& c) { return c.pictures ? " --pictures" : ""; }
    /// Circuits that are not the least are the window's alone.
    std::string exportOf(const StreamItem& stream, const Export& c) const {
        if (stream.chosen != 0)
            return {};
        const std::string& type = stream.scheduledType;
        return "marquetry export " + shellWord(context.file) + item(stream.program->name) +
               " --clocks " + std::to_string(stream.schedule->clocks) +
               (type.empty() ? "" : " --output-type " + shellWord(type)) + " --device " +
               shellWord(stream.device) + clock() + " --seed " +
               std::to_string(context.settings.seed) + hdl::optionsOf(c.form) + pictures(c) +
               " --out " + shellWord(c.folder);
    }
    std::string exportOf(const MemoryItem& memory, const Export& c) const {
        const banking::Scheme& scheme = memory.detail->priced.scheme;
        return "marquetry export " + shellWord(context.file) + item(memory.program->name) +
               mapOptions(scheme.maps) + " --copies " + std::to_string(scheme.copies) +
               " --device " + shellWord(context.settings.device) + clock() +
               hdl::optionsOf(c.form) + pictures(c) + " --out " + shellWord(c.folder);
    }
    std::string operator()(const ShowStream&) const { return {}; } // looking is not doing
    std::string operator()(const SetThroughput& c) const {
        return circuit(c.item, " --throughput " + std::to_string(c.throughput.atoms) + "/" +
                                   std::to_string(c.throughput.clocks));
    }
    std::string operator()(const ChooseCircuit&) const { return {}; } // the window's alone
    std::string operator()(const PinOutputType& c) const {
        return circuit(c.item, " --clocks " + std::to_string(c.clocks) +
                                   (c.type.empty() ? "" : " --output-type " + shellWord(c.type)));
    }
    /// What a search has besides settings and pins; nothing where none finds the design at hand.
    std::optional<std::string> designSteps() const {
        const Settings usual;
        if (context.foundBy == FoundBy::Steps)
            return steps(0);
        if (context.foundBy != FoundBy::Search)
            return std::nullopt;
        const int most = context.settings.maxIterations;
        return most == usual.maxIterations ? "" : " --steps " + std::to_string(most);
    }
    std::string exportOfDesign(const Export& c) const {
        const auto steps = designSteps();
        if (!steps)
            return {};
        return search("export") + *steps + hdl::optionsOf(c.form) + pictures(c) + " --out " +
               shellWord(c.folder);
    }
    std::string operator()(const Export& c) const {
        if (context.memory)
            return context.memory->buffer ? std::string() : exportOf(*context.memory, c);
        if (context.stream)
            return exportOf(*context.stream, c);
        if (!context.held.empty())
            return "marquetry export " + shellWord(context.held) + hdl::optionsOf(c.form) +
                   pictures(c) + " --out " + shellWord(c.folder);
        return c.item.empty() ? exportOfDesign(c) : std::string();
    }
    std::string operator()(const ListExport&) const { return {}; } // looking is not doing
    std::string operator()(const AskChanges&) const { return {}; } // nor is that
    std::string operator()(const AskWithoutRule& c) const {
        return c.rule.empty() ? std::string() : (*this)(SwitchRules{c.rule, false});
    }
    std::string operator()(const StopChanges&) const { return {}; }
    std::string operator()(const Measure&) const { return search("count"); }
    std::string operator()(const Verify& c) const {
        const std::string folder = c.folder.empty() ? context.exportedTo : c.folder;
        return "marquetry verify " + shellWord(folder) + " --simulator " + shellWord(c.simulator) +
               " --vectors " + std::to_string(c.vectors) + " --seed " + std::to_string(c.seed);
    }
};

std::string pinOption(std::vector<Pin> pins) {
    std::erase_if(pins, [](const Pin& pin) { return !pin.enabled; });
    if (pins.empty())
        return {};
    // One line: JSON strings hold no raw line ends, so those of the layout can go.
    std::string json;
    bool indent = false;
    for (const char c : design::printPins(pins)) {
        indent = c == '\n' || (indent && c == ' ');
        if (!indent)
            json += c;
    }
    return " --pins " + shellWord(json);
}

template <class Parts>
std::string commaSeparated(const Parts& parts) {
    std::string out;
    for (const std::string& part : parts)
        out += (out.empty() ? "" : ",") + part;
    return out;
}

} // namespace

std::string exploreOptions(const Settings& settings, const std::vector<Pin>& pins) {
    const Settings usual;
    std::string out = " --device " + shellWord(settings.device);
    if (settings.clockMhz)
        out += " --clock " + numberText(*settings.clockMhz);
    if (settings.bandwidth)
        out += " --bandwidth " + numberText(*settings.bandwidth);
    std::vector<std::string> limits;
    for (const auto& [name, value] : settings.limits)
        limits.push_back(name + "=" + numberText(value));
    if (!limits.empty())
        out += " --limit " + commaSeparated(limits);
    if (settings.objective != usual.objective)
        out += std::string(" --objective ") + toString(settings.objective);
    if (settings.batch)
        out += " --batch " + std::to_string(*settings.batch);
    if (settings.method != usual.method)
        out += std::string(" --method ") + toString(settings.method);
    if (settings.cost != usual.cost)
        out += " --cost " + toString(settings.cost);
    if (!settings.without.empty())
        out += " --without " + commaSeparated(settings.without);
    out += pinOption(pins);
    if (settings.seconds != usual.seconds)
        out += " --time " + numberText(settings.seconds);
    if (settings.seed != usual.seed)
        out += " --seed " + std::to_string(settings.seed);
    return out;
}

std::string commandLine(const Command& command, const CommandContext& context) {
    const bool needsFile = !std::holds_alternative<OpenFile>(command) &&
                           !std::holds_alternative<OpenSession>(command) &&
                           !std::holds_alternative<OpenText>(command) &&
                           !std::holds_alternative<Verify>(command);
    if (needsFile && context.file.empty())
        return {};
    return std::visit(Writer{context}, command);
}

std::string searchLine(const CommandContext& context, const std::string& verb) {
    const Writer writer{context};
    const auto steps = context.file.empty() ? std::nullopt : writer.designSteps();
    return steps ? writer.search(verb) + *steps : std::string();
}

} // namespace marquetry::session
