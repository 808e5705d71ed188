#include "engine/session/next_changes.h"

#include "engine/device/device_file.h"
#include "engine/rules/rule_texts.h"
#include "engine/support/numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace marquetry::session {

namespace {

using device::Device;

constexpr std::int64_t kRunOfFrames = 8;

/// Every change is one of the settings as they are.
class Candidates {
public:
    explicit Candidates(const Settings& now) : now_(now) {}

    template <class Change>
    void add(std::string text, const Change& change) {
        Settings settings = now_;
        change(settings);
        if (settings != now_)
            all_.push_back({std::move(text), std::move(settings)});
    }
    const Settings& now() const { return now_; }
    std::vector<ChangeToTry> take() { return std::move(all_); }

private:
    const Settings& now_;
    std::vector<ChangeToTry> all_;
};

void addDspLimits(Candidates& to, const Device& device, const design::Design& design) {
    const auto limit = to.now().limits.find("dsp");
    const double most = device.limits.dsp;
    if (limit != to.now().limits.end() && limit->second < most) {
        const double twice = std::max(1.0, 2 * limit->second);
        if (twice < most)
            to.add("Up to " + numberText(twice) + " DSP blocks",
                   [&](Settings& settings) { settings.limits["dsp"] = twice; });
        to.add("All " + numberText(most) + " DSP blocks of the device",
               [](Settings& settings) { settings.limits.erase("dsp"); });
    }
    const double half = std::floor(design.resources.dsp / 2);
    if (half >= 1)
        to.add("At most " + numberText(half) + " DSP blocks, half of those used",
               [&](Settings& settings) { settings.limits["dsp"] = half; });
}

void addOtherLimits(Candidates& to) {
    for (const auto& [name, text] : {std::pair("bram", "All block RAM of the device"),
                                     std::pair("lut", "All LUTs of the device"),
                                     std::pair("ff", "All flip-flops of the device"),
                                     std::pair("cycles", "Without the limit on cycles")})
        to.add(text, [&, limit = std::string(name)](Settings& settings) {
            settings.limits.erase(limit);
        });
}

/// 8-bit products in a microsecond.
double speedOf(const Device& device) {
    return device.limits.dsp * device.int8ProductsPerDsp * device.clockMhz;
}

void addDevice(Candidates& to, const Device& device) {
    to.add("On " + device.id + ", " + device.name + ", all of it", [&](Settings& settings) {
        settings.device = device.id;
        settings.clockMhz.reset();
        settings.bandwidth.reset();
        for (const char* const limit : {"dsp", "bram", "lut", "ff"})
            settings.limits.erase(limit);
    });
}

/// Those next in size. The search on much larger ones takes minutes.
void addDevices(Candidates& to, const Device& now) {
    std::vector<const Device*> bySpeed;
    for (const Device& device : device::shippedDevices())
        if (device.id != now.id)
            bySpeed.push_back(&device);
    std::ranges::stable_sort(bySpeed, {}, [](const Device* device) { return speedOf(*device); });
    const auto larger = std::ranges::find_if(
        bySpeed, [&](const Device* each) { return speedOf(*each) > speedOf(now); });
    if (larger != bySpeed.end())
        addDevice(to, **larger);
    if (larger != bySpeed.begin())
        addDevice(to, **std::prev(larger));
}

std::string switchText(const std::string& switched) {
    if (switched == "sharing")
        return switched;
    return (rules::ruleText(switched) ? "the rule " : "the rules ") + switched;
}

void addRules(Candidates& to) {
    for (const std::string& group : to.now().without)
        to.add("With " + switchText(group), [&](Settings& settings) {
            settings = withRules(settings, {group, true});
        });
    for (const char* const group : {"overlap", "streams", "sharing"})
        to.add("Without " + switchText(group), [&](Settings& settings) {
            if (isOn(settings, group))
                settings = withRules(settings, {group, false});
        });
}

void addGoals(Candidates& to) {
    const bool throughput = to.now().objective == design::Objective::Throughput;
    to.add(throughput ? "Objective latency" : "Objective throughput", [&](Settings& settings) {
        settings.objective =
            throughput ? design::Objective::Latency : design::Objective::Throughput;
    });
    const std::int64_t frames = to.now().batch.value_or(1);
    if (!throughput && frames < kRunOfFrames)
        to.add("Runs of " + std::to_string(kRunOfFrames) + " frames",
               [](Settings& settings) { settings.batch = kRunOfFrames; });
    if (frames > 1)
        to.add("Runs of one frame", [](Settings& settings) { settings.batch.reset(); });
    to.add("Costs of the hardware instead of published ones",
           [](Settings& settings) { settings.cost = design::CostModel::Cycles; });
    to.add("The search by pools, which knows joined and streamed calls",
           [](Settings& settings) { settings.method = design::SearchMethod::Pool; });
}

/// Greater is better; without a gain last.
bool isBefore(const ChangeFigures& now, const NextChange& one, const NextChange& other) {
    const auto gain = gainOf(now, one.then);
    const auto otherGain = gainOf(now, other.then);
    if (gain != otherGain)
        return gain.value_or(0) > otherGain.value_or(0);
    return gain && one.then->resources.dsp < other.then->resources.dsp;
}

} // namespace

std::optional<double> gainOf(const ChangeFigures& now, const std::optional<ChangeFigures>& then) {
    if (!then || then->cost != now.cost || then->cycles <= 0 || now.clockMhz <= 0)
        return std::nullopt;
    return (now.cyclesPerFrame() / then->cyclesPerFrame()) * (then->clockMhz / now.clockMhz);
}

std::vector<ChangeToTry> changesToTry(const Settings& now, const design::Design& design) {
    const auto device = device::findDevice(now.device);
    if (!device)
        return {};
    Candidates candidates(now);
    addDspLimits(candidates, *device, design);
    addOtherLimits(candidates);
    addRules(candidates);
    addGoals(candidates);
    addDevices(candidates, *device);
    return candidates.take();
}

ChangeFigures figuresOf(const design::Design& design, bool outOfTime) {
    return {design.cycles,   design.frames, design.resources,
            design.clockMhz, design.model,  outOfTime};
}

void insertByGain(NextChanges& changes, NextChange tried) {
    const auto place = std::ranges::upper_bound(
        changes.tried, tried, [&](const NextChange& one, const NextChange& other) {
            return isBefore(changes.now, one, other);
        });
    changes.tried.insert(place, std::move(tried));
}

ChangeTrial::ChangeTrial(std::shared_ptr<const ir::Program> program, ChangeToTry change,
                         const std::vector<design::Pin>& pins, std::function<void()> progress)
    : change_(std::move(change)) {
    auto begun = Exploring::begin(std::move(program), change_.settings, pins, std::move(progress));
    if (begun)
        exploring_ = *std::move(begun);
    else
        problem_ = begun.error();
}

NextChange ChangeTrial::answer() const {
    NextChange answer{change_, std::nullopt, problem_};
    if (!exploring_)
        return answer;
    const extract::ExtractResult& found = exploring_->task().explorer().found();
    if (found.design)
        answer.then = figuresOf(*found.design, exploring_->task().outOfTime());
    else
        answer.problem = found.infeasible;
    return answer;
}

NextChanges nextChanges(const Exploration& found, const std::stop_token& stop) {
    const auto& [settings, pins] = found.choices;
    const design::Design& design = *found.extraction.design;
    NextChanges changes{settings, figuresOf(design, found.outOfTime), {}, 0, false};
    const std::vector<ChangeToTry> candidates = changesToTry(settings, design);
    changes.toTry = candidates.size();
    for (const ChangeToTry& candidate : candidates) {
        ChangeTrial trial(found.program, candidate, pins);
        while (!trial.over() && !stop.stop_requested())
            trial.work(stop);
        changes.stopped = stop.stop_requested();
        if (changes.stopped)
            break;
        insertByGain(changes, trial.answer());
    }
    return changes;
}

} // namespace marquetry::session
