#include "tests/extract/small_programs.h"

#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/device/device_file.h"

#include <algorithm>

namespace marquetry::test {

namespace {

/// What CBC decides in seconds.
constexpr std::size_t kMostCalls = 3;
constexpr std::int64_t kMostColumns = 72;

/// A chain of layers whose extents come from few values, so that units meet.
class ChainText {
public:
    explicit ChainText(SplitMix64& rng) : rng_(rng), scaled_(rng.range(0, 1) == 0) {}

    std::string run() {
        extent_ = rng_.range(1, 4);
        channels_ = drawChannels();
        text_ = "design chain {\n  input v0 : i8[" + pixels() + std::to_string(channels_) +
                "] = zeros;\n";
        const std::int64_t layers = rng_.range(2, 3);
        for (std::int64_t k = 0; k < layers; ++k)
            addLayer();
        return text_ + "  output out = " + last() + ";\n}\n";
    }

private:
    std::int64_t drawChannels() { return 8 * rng_.range(1, 2); }
    std::string last() const { return "v" + std::to_string(values_); }
    std::string pixels() const {
        return std::to_string(extent_) + ", " + std::to_string(extent_) + ", ";
    }

    void let(const std::string& expression) {
        const std::string name = "v" + std::to_string(values_ + 1);
        text_ += "  let " + name + " = " + expression + ";\n";
        ++values_;
    }

    std::string weight(const std::string& dims) {
        const std::string name = "w" + std::to_string(values_);
        text_ += "  weight " + name + " : i8[" + dims + "] = zeros;\n";
        return name;
    }

    std::string narrowed(const std::string& sums) const {
        return "requant(" + sums + (scaled_ ? ", mul: 3, shift: 7)" : ", shift: 5)");
    }

    void addLayer() {
        const std::int64_t columns = flat_ ? channels_ : extent_ * extent_ * channels_;
        const std::int64_t kind = rng_.range(0, 5);
        if (flat_ || (kind == 0 && columns <= kMostColumns))
            multiply(columns);
        else if (kind == 1 && extent_ > 1)
            pool();
        else
            convolve(kind == 2);
    }

    void multiply(std::int64_t columns) {
        const std::int64_t rows = drawChannels();
        const std::string w = weight(std::to_string(rows) + ", " + std::to_string(columns));
        let(narrowed("mv(" + w + ", " + (flat_ ? last() : "flatten(" + last() + ")") + ")"));
        channels_ = rows;
        flat_ = true;
    }

    void pool() {
        let("maxpool(" + last() + ", size: 2)");
        extent_ /= 2;
    }

    /// `residual`: its input is added to its result.
    void convolve(bool residual) {
        const bool wide = 9 * channels_ <= kMostColumns && rng_.range(0, 1) == 0;
        const std::int64_t rows = residual ? channels_ : drawChannels();
        const std::string side = wide ? "3" : "1";
        const std::string w = weight(std::to_string(rows) + ", " + side + ", " + side + ", " +
                                     std::to_string(channels_));
        const std::string from = last();
        let(narrowed("conv(" + from + ", " + w + ", pad: " + (wide ? "1" : "0") + ")"));
        channels_ = rows;
        if (residual)
            let(narrowed("add(" + last() + ", " + from + ")"));
    }

    SplitMix64& rng_;
    bool scaled_;
    std::string text_;
    int values_ = 0;
    std::int64_t extent_ = 1;
    std::int64_t channels_ = 8;
    bool flat_ = false;
};

/// "mul: 3" becomes "mul: 1".
std::string unscaled(std::string text) {
    for (std::size_t at = text.find("mul: "); at != std::string::npos; at = text.find("mul: ", at))
        text[at += 5] = '1';
    return text;
}

std::string drawText(SplitMix64& rng, PriceOf price) {
    const std::int64_t kind = rng.range(0, 5);
    if (kind < 3)
        return ChainText(rng).run();
    const auto seed = static_cast<std::uint64_t>(rng.range(0, 1'000'000));
    if (kind == 3)
        return otherSkeletonsText(seed);
    const std::string text = randomProgramText(seed, {static_cast<int>(rng.range(2, 3)), 3, 8});
    return price == PriceOf::Hardware ? unscaled(text) : text;
}

} // namespace

extract::ExtractParams SmallProgram::within(double blocks) const {
    constexpr double kEnough = 1e12;
    extract::ExtractParams params;
    params.device = device;
    params.limits = {blocks, kEnough, kEnough, kEnough};
    params.sharing = sharing;
    params.pins = pins;
    params.explain = false;
    return params;
}

SmallProgram drawSmallProgram(std::uint64_t seed, PriceOf price) {
    const char* const devices[] = {"arria10", "xc7k160t", "lfe5u-85f", "ice40up5k"};
    SplitMix64 rng(91'000 + seed);
    for (;;) {
        std::vector<std::string> without = drawGroups(rng);
        rules::Lowered lowered = spaceOf(drawText(rng, price), design::CostModel::Cycles, without);
        if (lowered.calls.size() > kMostCalls)
            continue;
        SmallProgram drawn{"seed " + std::to_string(seed),
                           std::move(lowered),
                           *device::findDevice(devices[rng.range(0, 3)]),
                           static_cast<double>(rng.range(6, 90)),
                           rng.range(0, 5) != 0,
                           {}};
        if (rng.range(0, 5) == 0)
            drawn.pins.push_back(drawPin(drawn.lowered, rng));
        drawn.what += " " + drawn.device.id + " dsp " + std::to_string(drawn.dsp);
        for (const design::Pin& pin : drawn.pins)
            drawn.what += " [" + toString(pin) + "]";
        return drawn;
    }
}

} // namespace marquetry::test
