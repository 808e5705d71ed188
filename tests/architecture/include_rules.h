// The direction of includes, as data, and the check of one file against it.
//
// A folder may include itself, the folders it names here, and whatever those may include. Nothing
// below engine/ and nothing in app/cli includes Qt; nothing below engine/ sees widgets or app. What
// widgets see of the engine: plain_data.h.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::architecture {

inline const std::map<std::string, std::set<std::string>>& directEdges() {
    static const std::map<std::string, std::set<std::string>> kEdges = {
        {"support", {}},
        {"milp", {"support"}},
        {"quant", {"support"}},
        {"device", {"support"}},
        {"ir", {"support"}},
        {"frontend", {"ir", "quant"}},
        {"egraph", {"ir"}},
        {"term_extract", {"egraph", "milp"}},
        {"algebra", {"ir", "milp"}},
        {"spacetime", {"algebra", "ir", "device", "milp"}},
        {"datapath", {"spacetime", "milp"}},
        {"stream_states", {"spacetime", "egraph"}},
        {"banking", {"ir", "device"}},
        {"rules", {"ir", "egraph"}},
        {"cost", {"datapath", "banking", "egraph", "device"}},
        {"design", {"cost", "ir", "device"}},
        {"extract", {"rules", "design", "milp"}},
        {"rtl", {"support"}},
        {"lower_stream", {"rtl", "cost"}},
        {"lower_memory", {"rtl", "banking"}},
        {"lower_design", {"rtl", "lower_stream", "design"}},
        {"control", {"rtl"}},
        {"vendor", {"control", "device"}},
        {"artefact", {"vendor", "lower_design", "lower_stream", "lower_memory"}},
        {"session", {"frontend", "extract", "artefact", "stream_states"}},
        {"sweep", {"session"}},
    };
    return kEdges;
}

/// Every folder that `folder` may include from, itself among them.
inline std::set<std::string> visibleFrom(const std::string& folder) {
    std::set<std::string> seen = {folder};
    std::vector<std::string> open = {folder};
    while (!open.empty()) {
        const std::string next = open.back();
        open.pop_back();
        const auto edges = directEdges().find(next);
        if (edges == directEdges().end())
            continue;
        for (const std::string& target : edges->second) {
            if (seen.insert(target).second)
                open.push_back(target);
        }
    }
    return seen;
}

/// "engine/ir/type.h" → "ir"; empty when the path is not in a folder of the engine.
inline std::string engineFolder(const std::string& path) {
    constexpr std::string_view kEngine = "engine/";
    if (!path.starts_with(kEngine))
        return {};
    const std::size_t slash = path.find('/', kEngine.size());
    return slash == std::string::npos ? "" : path.substr(kEngine.size(), slash - kEngine.size());
}

struct Include {
    int line = 0;
    std::string target;
    bool angled = false;
};

inline std::vector<Include> includesOf(const std::string& text) {
    std::vector<Include> includes;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::size_t hash = line.find_first_not_of(" \t");
        if (hash == std::string::npos || line[hash] != '#')
            continue;
        const std::size_t word = line.find_first_not_of(" \t", hash + 1);
        if (word == std::string::npos || line.compare(word, 7, "include") != 0)
            continue;
        const std::size_t open = line.find_first_of("<\"", word);
        if (open == std::string::npos)
            continue;
        const std::size_t close = line.find_first_of(">\"", open + 1);
        includes.push_back({number, line.substr(open + 1, close - open - 1), line[open] == '<'});
    }
    return includes;
}

inline bool isQt(const Include& include) {
    return (include.angled && include.target.starts_with("Q")) ||
           include.target.starts_with("qcustomplot");
}

/// Headers whose use needs care that another header takes, and that one.
inline std::string wrapperOf(const std::string& target) {
    if (target == "nlohmann/json.hpp")
        return "engine/support/json.h";
    return target == "sstream" ? "engine/support/text_stream.h" : "";
}

/// What is wrong with one include; empty when nothing is.
inline std::string judge(const std::string& path, const Include& include) {
    const bool inEngine = path.starts_with("engine/");
    const bool inWidgets = path.starts_with("widgets/");
    const bool inCli = path.starts_with("app/cli/");
    if ((inEngine || inCli) && isQt(include))
        return "Qt is not seen here";
    const std::string wrapper = wrapperOf(include.target);
    if (include.angled && !wrapper.empty() && path != wrapper)
        return "include " + wrapper;
    const bool upward =
        include.target.starts_with("app/") || include.target.starts_with("tests/") ||
        (!inWidgets && !path.starts_with("app/") && include.target.starts_with("widgets/"));
    if ((inEngine || inWidgets) && upward)
        return "dependencies point the other way";
    if (inCli && include.target.starts_with("widgets/"))
        return "the command line needs no widgets";
    const std::string target = engineFolder(include.target);
    if (target.empty())
        return {};
    if (inEngine && !directEdges().contains(engineFolder(path)))
        return "the folder is not in the table of directions";
    if (inEngine && !visibleFrom(engineFolder(path)).contains(target))
        return "a back edge: " + engineFolder(path) + " may not see " + target;
    return {};
}

/// "path:line: includes X: why" for every forbidden include. Paths are relative to the top level.
inline std::vector<std::string> violations(const std::map<std::string, std::string>& files) {
    std::vector<std::string> found;
    for (const auto& [path, text] : files) {
        for (const Include& include : includesOf(text)) {
            const std::string why = judge(path, include);
            if (!why.empty())
                found.push_back(path + ":" + std::to_string(include.line) + ": includes " +
                                include.target + ": " + why);
        }
    }
    return found;
}

/// "path: N lines" for every file longer than `limit`.
inline std::vector<std::string> tooLong(const std::map<std::string, std::string>& files,
                                        std::ptrdiff_t limit) {
    std::vector<std::string> found;
    for (const auto& [path, text] : files) {
        const auto lines = std::count(text.begin(), text.end(), '\n');
        if (lines > limit)
            found.push_back(path + ": " + std::to_string(lines) + " lines");
    }
    return found;
}

} // namespace marquetry::architecture
