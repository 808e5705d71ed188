// What widgets may see of the engine: values, never what makes them.
//
// The folders support, device and ir hold values and their exact meaning. Of every other folder
// widgets reach, by includes of any length, only the headers named here. They declare types and the
// few functions named beside them, which read a value or write it as text; whoever searches,
// matches, decides a conflict or measures has a header of its own.
#pragma once

#include "tests/architecture/declarations.h"
#include "tests/architecture/include_rules.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace marquetry::architecture {

/// By header: the functions outside classes that it may declare.
inline const std::map<std::string, std::set<std::string>> kPlainData = {
    {"engine/banking/access_window.h", {}},
    {"engine/banking/pattern.h", {}},
    {"engine/banking/plan_result.h", {}},
    {"engine/banking/scheme.h", {"kindNamed", "toString"}},
    {"engine/banking/scheme_cost.h", {}},
    {"engine/banking/scheme_pins.h", {"meets", "text"}},
    {"engine/banking/search_result.h", {"proofName", "provedAmong", "toString"}},
    {"engine/banking/witness.h", {"concerns", "text"}},
    {"engine/cost/kernel_estimate.h", {}},
    {"engine/cost/row_function.h", {"isConstant"}},
    {"engine/cost/write_back_form.h", {}},
    {"engine/design/compare.h", {"compareDesigns", "designInWords"}},
    {"engine/design/comparison.h", {}},
    {"engine/design/comparison_table.h",
     {"cellOf", "comparisonColumns", "comparisonRowCount", "favouredOf", "holdersOf", "toString"}},
    {"engine/design/design.h", {"costModelNamed", "toString"}},
    {"engine/design/goal.h", {"objectiveNamed", "searchMethodNamed", "toString"}},
    {"engine/design/ledger.h", {"boundName", "toString"}},
    {"engine/design/ledger_share.h", {"criticalOf"}},
    {"engine/design/ledger_table.h", {"cellOf", "ledgerColumns", "totalRow"}},
    {"engine/design/move.h", {"layoutOf"}},
    {"engine/design/pin.h", {"namesPin", "noteOf", "parsePins", "printPins", "toString"}},
    {"engine/design/schedule.h",
     {"firstLane", "layerOf", "layoutOf", "packWeights", "sourcesOf", "storedLanesFor",
      "streamedPixels", "targetOf", "indexOf", "queueBeside", "isBeside"}},
    {"engine/design/timetable.h", {}},
    {"engine/design/timetable_table.h",
     {"beginText", "cellOf", "loopCounts", "placeText", "queueName", "stepText",
      "timetableColumns"}},
    {"engine/design/timetable_text.h", {"timetableJson"}},
    {"engine/egraph/frozen_egraph.h", {}},
    {"engine/egraph/enode.h", {}},
    {"engine/egraph/enode_store.h", {}},
    {"engine/egraph/iteration.h", {"toString"}},
    {"engine/egraph/label_table.h", {}},
    {"engine/egraph/paged_array.h", {}},
    {"engine/egraph/provenance.h", {"isRule", "originChain"}},
    {"engine/extract/metric_values.h", {}},
    {"engine/rules/rule_text.h", {}},
    {"engine/session/memory_state.h", {}},
    {"engine/session/next_change.h", {"gainOf"}},
    {"engine/session/snapshot.h", {"toString"}},
    {"engine/session/stream_state.h", {}},
    {"engine/spacetime/drawing.h", {"draw", "drawBoth", "elementAt"}},
    {"engine/spacetime/operators.h", {"info", "toString"}},
    {"engine/spacetime/seq_type.h",
     {"atomCount", "atomOf", "atomType", "bitsPerClock", "bitsTotal", "clocks", "equivalent",
      "erase", "lanes", "normalize", "sseq", "stuple", "throughput", "toString", "tseq",
      "validClocks"}},
    {"engine/spacetime/state_graph.h", {}},
    {"engine/spacetime/stream_schedule.h", {}},
};

inline const std::map<std::string, std::set<std::string>>& plainData() {
    return kPlainData;
}

inline bool isForWidgets(const std::string& path) {
    static const std::set<std::string> kFolders = {"support", "device", "ir"};
    return kFolders.contains(engineFolder(path)) || plainData().contains(path);
}

/// "a > b > c: no plain data" for each way along includes from widgets to a header that is none.
/// Such a header is looked at no further.
inline std::vector<std::string> solversSeen(const std::map<std::string, std::string>& files) {
    std::map<std::string, std::string> ways; ///< by file reached
    std::vector<std::string> open;
    for (const auto& [path, text] : files)
        if (path.starts_with("widgets/")) {
            ways[path] = path;
            open.push_back(path);
        }
    std::vector<std::string> found;
    for (std::size_t k = 0; k < open.size(); ++k) {
        const std::string path = open[k]; // a copy: the list grows
        for (const Include& include : includesOf(files.at(path))) {
            if (include.angled || !files.contains(include.target) ||
                !ways.try_emplace(include.target, ways[path] + " > " + include.target).second)
                continue;
            if (engineFolder(include.target).empty() || isForWidgets(include.target))
                open.push_back(include.target);
            else
                found.push_back(ways[include.target] + ": no plain data");
        }
    }
    return found;
}

/// What a header declares beside plain data: "path:line: what".
inline std::vector<std::string> notPlain(const std::string& path, const std::string& text) {
    std::vector<std::string> found;
    const auto add = [&](int line, const std::string& what) {
        found.push_back(path + ":" + std::to_string(line) + ": " + what);
    };
    for (const Token& token : tokensOf(text))
        if (token.text == "stop_token")
            add(token.line, "what can be stopped is work");
    const auto allowed = plainData().find(path);
    for (const Declaration& each : declarationsOf(text))
        if (each.kind == Declaration::Kind::Function && !each.member &&
            (allowed == plainData().end() || !allowed->second.contains(each.name)))
            add(each.line, each.name + " is a function of no plain data");
    return found;
}

} // namespace marquetry::architecture
