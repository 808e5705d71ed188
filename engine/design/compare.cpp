#include "engine/design/compare.h"

#include "engine/design/compare_buffers.h"
#include "engine/design/compare_figures.h"
#include "engine/support/numbers.h"
#include "engine/support/quote.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <map>

namespace marquetry::design {

std::optional<double> ComparedNumber::difference() const {
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

std::optional<double> ComparedNumber::ratio() const {
    return a && b && *a != 0 ? std::optional(*b / *a) : std::nullopt;
}

ComparedNumber ComparedLayer::cycles() const {
    const auto of = [](const std::optional<LayerOfDesign>& layer) {
        return layer ? std::optional(static_cast<double>(layer->cycles)) : std::nullopt;
    };
    return {of(a), of(b)};
}

namespace {

/// A row of one design, before it has met the other's.
struct LayerRow {
    std::string name;
    StepKind kind = StepKind::Call;
    LayerOfDesign layer;

    /// A port may be named like a layer, and an output like an input.
    std::pair<std::string, int> key() const {
        const bool transfer = kind == StepKind::Load || kind == StepKind::Store;
        return {name, transfer ? 1 + static_cast<int>(kind) : 0};
    }
};

std::vector<LayerRow> rowsOfLedger(const Ledger& ledger) {
    constexpr double kPercent = 100;
    std::vector<LayerRow> rows;
    for (const LedgerRow& row : ledger.layers)
        rows.push_back(
            {row.name,
             row.kind,
             {row.clocks.cycles(), boundName(row.bound), row.unitName, kPercent * ledger.share(row),
              row.weights ? std::optional(row.weights->external) : std::nullopt}});
    return rows;
}

/// A design that was read from a file may name none.
std::string unitNameOf(const Design& design, const DesignCall& call) {
    const bool known = call.unit.valid() && call.unit.index() < design.units.size();
    return known ? design.unit(call.unit).name : std::string();
}

std::vector<LayerRow> rowsOfCalls(const Design& design) {
    constexpr double kPercent = 100;
    std::vector<LayerRow> rows;
    for (const DesignCall& call : design.calls) {
        const std::int64_t cycles = call.cycles - call.overlap;
        const double share = design.cycles > 0 ? kPercent * static_cast<double>(cycles) /
                                                     static_cast<double>(design.cycles)
                                               : 0;
        rows.push_back({call.layer,
                        StepKind::Call,
                        {cycles, call.memoryBound ? "memory" : "", unitNameOf(design, call), share,
                         std::nullopt}});
    }
    return rows;
}

std::vector<ComparedLayer> matched(const std::vector<LayerRow>& a, const std::vector<LayerRow>& b) {
    std::vector<ComparedLayer> layers;
    std::multimap<std::pair<std::string, int>, std::size_t> places; ///< of A, in its order
    for (const LayerRow& row : a) {
        places.emplace(row.key(), layers.size());
        layers.push_back({row.name, row.kind, row.layer, std::nullopt});
    }
    std::size_t next = 0; // behind what B's row before stands in
    std::vector<std::pair<std::size_t, ComparedLayer>> alone;
    for (const LayerRow& row : b) {
        const auto [first, last] = places.equal_range(row.key());
        if (first != last) {
            layers[first->second].b = row.layer;
            next = first->second + 1;
            places.erase(first);
        } else {
            alone.emplace_back(next, ComparedLayer{row.name, row.kind, std::nullopt, row.layer});
        }
    }
    std::ranges::stable_sort(alone, {}, &std::pair<std::size_t, ComparedLayer>::first);
    for (std::size_t k = 0; k < alone.size(); ++k)
        layers.insert(layers.begin() + static_cast<std::ptrdiff_t>(alone[k].first + k),
                      std::move(alone[k].second));
    return layers;
}

/// Without the number by which a second unit of the name is told from the first.
std::string hardwareName(const std::string& name) {
    const std::size_t number = name.rfind(" #");
    const bool numbered = number != std::string::npos && number + 2 < name.size() &&
                          name.find_first_not_of("0123456789", number + 2) == std::string::npos;
    return numbered ? name.substr(0, number) : name;
}

ComparedUnit hardwareOf(const DesignUnit& unit) {
    return {hardwareName(unit.name), unit.parallelism, unit.lanes,  unit.writeLanes,
            unit.multipliers,        std::nullopt,     std::nullopt};
}

UnitOfDesign useOf(const DesignUnit& unit) {
    constexpr double kPercent = 100;
    UnitOfDesign use{unit.resources, static_cast<std::int64_t>(unit.callSites.size()),
                     kPercent * unit.busy, std::nullopt};
    if (unit.multipliers > 0)
        use.utilisation = kPercent * unit.utilisation;
    return use;
}

bool sameHardware(const ComparedUnit& one, const ComparedUnit& other) {
    return one.name == other.name && one.parallelism == other.parallelism &&
           one.lanes == other.lanes && one.writeLanes == other.writeLanes &&
           one.multipliers == other.multipliers;
}

std::vector<ComparedUnit> matchedUnits(const Design& a, const Design& b) {
    std::vector<ComparedUnit> units;
    for (const DesignUnit& unit : a.units) {
        units.push_back(hardwareOf(unit));
        units.back().a = useOf(unit);
    }
    for (const DesignUnit& unit : b.units) {
        ComparedUnit hardware = hardwareOf(unit);
        const auto same = std::ranges::find_if(units, [&](const ComparedUnit& each) {
            return each.a && !each.b && sameHardware(each, hardware);
        });
        if (same == units.end()) {
            hardware.b = useOf(unit);
            units.push_back(std::move(hardware));
        } else {
            same->b = useOf(unit);
        }
    }
    std::ranges::stable_partition(units, [](const ComparedUnit& unit) { return unit.a && unit.b; });
    return units;
}

/// "conv1, conv2 and 3 more"
std::string someOf(const std::vector<std::string>& names) {
    constexpr std::size_t kNamed = 4;
    std::string text;
    for (std::size_t k = 0; k < std::min(kNamed, names.size()); ++k)
        text += (k == 0 ? "" : ", ") + names[k];
    if (names.size() > kNamed)
        text += " and " + std::to_string(names.size() - kNamed) + " more";
    return printable(text);
}

std::vector<std::string> layersAlone(const Design& one, const Design& other) {
    std::vector<std::string> names;
    for (const DesignCall& call : one.calls)
        if (std::ranges::find(other.calls, call.layer, &DesignCall::layer) == other.calls.end())
            names.push_back(call.layer);
    return names;
}

/// Their layers are what is compared: without one in common there is nothing to see.
Status sameProgram(const Design& a, const Design& b) {
    const auto onlyA = layersAlone(a, b);
    const auto onlyB = layersAlone(b, a);
    const bool strangers = onlyA.size() == a.calls.size() && onlyB.size() == b.calls.size();
    if (a.program == b.program && !strangers)
        return ok();
    Diagnostic error = makeError(
        "compare-programs",
        a.program == b.program
            ? "the two designs of " + inQuotes(a.program) + " have no layer in common"
            : "A is a design of " + inQuotes(a.program) + ", and B one of " + inQuotes(b.program),
        "compare two designs of one program");
    error.notes.push_back("layers with the name of one of the other: " +
                          std::to_string(a.calls.size() - onlyA.size()) + " of " +
                          std::to_string(a.calls.size()) + " in A");
    for (const auto& [side, names] : {std::pair("A", onlyA), std::pair("B", onlyB)})
        if (!names.empty())
            error.notes.push_back("only in " + std::string(side) + ": " + someOf(names));
    if (a.macs != b.macs)
        error.notes.push_back("multiplications of a frame: " + std::to_string(a.macs) + " in A, " +
                              std::to_string(b.macs) + " in B");
    return error;
}

std::vector<std::string> notesOf(const ComparedDesign& a, const ComparedDesign& b) {
    std::vector<std::string> notes;
    const Design& one = a.design;
    const Design& other = b.design;
    if (one.macs != other.macs)
        notes.push_back("The program has changed between the two: a frame needs " +
                        std::to_string(one.macs) + " multiplications in A and " +
                        std::to_string(other.macs) + " in B.");
    if (one.model != other.model)
        notes.push_back("A is priced by the cost model " + toString(one.model) + " and B by " +
                        toString(other.model) +
                        ": their cycles and resources are not of one kind.");
    if (one.device != other.device)
        notes.push_back("The devices differ, " + printable(one.device) + " and " +
                        printable(other.device) + ": a block of one is not a block of the other.");
    if (one.clockMhz != other.clockMhz)
        notes.push_back("The clocks differ: compare frames a second, cycles take another time.");
    if (one.frames != other.frames)
        notes.push_back("A run has " + std::to_string(one.frames) + " frames in A and " +
                        std::to_string(other.frames) +
                        " in B: compare cycles of a frame; those of layers are of a run.");
    for (const auto& [name, ledger] : {std::pair("A", &a.ledger), std::pair("B", &b.ledger)})
        if (!ledger->missing.empty())
            notes.push_back(std::string(name) + " has no ledger, so layers are calls alone: " +
                            printable(ledger->missing) + ".");
    return notes;
}

/// Whether fewer cycles of a layer in one are better than more in the other.
bool areAlike(const Design& a, const Design& b) {
    return a.model == b.model && a.frames == b.frames && a.clockMhz == b.clockMhz &&
           a.macs == b.macs;
}

} // namespace

std::string designInWords(const Design& design, const Ledger& ledger) {
    TextOut text;
    text << design.cycles << " cycles";
    if (design.frames > 1)
        text << " of a run of " << design.frames << " frames";
    text << ", " << roundedText(design.resources.dsp) << " DSP, "
         << roundedText(design.resources.bram) << " " << ramKindOf(ledger) << " on "
         << printable(design.device);
    if (design.clockMhz > 0)
        text << " at " << roundedText(design.clockMhz) << " MHz";
    bool limited = false;
    for (const LedgerResource& resource : ledger.resources) {
        if (resource.limit == resource.device)
            continue;
        text << (limited ? ", " : ", within ") << roundedText(resource.limit) << " of "
             << roundedText(resource.device) << " " << resource.name;
        limited = true;
    }
    return text.str();
}

Result<Comparison> compareDesigns(const ComparedDesign& a, const ComparedDesign& b) {
    if (Status same = sameProgram(a.design, b.design); !same)
        return same.error();
    const bool ledgers = a.ledger.missing.empty() && b.ledger.missing.empty();
    Comparison comparison;
    comparison.program = a.design.program;
    comparison.nameA = a.name;
    comparison.nameB = b.name;
    comparison.wordsA = designInWords(a.design, a.ledger);
    comparison.wordsB = designInWords(b.design, b.ledger);
    comparison.notes = notesOf(a, b);
    comparison.figures = comparedFigures(a, b);
    comparison.layers = ledgers ? matched(rowsOfLedger(a.ledger), rowsOfLedger(b.ledger))
                                : matched(rowsOfCalls(a.design), rowsOfCalls(b.design));
    if (!areAlike(a.design, b.design))
        comparison.ofLayers = Preferred::Neither;
    comparison.units = matchedUnits(a.design, b.design);
    comparison.buffers = comparedBuffers(a.design, b.design);
    return comparison;
}

} // namespace marquetry::design
