#include "engine/sweep/grid_axes.h"

#include "engine/algebra/rewrites.h"
#include "engine/session/setup.h"
#include "engine/session/streams.h"
#include "engine/spacetime/schedule.h"

#include <array>
#include <concepts>
#include <numeric>
#include <utility>

namespace marquetry::sweep {

namespace {

using frontend::ItemKind;
using session::Settings;
using Json = nlohmann::ordered_json;

std::string put(const Json& value, std::string& to) {
    if (!value.is_string())
        return "a text";
    to = value.get<std::string>();
    return {};
}

std::string put(const Json& value, bool& to) {
    if (!value.is_boolean())
        return "true or false";
    to = value.get<bool>();
    return {};
}

std::string put(const Json& value, double& to) {
    if (!value.is_number())
        return "a number";
    to = value.get<double>();
    return {};
}

template <std::integral Integer>
std::string put(const Json& value, Integer& to) {
    if (!value.is_number_unsigned() || !std::in_range<Integer>(value.get<std::uint64_t>()))
        return "a whole number that is not negative";
    to = static_cast<Integer>(value.get<std::uint64_t>());
    return {};
}

template <class Number>
std::string put(const Json& value, std::optional<Number>& to) {
    Number number = 0;
    std::string wrong = put(value, number);
    if (wrong.empty())
        to = number;
    return wrong;
}

template <class Word>
std::string putWord(const Json& value, std::optional<Word> (*named)(std::string_view),
                    const char* words, Word& to) {
    const auto word = value.is_string() ? named(value.get<std::string>()) : std::nullopt;
    if (!word)
        return words;
    to = *word;
    return {};
}

std::string putLimits(const Json& value, GridPoint& point) {
    Settings& settings = point.settings;
    settings.limits.clear();
    if (!value.is_string())
        return "a text such as \"dsp=60,bram=20\"";
    const std::string text = value.get<std::string>();
    if (text.empty())
        return {};
    auto limits = session::parseLimits(text);
    if (!limits)
        return "a text such as \"dsp=60,bram=20\" (" + limits.error().front().message + ")";
    settings.limits = *std::move(limits);
    return {};
}

/// Rule groups, or rewrites of a stream.
std::string putNames(const Json& value, GridPoint& point) {
    std::vector<std::string>& without = point.settings.without;
    without.clear();
    if (!value.is_string())
        return point.throughput ? "a text such as \"windows,sums\""
                                : "a text such as \"sharing,padding\"";
    const std::string text = value.get<std::string>();
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        without.push_back(text.substr(from, comma - from));
        from = comma + 1;
    }
    return {};
}

/// Of a rule group that is a key of its own.
std::string putGroup(const Json& value, const char* group, GridPoint& point) {
    bool on = true;
    std::string wrong = put(value, on);
    if (wrong.empty())
        point.settings = session::withRules(std::move(point.settings), {group, on});
    return wrong;
}

std::string putThroughput(const Json& value, GridPoint& point) {
    const std::string text = value.is_string()           ? value.get<std::string>()
                             : value.is_number_integer() ? value.dump()
                                                         : std::string();
    const auto throughput = session::throughputNamed(text);
    if (!throughput || throughput->atoms <= 0 || throughput->clocks <= 0)
        return "elements per clock: a whole number above 0, or a text such as \"1/4\"";
    const std::int64_t divisor = std::gcd(throughput->atoms, throughput->clocks);
    point.throughput = {throughput->atoms / divisor, throughput->clocks / divisor};
    return {};
}

std::string putTime(const Json& value, GridPoint& point) {
    point.timeGiven = true;
    return put(value, point.settings.seconds);
}

constexpr std::array<GridAxis, 15> kAxes = {{
    {"device", AxisOf::Both, [](const Json& v, GridPoint& p) { return put(v, p.settings.device); }},
    {"clock", AxisOf::Both,
     [](const Json& v, GridPoint& p) { return put(v, p.settings.clockMhz); }},
    {"bandwidth", AxisOf::Designs,
     [](const Json& v, GridPoint& p) { return put(v, p.settings.bandwidth); }},
    {"limit", AxisOf::Designs, putLimits},
    {"objective", AxisOf::Designs,
     [](const Json& v, GridPoint& p) {
         return putWord(v, design::objectiveNamed, "latency, throughput, area or front",
                        p.settings.objective);
     }},
    {"batch", AxisOf::Designs,
     [](const Json& v, GridPoint& p) { return put(v, p.settings.batch); }},
    {"throughput", AxisOf::Streams, putThroughput},
    {"cost", AxisOf::Designs,
     [](const Json& v, GridPoint& p) {
         return putWord(v, design::costModelNamed, "cycles, published or published-open",
                        p.settings.cost);
     }},
    {"method", AxisOf::Designs,
     [](const Json& v, GridPoint& p) {
         return putWord(v, design::searchMethodNamed, "pool or milp", p.settings.method);
     }},
    {"without", AxisOf::Both, putNames},
    {"overlap", AxisOf::Designs,
     [](const Json& v, GridPoint& p) { return putGroup(v, "overlap", p); }},
    {"streams", AxisOf::Designs,
     [](const Json& v, GridPoint& p) { return putGroup(v, "streams", p); }},
    {"time", AxisOf::Both, putTime},
    {"steps", AxisOf::Designs,
     [](const Json& v, GridPoint& p) { return put(v, p.settings.maxIterations); }},
    {"seed", AxisOf::Designs, [](const Json& v, GridPoint& p) { return put(v, p.settings.seed); }},
}};

/// The names in `without` are those of rewrites, which the settings of a design know nothing of.
Status checkStreamPoint(const GridPoint& point) {
    Settings settings = point.settings;
    settings.without.clear();
    const auto setup = session::makeSetup(settings, {});
    if (!setup)
        return setup.error();
    if (settings.seconds <= 0)
        return makeError("option-value", "the time limit must be above 0 seconds");
    if (const auto rewrites = algebra::allWithout(point.settings.without); !rewrites)
        return rewrites.error();
    return spacetime::checkDevice(setup->device);
}

} // namespace

std::span<const GridAxis> axes() {
    return kAxes;
}

GridPoint usualPoint(ItemKind kind) {
    GridPoint point;
    if (kind != ItemKind::Stream)
        return point;
    point.settings.device = session::Streams::kStreamDevice;
    point.throughput = {1, 1};
    return point;
}

Status checkPoint(const GridPoint& point) {
    if (point.throughput)
        return checkStreamPoint(point);
    const auto setup = session::makeSetup(point.settings, {});
    return setup ? ok() : Status(setup.error());
}

} // namespace marquetry::sweep
