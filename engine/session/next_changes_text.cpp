#include "engine/session/next_changes_text.h"

#include "engine/session/command_line.h"
#include "engine/support/json.h"
#include "engine/support/numbers.h"
#include "engine/support/text_columns.h"
#include "engine/support/text_stream.h"

#include <iomanip>

namespace marquetry::session {

namespace {

using ChangesJson = nlohmann::ordered_json;

std::string gainText(const std::optional<double>& gain) {
    TextOut text;
    if (gain)
        text << std::fixed << std::setprecision(2) << "×" << *gain;
    return text.str();
}

/// Of a frame, as a run has several in one change and one in another.
std::string cyclesOf(const ChangeFigures& figures) {
    return roundedText(figures.cyclesPerFrame());
}

std::vector<std::string> lineOf(const NextChanges& changes, const NextChange& tried) {
    const ChangeFigures& now = changes.now;
    if (!tried.then)
        return {tried.change.text, "", "",
                tried.problem.empty() ? "no design"
                                      : "no design: " + tried.problem.front().message};
    return {tried.change.text, cyclesOf(now) + " → " + cyclesOf(*tried.then),
            roundedText(now.resources.dsp) + " → " + roundedText(tried.then->resources.dsp),
            gainText(gainOf(now, tried.then)) + (tried.then->outOfTime ? " (out of time)" : "")};
}

ChangesJson figuresJson(const ChangeFigures& figures) {
    return {{"cycles", figures.cycles},       {"frames", figures.frames},
            {"clock_mhz", figures.clockMhz},  {"dsp", figures.resources.dsp},
            {"bram", figures.resources.bram}, {"lut", figures.resources.lut},
            {"ff", figures.resources.ff},     {"out_of_time", figures.outOfTime}};
}

std::string optionsToTry(const NextChange& tried, const std::vector<design::Pin>& pins) {
    return exploreOptions(tried.change.settings, pins).substr(1);
}

} // namespace

std::string changesText(const NextChanges& changes) {
    std::vector<TextRow> lines{{"Change", "Cycles a frame", "DSP", "Gain"}};
    for (const NextChange& tried : changes.tried)
        lines.push_back(lineOf(changes, tried));
    const std::string now =
        changes.now.outOfTime ? " (a limit on time ended the search of the design at hand)" : "";
    return "changes to try next, the best first" + now + ":\n" +
           textColumns(lines, {false, true, true, false});
}

std::string changesCsv(const NextChanges& changes, const std::vector<design::Pin>& pins) {
    std::string text = "change,cycles_now,frames_now,dsp_now,cycles,frames,dsp,gain,problem,"
                       "options\n";
    for (const NextChange& tried : changes.tried) {
        const auto of = [](const ChangeFigures& figures) {
            return std::to_string(figures.cycles) + "," + std::to_string(figures.frames) + "," +
                   numberText(figures.resources.dsp);
        };
        const auto gain = gainOf(changes.now, tried.then);
        text += csvText(tried.change.text) + "," + of(changes.now) + "," +
                (tried.then ? of(*tried.then) : ",,") + "," + (gain ? numberText(*gain) : "") +
                "," + csvText(tried.problem.empty() ? "" : tried.problem.front().message) + "," +
                csvText(optionsToTry(tried, pins)) + "\n";
    }
    return text;
}

std::string changesJson(const NextChanges& changes, const std::vector<design::Pin>& pins) {
    ChangesJson json = {{"now", figuresJson(changes.now)}, {"tried", ChangesJson::array()}};
    for (const NextChange& tried : changes.tried) {
        const auto gain = gainOf(changes.now, tried.then);
        json["tried"].push_back(
            {{"change", tried.change.text},
             {"options", optionsToTry(tried, pins)},
             {"then", tried.then ? figuresJson(*tried.then) : ChangesJson()},
             {"gain", gain ? ChangesJson(*gain) : ChangesJson()},
             {"problem", tried.problem.empty() ? "" : tried.problem.front().message}});
    }
    return json.dump(2, ' ', false, ChangesJson::error_handler_t::replace);
}

} // namespace marquetry::session
