#include "tests/lower_design/random_outside.h"

#include "engine/design/external_tensors.h"
#include "engine/design/step_queues.h"
#include "engine/support/rng.h"
#include "engine/support/text_stream.h"
#include "tests/lower_design/external_weights.h"

#include <algorithm>
#include <array>
#include <vector>

namespace marquetry::test {

namespace {

struct Image {
    std::string name;
    std::int64_t height = 1, width = 1, channels = 8;

    bool sameAs(const Image& other) const {
        return height == other.height && width == other.width && channels == other.channels;
    }
};

class ResidualText {
public:
    explicit ResidualText(std::uint64_t seed, bool moves = false)
        : rng_(seed), seed_(seed), moves_(moves) {}

    std::string write() {
        images_.push_back({"x", rng_.range(4, 14), rng_.range(2, 7), anyChannels()});
        const Image& x = images_.front();
        text_ << "design residual_" << seed_ << " {\n  input x : i8[" << x.height << ", " << x.width
              << ", " << x.channels << "] = random(seed: 1);\n";
        const std::int64_t layers = rng_.range(2, 8);
        for (std::int64_t layer = 0; layer < layers; ++layer)
            append();
        text_ << "  output y = " << images_.back().name << ";\n}\n";
        return text_.str();
    }

private:
    std::int64_t anyChannels() { return moves_ ? rng_.range(1, 20) : 8 * rng_.range(1, 2); }

    /// Of the last image, or of one before: a branch.
    void append() {
        const auto last = std::ssize(images_) - 1;
        const bool branches = last > 1 && rng_.range(0, 5) == 0;
        const Image input = images_[static_cast<std::size_t>(branches ? last - 1 : last)];
        Image result = input;
        result.name = "v" + std::to_string(++names_);
        if (moves_ && rng_.range(0, 1) == 0)
            return move(input, result);
        std::string call = rng_.range(0, 5) == 0 && input.height > 2 && input.width > 2
                               ? pool(input, result)
                               : conv(input, result);
        if (const Image* earlier = addend(result))
            call = "requant(add(" + call + ", " + earlier->name + "), shift: 1)";
        text_ << "  let " << result.name << " = " << call << ";\n";
        images_.push_back(result);
    }

    void move(const Image& input, Image& result) {
        constexpr std::int64_t kMostPixels = 300;
        const bool grows = 4 * input.height * input.width < kMostPixels;
        const std::int64_t kind = rng_.range(0, 3);
        TextOut call;
        if (kind == 0 && grows) {
            const std::int64_t factor = rng_.range(2, 3);
            result.height *= factor;
            result.width *= factor;
            call << "upsample(" << input.name << ", factor: " << factor << ")";
        } else if (kind == 1 && grows && input.channels % 4 == 0) {
            result.height *= 2;
            result.width *= 2;
            result.channels /= 4;
            call << "depth_to_space(" << input.name << ", block: 2)";
        } else if (kind == 2 && input.channels > 1) {
            const std::int64_t from = rng_.range(0, input.channels - 1);
            const std::int64_t until = rng_.range(from + 1, input.channels);
            result.channels = until - from;
            call << "slice(" << input.name << ", axis: 2, from: " << from << ", to: " << until
                 << ")";
        } else {
            join(input, result, call);
        }
        text_ << "  let " << result.name << " = " << call.str() << ";\n";
        images_.push_back(result);
    }

    /// With the first image of its size, perhaps itself, on either side.
    void join(const Image& input, Image& result, TextOut& call) {
        const auto other = std::ranges::find_if(images_, [&](const Image& image) {
            return image.height == input.height && image.width == input.width;
        });
        const bool behind = rng_.range(0, 1) == 1;
        call << "concat(" << (behind ? input.name : other->name) << ", "
             << (behind ? other->name : input.name) << ", axis: 2)";
        result.channels = input.channels + other->channels;
    }

    static std::string pool(const Image& input, Image& result) {
        result.height = input.height / 2;
        result.width = input.width / 2;
        return "maxpool(" + input.name + ", size: 2)";
    }

    std::string conv(const Image& input, Image& result) {
        const std::int64_t kernel = 2 * rng_.range(0, 1) + 1;
        const std::int64_t stride = input.height > 4 && input.width > 3 ? rng_.range(1, 2) : 1;
        const std::int64_t pad = kernel / 2;
        result.height = (input.height + 2 * pad - kernel) / stride + 1;
        result.width = (input.width + 2 * pad - kernel) / stride + 1;
        if (rng_.range(0, 1) == 1)
            result.channels = anyChannels();
        const std::string w = "w" + std::to_string(names_);
        text_ << "  weight " << w << " : i8[" << result.channels << ", " << kernel << ", " << kernel
              << ", " << input.channels << "] = random(seed: " << ++names_ << ");\n";
        TextOut call;
        call << "requant(conv(" << input.name << ", " << w << ", stride: " << stride
             << ", pad: " << pad << "), shift: " << rng_.range(5, 8) << ")";
        return call.str();
    }

    /// Some earlier image of the extents, in half of the cases.
    const Image* addend(const Image& result) {
        if (rng_.range(0, 1) == 0)
            return nullptr;
        const std::int64_t first = rng_.range(0, std::ssize(images_) - 1);
        for (auto k = static_cast<std::size_t>(first); k < images_.size(); ++k)
            if (images_[k].sameAs(result))
                return &images_[k];
        return nullptr;
    }

    SplitMix64 rng_;
    std::uint64_t seed_;
    bool moves_;
    TextOut text_;
    std::vector<Image> images_;
    std::int64_t names_ = 1;
};

/// One run after another, of layers that can be in bands with these values outside.
std::vector<design::LayerBands> anyRuns(const design::ScheduleRequest& request, SplitMix64& rng) {
    const std::vector<ir::Layer>& layers = request.plan->layers;
    std::vector<design::LayerBands> runs;
    for (std::size_t first = 0; first < layers.size();) {
        const auto longest = std::ssize(layers) - static_cast<std::int64_t>(first) - 1;
        const std::size_t last =
            first + static_cast<std::size_t>(rng.range(0, std::min<std::int64_t>(longest, 4)));
        const ir::Type& input = request.program->value(layers[first].input).type;
        const bool bands = rng.range(0, 3) > 0 && design::mayBand(*request.program, *request.plan,
                                                                  first, last, request.outside);
        if (bands)
            runs.push_back({first, last, rng.range(1, input.dims.front())});
        first = bands ? last + 1 : first + 1;
    }
    return runs;
}

} // namespace

std::string randomResidualText(std::uint64_t seed) {
    return ResidualText(seed).write();
}

std::optional<TestDesign> randomOutside(std::uint64_t seed, std::size_t ahead) {
    SplitMix64 rng(seed + 3'000'000);
    constexpr std::array<std::int64_t, 3> kParallel{4, 8, 16};
    const std::int64_t lanes = std::int64_t{8} << rng.range(0, 1);
    const std::int64_t parallel = kParallel[static_cast<std::size_t>(rng.range(0, 2))];
    const std::int64_t span = rng.range(1, 2) * rng.range(1, 2);
    TestDesign design =
        designOf(randomResidualText(seed), lanes, parallel, span, rng.range(0, 1) == 1, 0,
                 [&](design::ScheduleRequest& request) {
                     const auto& layers = request.plan->layers;
                     for (const ir::Layer& layer : layers)
                         if (design::mayLieOutside(*request.program, *request.plan, layer.result) &&
                             rng.range(0, 2) > 0)
                             request.outside.push_back(layer.result);
                     request.memory = {8, 8, rng.range(0, 60)};
                     request.bands = anyRuns(request, rng);
                     request.ahead = ahead;
                 });
    if (design.schedule.externals.empty())
        return std::nullopt;
    return design;
}

std::string randomMovedText(std::uint64_t seed) {
    return ResidualText(seed, true).write();
}

std::optional<TestDesign> randomMoved(std::uint64_t seed, bool bands, std::size_t ahead) {
    SplitMix64 rng(seed + 4'000'000);
    constexpr std::array<std::int64_t, 2> kParallel{4, 8};
    const std::int64_t lanes = std::int64_t{8} << rng.range(0, 1);
    const std::int64_t parallel = kParallel[static_cast<std::size_t>(rng.range(0, 1))];
    bool moves = !bands;
    TestDesign design =
        designOf(randomMovedText(seed), lanes, parallel, rng.range(1, 2), rng.range(0, 1) == 1, 0,
                 [&](design::ScheduleRequest& request) {
                     if (!bands)
                         return;
                     const auto& layers = request.plan->layers;
                     const bool loads = // the port is that of weights
                         std::ranges::any_of(layers, [](const ir::Layer& layer) {
                             return layer.weight.has_value();
                         });
                     for (const ir::Layer& layer : layers)
                         if (loads && rng.range(0, 2) == 0 &&
                             design::mayLieOutside(*request.program, *request.plan, layer.result))
                             request.outside.push_back(layer.result);
                     // Sooner, writes of the step before are still under way: not predicted.
                     constexpr std::int64_t kLeastLatency = 8;
                     request.memory = {8, 8, rng.range(kLeastLatency, 60)};
                     request.bands = anyRuns(request, rng);
                     request.ahead = ahead;
                     for (const design::LayerBands& run : request.bands)
                         for (std::size_t k = run.first; k <= run.last; ++k)
                             moves = moves || layers[k].moves;
                 });
    return moves ? std::optional(std::move(design)) : std::nullopt;
}

bool makeWeightsExternal(TestDesign& design, std::uint64_t seed) {
    SplitMix64 rng(seed);
    design::Schedule& schedule = design.schedule;
    if (makeExternal(schedule, rng) == 0)
        return false;
    schedule.memory->beatBytes = std::max(schedule.memory->beatBytes, design::kMovedBytes);
    if (schedule.order.empty())
        return true;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s)
        if (const auto* call = std::get_if<design::ComputeStep>(&schedule.steps[s]))
            if (call->external)
                schedule.order[s].queue = design::Queue::Calls;
    design::awaitQueues(schedule);
    return true;
}

} // namespace marquetry::test
