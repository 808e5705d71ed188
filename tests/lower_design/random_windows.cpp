#include "tests/lower_design/random_windows.h"

#include "engine/design/build_schedule.h"
#include "engine/design/write_back.h"
#include "engine/ir/interpreter.h"
#include "engine/support/assert.h"
#include "engine/support/rng.h"
#include "tests/lower_design/random_design.h"
#include "tests/support/programs.h"

#include <algorithm>
#include <numeric>

namespace marquetry::test {

namespace {

std::string listed(std::initializer_list<std::int64_t> numbers) {
    std::string text;
    for (const std::int64_t number : numbers)
        text += (text.empty() ? "[" : ", ") + std::to_string(number);
    return text + "]";
}

/// Of one axis: the window, how it moves, and what lies around the image.
struct Axis {
    std::int64_t kernel = 1, stride = 1, before = 0, after = 0;

    std::int64_t results(std::int64_t extent) const {
        return (extent + before + after - kernel) / stride + 1;
    }
};

class RandomText {
public:
    explicit RandomText(std::uint64_t seed)
        : rng_(seed), name_("windows_" + std::to_string(seed)) {}

    std::string write() {
        scalar_ = coin() ? "i8" : "u8";
        extents_ = {rng_.range(1, 8), rng_.range(1, 8)};
        channels_ = rng_.range(1, 20);
        declare("input", current_ = "x", {extents_[0], extents_[1], channels_});
        const std::int64_t layers = rng_.range(1, 4);
        for (std::int64_t layer = 0; layer < layers; ++layer)
            append(layer + 1 == layers);
        return "design " + name_ + " {\n" + text_ + "  output y = " + current_ + ";\n}\n";
    }

private:
    bool coin() { return rng_.range(0, 1) == 1; }

    void declare(const char* kind, const std::string& name,
                 std::initializer_list<std::int64_t> dims, const std::string& scalar) {
        text_ += std::string("  ") + kind + " " + name + " : " + scalar + listed(dims) +
                 " = random(seed: " + std::to_string(++seeds_) + ");\n";
    }
    void declare(const char* kind, const std::string& name,
                 std::initializer_list<std::int64_t> dims) {
        declare(kind, name, dims, scalar_);
    }

    /// Windows that fit; those of `covered` have an element of the image in each.
    Axis draw(std::int64_t extent, bool covered) {
        Axis axis;
        axis.kernel = rng_.range(1, 4);
        axis.stride = rng_.range(1, 3);
        const std::int64_t most = covered ? axis.kernel - 1 : axis.kernel + 1;
        axis.before = coin() ? 0 : rng_.range(0, most);
        axis.after = coin() ? 0 : rng_.range(0, most);
        if (extent + axis.before + axis.after < axis.kernel)
            axis.kernel = extent + axis.before + axis.after;
        if (covered && std::max(axis.before, axis.after) >= axis.kernel)
            axis.before = axis.after = axis.kernel - 1;
        return axis;
    }

    /// As many results as there are elements.
    Axis drawSame() {
        const std::int64_t reach = rng_.range(0, 1);
        return {2 * reach + 1, 1, reach, reach};
    }

    void drawAxes(bool covered) {
        const bool same = rng_.range(0, 2) == 0;
        for (std::size_t a = 0; a < 2; ++a)
            axes_[a] = same ? drawSame() : draw(extents_[a], covered);
    }

    std::string moving() const {
        const auto& [rows, columns] = axes_;
        return ", stride: " + listed({rows.stride, columns.stride}) +
               ", pad: " + listed({rows.before, columns.before, rows.after, columns.after});
    }

    std::string fill() {
        if (coin())
            return "";
        const ir::ScalarInfo& scalar = ir::info(*ir::scalarNamed(scalar_));
        return ", fill: " + std::to_string(rng_.range(scalar.min, scalar.max));
    }

    void append(bool last) {
        const std::int64_t kind = rng_.range(0, 4);
        drawAxes(kind == 3);
        std::string call;
        if (kind == 0 || kind == 1)
            call = conv();
        else if (kind == 2)
            call = depthWise();
        else
            call = pool(kind == 3);
        const bool moved = axes_[0].results(extents_[0]) != extents_[0] ||
                           axes_[1].results(extents_[1]) != extents_[1] || rows_ != channels_;
        for (std::size_t a = 0; a < 2; ++a)
            extents_[a] = axes_[a].results(extents_[a]);
        channels_ = rows_;
        const std::string before = current_;
        finish(call, kind == 3, last, moved ? "" : before);
        earlier_ = moved ? "" : before;
    }

    std::string conv() {
        rows_ = rng_.range(1, 20);
        std::int64_t groups = 1;
        if (coin()) {
            groups = std::gcd(channels_, std::int64_t{12});
            rows_ = groups * rng_.range(1, 3);
        }
        const std::string w = "w" + std::to_string(seeds_);
        declare("weight", w, {rows_, axes_[0].kernel, axes_[1].kernel, channels_ / groups},
                coin() ? "i8" : "u8");
        return "conv(" + current_ + ", " + w + moving() + fill() +
               (groups > 1 ? ", groups: " + std::to_string(groups) : "") + ")";
    }

    std::string depthWise() {
        rows_ = channels_;
        const std::string w = "w" + std::to_string(seeds_);
        declare("weight", w, {rows_, axes_[0].kernel, axes_[1].kernel}, coin() ? "i8" : "u8");
        return "dwconv(" + current_ + ", " + w + moving() + fill() + ")";
    }

    std::string pool(bool maximum) {
        rows_ = channels_;
        return std::string(maximum ? "maxpool(" : "sumpool(") + current_ +
               ", size: " + listed({axes_[0].kernel, axes_[1].kernel}) + moving() +
               (maximum ? "" : fill()) + ")";
    }

    /// Back to at most eight bits, unless it is the last; an addend where there is one of the
    /// extents.
    void finish(std::string call, bool maximum, bool last, const std::string& same) {
        const bool wide = !maximum;
        if (coin())
            call = "relu(" + call + ")";
        const std::string to = std::array{"i8", "u8", "i5", "u3"}[rng_.range(0, 3)];
        if ((wide && !last) || coin()) {
            call = "requant(" + call + ", shift: " + std::to_string(rng_.range(0, 9)) +
                   ", to: " + to + ")";
            scalar_ = to;
            if (!same.empty() && !earlier_.empty() && coin()) {
                call = "requant(add(" + call + ", " + earlier_ + "), shift: 1, to: " + to + ")";
            }
        }
        current_ = "v" + std::to_string(++seeds_);
        text_ += "  let " + current_ + " = " + call + ";\n";
    }

    SplitMix64 rng_;
    std::string name_, text_, scalar_, current_;
    std::string earlier_; ///< the input of the layer before, where it has the current extents
    std::array<std::int64_t, 2> extents_{};
    std::array<Axis, 2> axes_{};
    std::int64_t channels_ = 1, rows_ = 1;
    std::int64_t seeds_ = 0;
};

design::ScheduleRequest requestOf(const ir::Program& program, const ir::LayerPlan& plan,
                                  std::int64_t lanes, std::int64_t parallel, std::int64_t span) {
    design::ScheduleRequest request;
    request.program = &program;
    request.plan = &plan;
    request.lanes = lanes;
    for (const ir::Layer& layer : plan.layers) {
        design::ScheduleUnit unit;
        unit.pass = layer.pass;
        unit.operand = program.value(layer.input).type.scalar;
        if (layer.weight)
            unit.weight = program.value(*layer.weight).type.scalar;
        else if (!layer.pass)
            unit.weight = program.value(layer.others.front()).type.scalar;
        unit.laneFunction = design::laneFunctionOf(program, layer);
        unit.span = (layer.weight && !unit.pass) || (unit.lanewise() && unit.pass) ? span : 1;
        unit.parallel = unit.pass || unit.lanewise() ? unit.span * lanes : parallel;
        if (plan.scales)
            unit.writeBack = design::WriteBack{std::gcd(unit.parallel, lanes),
                                               design::writeBackForm(program, plan, unit.pass),
                                               0,
                                               {}};
        std::size_t u = 0;
        const auto serves = [&](const design::ScheduleUnit& other) {
            const bool takes = unit.pass ? other.operand == unit.operand
                                         : ir::isStoredAs(unit.operand, other.operand);
            return other.pass == unit.pass && takes && other.weight == unit.weight &&
                   other.laneFunction == unit.laneFunction && other.span == unit.span;
        };
        while (u < request.units.size() && !serves(request.units[u]))
            ++u;
        if (u == request.units.size()) {
            unit.id = design::UnitId{u};
            unit.name = "unit" + std::to_string(u);
            request.units.push_back(unit);
        }
        request.layerUnits.emplace_back(u);
    }
    return request;
}

} // namespace

TestDesign designOf(const std::string& text, std::int64_t lanes, std::int64_t parallel,
                    std::int64_t span, bool wholeWindows, std::int64_t groupedChannels,
                    const std::function<void(design::ScheduleRequest&)>& adjust) {
    TestDesign design;
    design.program = *programOf(text);
    const ir::LayerPlan plan = ir::planLayers(design.program, {true, groupedChannels});
    ENGINE_ASSERT(plan.unsupported.empty() && !plan.firstUnbuildable(), "every layer has a unit");
    design::ScheduleRequest request = requestOf(design.program, plan, lanes, parallel, span);
    request.wholeWindows = wholeWindows;
    if (adjust)
        adjust(request);
    design.schedule = design::buildSchedule(request);
    const auto run = ir::interpret(design.program, {});
    ENGINE_ASSERT(run.has_value(), "the program runs");
    design.values = run->values;
    return design;
}

std::string randomWindowsText(std::uint64_t seed) {
    return RandomText(seed).write();
}

namespace {

TestDesign windowsWith(std::uint64_t seed,
                       const std::function<void(design::ScheduleRequest&)>& adjust) {
    SplitMix64 rng(seed + 1'000'000);
    const std::int64_t lanes = std::int64_t{8} << rng.range(0, 1);
    const std::int64_t parallel = anyParallel(rng);
    const std::int64_t span = anySpan(rng);
    const bool wholeWindows = rng.range(0, 1) == 1;
    const std::int64_t groupedChannels = rng.range(0, 1) * 1000;
    return designOf(randomWindowsText(seed), lanes, parallel, span, wholeWindows, groupedChannels,
                    adjust);
}

/// Some run of layers that can be banded; none: nothing was found.
std::vector<design::LayerBands> anyBands(const design::ScheduleRequest& request, SplitMix64& rng) {
    const auto layers = std::ssize(request.plan->layers);
    for (int tries = 0; tries < 8; ++tries) {
        const std::int64_t first = rng.range(0, layers - 1);
        const std::int64_t last = rng.range(first, layers - 1);
        const auto from = static_cast<std::size_t>(first);
        const auto to = static_cast<std::size_t>(last);
        const ir::Type& input = request.program->value(request.plan->layers[from].input).type;
        if (design::mayBand(*request.program, *request.plan, from, to))
            return {{from, to, rng.range(1, input.dims.front())}};
    }
    return {};
}

} // namespace

TestDesign randomWindows(std::uint64_t seed) {
    return windowsWith(seed, {});
}

std::optional<TestDesign> randomBands(std::uint64_t seed, std::size_t ahead) {
    SplitMix64 rng(seed + 2'000'000);
    TestDesign design = windowsWith(seed, [&](design::ScheduleRequest& request) {
        request.bands = anyBands(request, rng);
        request.ahead = ahead;
    });
    const bool rings = std::ranges::any_of(design.schedule.slots, &design::Slot::ring);
    return rings ? std::optional(std::move(design)) : std::nullopt;
}

} // namespace marquetry::test
