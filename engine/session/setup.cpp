#include "engine/session/setup.h"

#include "engine/cost/buffer_cost.h"
#include "engine/cost/stream_unit.h"
#include "engine/design/batch.h"
#include "engine/device/device_file.h"
#include "engine/rules/lanes.h"
#include "engine/rules/rule_texts.h"
#include "engine/session/command.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>

namespace marquetry::session {

namespace {

const std::vector<std::string> kLimits = {"dsp", "bram", "lut", "ff", "cycles"};

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

bool isGroup(const std::string& name) {
    const auto& groups = rules::ruleGroups();
    return std::ranges::find(groups, name) != groups.end();
}

/// A rule that can be switched off alone.
bool isSwitched(const std::string& name) {
    const rules::RuleText* const text = rules::ruleText(name);
    return text != nullptr && !text->lowered;
}

std::optional<Diagnostic> checkNames(const Settings& settings) {
    for (const std::string& name : settings.without)
        if (name != "sharing" && !isGroup(name) && !isSwitched(name))
            return makeError("group-unknown", "there is no rule group \"" + name + "\"",
                             "groups: " + joined(rules::ruleGroups()) +
                                 ", and sharing; or a rule by its name, such as R-TILE-MV");
    for (const auto& [name, value] : settings.limits) {
        if (std::ranges::find(kLimits, name) == kLimits.end())
            return makeError("limit-unknown", "there is no limit \"" + name + "\"",
                             "limits: " + joined(kLimits));
        if (!std::isfinite(value) || value < 0)
            return makeError("limit-value",
                             "limit " + name + " must be a number that is not negative");
    }
    const bool clock =
        !settings.clockMhz || (std::isfinite(*settings.clockMhz) && *settings.clockMhz > 0);
    if (!clock)
        return makeError("option-value", "the clock must be above zero MHz");
    if (settings.bandwidth && (!std::isfinite(*settings.bandwidth) || *settings.bandwidth < 0))
        return makeError("option-value", "the bandwidth must not be negative");
    if (settings.batch && (*settings.batch < 1 || *settings.batch > design::kMostFrames))
        return makeError("option-value",
                         "a run of " + std::to_string(*settings.batch) + " frames is not to be had",
                         "a batch is 1 to " + std::to_string(design::kMostFrames) + " frames");
    if (!std::isfinite(settings.seconds) || settings.seconds < 0)
        return makeError("option-value", "the time limit must not be negative");
    if (settings.maxIterations < 0)
        return makeError("option-value", "the iteration limit must not be negative");
    return std::nullopt;
}

void applyLimits(Setup& setup, const Settings& settings) {
    setup.limits = setup.device.limits;
    for (const auto& [name, value] : settings.limits) {
        if (name == "dsp")
            setup.limits.dsp = value;
        else if (name == "bram")
            setup.limits.bram = value;
        else if (name == "lut")
            setup.limits.lut = value;
        else if (name == "ff")
            setup.limits.ff = value;
        else
            setup.extraction.cyclesLimit = value;
    }
}

/// In banks as wide as our generator makes them (cost/buffer_cost.h).
std::int64_t onChipBits(const Setup& setup) {
    constexpr std::int64_t kDeep = std::int64_t{1} << 20;
    constexpr double kMost = 1e15;
    const double blocks = setup.device.ramBlocks(kDeep, cost::kUsualMemoryBits);
    const double bits = static_cast<double>(kDeep * cost::kUsualMemoryBits) / blocks;
    return static_cast<std::int64_t>(std::min(setup.limits.bram * bits, kMost));
}

} // namespace

Result<Setup> makeSetup(const Settings& settings, const std::vector<design::Pin>& pins) {
    if (const auto error = checkNames(settings))
        return *error;
    auto device = device::findDevice(settings.device);
    if (!device)
        return device.error();
    Setup setup;
    setup.device = *std::move(device);
    setup.device.clockMhz = settings.clockMhz.value_or(setup.device.clockMhz);
    setup.device.memoryBytesPerCycle =
        settings.bandwidth.value_or(setup.device.memoryBytesPerCycle);
    applyLimits(setup, settings);
    std::vector<std::string> groups = settings.without;
    const bool sharing = std::erase(groups, std::string("sharing")) == 0;
    setup.lowering.policy = settings.cost == design::CostModel::Cycles ? rules::Policy::Cycles
                                                                       : rules::Policy::Published;
    setup.lowering.externalMemory = setup.device.memoryBytesPerCycle > 0;
    // A limit far above any device is no limit.
    setup.lowering.multipliers = static_cast<std::int64_t>(std::min(setup.limits.dsp, 1e12)) *
                                 setup.device.int8ProductsPerDsp;
    setup.lowering.pairsRows = setup.device.int8ProductsShareFactor;
    setup.lowering.onChipBits = onChipBits(setup);
    setup.lowering.without = groups;
    // The MILP knows neither joined calls nor stream units.
    const bool pools = settings.method == design::SearchMethod::Pool;
    setup.lowering.overlap = pools && isOn(settings, "overlap");
    setup.lowering.streams = pools && isOn(settings, "streams");
    if (cost::hasStreamUnits(setup.device))
        setup.lowering.streamLuts = setup.limits.lut;
    // The generator builds no partial products, and the Cycles model prices none.
    if (settings.cost == design::CostModel::Cycles)
        setup.lowering.without.emplace_back("partial");
    setup.saturation.maxSeconds = settings.seconds;
    setup.saturation.maxIterations = static_cast<std::size_t>(settings.maxIterations);
    setup.saturation.maxEnodes = settings.maxEnodes;
    setup.extraction.model = settings.cost;
    setup.extraction.device = setup.device;
    setup.extraction.limits = setup.limits;
    setup.extraction.objective = settings.objective;
    setup.extraction.frames = settings.batch;
    setup.extraction.method = settings.method;
    setup.extraction.seconds = settings.seconds;
    setup.extraction.sharing = sharing;
    // Of rules it is the e-graph that has no terms.
    std::ranges::copy_if(groups, std::back_inserter(setup.extraction.without), isGroup);
    setup.extraction.pins = pins;
    return setup;
}

void noteOutcome(extract::ExtractResult& result, egraph::StopReason outcome) {
    if (outcome == egraph::StopReason::Saturated || result.design || result.infeasible.empty())
        return;
    result.infeasible.front().notes.push_back(std::string("the e-graph is not complete (") +
                                              egraph::toString(outcome) +
                                              "): units that fit may be missing; search longer");
}

extract::MeasureParams measureParams(const Setup& setup, const extract::ExtractResult& found,
                                     std::uint64_t seed) {
    extract::MeasureParams params;
    params.model = setup.extraction.model;
    params.device = setup.device;
    params.dspLimit = setup.limits.dsp;
    params.frames = found.design ? found.design->frames : setup.extraction.frames.value_or(1);
    for (const design::DesignPoint& point : found.points)
        if (point.onFront && point.frames == params.frames)
            params.front.push_back({point.resources.dsp, static_cast<double>(point.cycles)});
    params.seed = seed;
    return params;
}

Result<std::map<std::string, double>> parseLimits(const std::string& text) {
    std::map<std::string, double> limits;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string entry = text.substr(at, end - at);
        at = end + 1;
        const std::size_t equals = entry.find('=');
        const std::string name = entry.substr(0, equals);
        if (equals == std::string::npos || std::ranges::find(kLimits, name) == kLimits.end())
            return makeError("limit-unknown", "\"" + entry + "\" is not a limit",
                             "expected NAME=NUMBER with NAME one of " + joined(kLimits));
        const char* first = entry.data() + equals + 1;
        const char* last = entry.data() + entry.size();
        double value = 0;
        const auto [stop, error] = std::from_chars(first, last, value);
        if (error != std::errc{} || stop != last || !std::isfinite(value) || value < 0)
            return makeError("limit-value",
                             "limit " + name + " must be a number that is not negative, found \"" +
                                 std::string(first, last) + "\"",
                             "for example --limit dsp=512");
        limits[name] = value;
    }
    return limits;
}

bool isOn(const Settings& settings, std::string_view group) {
    return std::ranges::find(settings.without, group) == settings.without.end();
}

Settings withRules(Settings settings, const SwitchRules& command) {
    std::erase(settings.without, command.group);
    if (!command.on)
        settings.without.push_back(command.group);
    std::ranges::sort(settings.without);
    return settings;
}

Settings fastestOf(Settings settings, const device::Resources& within, std::int64_t frames) {
    settings.objective = design::Objective::Latency;
    settings.limits["dsp"] = within.dsp;
    for (const auto& [name, amount] :
         {std::pair("bram", within.bram), std::pair("lut", std::ceil(within.lut)),
          std::pair("ff", std::ceil(within.ff))})
        if (amount > 0)
            settings.limits[name] = amount;
    settings.batch = frames > 1 ? std::optional(frames) : std::nullopt;
    return settings;
}

bool changesEgraph(const rules::Lowered& lowered, const Setup& before, const Setup& after) {
    const auto form = [](const rules::LoweringParams& params) {
        const std::set<std::string> without(params.without.begin(), params.without.end());
        return std::tuple(params.policy, params.lanes, params.externalMemory, params.overlap,
                          params.streams, without);
    };
    if (form(before.lowering) != form(after.lowering))
        return true;
    const auto widths = rules::offeredLanes(*lowered.program, lowered.plan, after.lowering);
    return std::ranges::find(widths, lowered.menu.lanes) == widths.end();
}

} // namespace marquetry::session
