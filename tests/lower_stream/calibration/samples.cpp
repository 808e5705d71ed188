#include "tests/lower_stream/calibration/samples.h"

#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/spacetime/schedule.h"
#include "tests/lower_stream/random_words.h"
#include "tests/spacetime/random_streams.h"

#include <algorithm>

namespace marquetry::test {

namespace {

using hdl::cat;

/// A few operators on neighbours in rows of an image.
class RandomImage {
public:
    explicit RandomImage(std::uint64_t seed) : random_(seed) {
        static const std::vector<std::string> kScalars = {"u8", "u16", "u32", "i16"};
        scalar_ = kScalars[static_cast<std::size_t>(random_.range(0, 3))];
        row_ = 32 * random_.range(1, 16);
        text_ = cat("stream s { input x : Seq ", 8 * row_, " ", scalar_, "; let v0 = map2(add, ",
                    near("x"), ", x); ");
        const std::int64_t operators = random_.range(2, 7);
        for (std::int64_t k = 0; k < operators; ++k, ++last_)
            text_ += cat("let v", last_ + 1, " = ", expression(), "; ");
        text_ += cat("output y = v", last_, "; }");
    }

    const std::string& text() const { return text_; }
    std::int64_t elements() const { return 8 * row_; }

private:
    /// Some elements or rows before.
    std::string near(const std::string& value) {
        const std::int64_t rows = random_.range(0, 2);
        const std::int64_t by = rows * row_ + random_.range(rows == 0 ? 1 : 0, 3);
        return cat("shift(", by, ", ", value, ")");
    }

    std::string expression() {
        const std::string v = cat("v", last_);
        const std::string other = cat("v", random_.range(0, last_));
        switch (random_.range(0, 7)) {
        case 0:
            return cat("map2(sub, ", v, ", ", near(other), ")");
        case 1:
            return cat("map2(fn a b -> add(mul(a, ", random_.range(2, 12), "), b), ", v, ", ",
                       near(v), ")");
        case 2:
            return cat("map2(fn a b -> if(lt(a, b), sub(b, a), a), ", v, ", ", near(other), ")");
        case 3:
            return cat("map2(max, ", v, ", ", near(other), ")");
        case 4:
            return cat("map(fn v -> lsr(v, ", random_.range(1, 4), "), ", v, ")");
        case 5:
            return cat("map(fn v -> if(lt(v, ", random_.range(1, 99), "), v, ", random_.range(0, 9),
                       "), ", v, ")");
        case 6:
            return cat("unpartition(map(fn g -> map2(fn a k -> if(lt(k, ", row_ / 2,
                       "), a, lsr(a, 1)), "
                       "g, counter(",
                       row_, ", 1 : u16)), partition(8, ", row_, ", ", v, ")))");
        default:
            return cat("map2(add, ", v, ", ", near(v), ")");
        }
    }

    SplitMix64 random_;
    std::string scalar_;
    std::int64_t row_ = 0;
    int last_ = 0;
    std::string text_;
};

std::string inOneLine(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

} // namespace

Sample drawSample(std::int64_t seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    SplitMix64 random(number + 0x57eed);
    switch (seed % 5) {
    case 0: {
        static const std::vector<std::int64_t> kClocks = {1, 2, 4, 6, 12};
        const spacetime::RandomStream stream(number, 4 + static_cast<int>(number % 3));
        return {seed,
                kClocks[static_cast<std::size_t>(random.range(0, 4))],
                inOneLine(stream.text()),
                {}};
    }
    case 1: {
        static const std::vector<std::int64_t> kClocks = {1, 2, 6, 12, 24};
        return {seed,
                kClocks[static_cast<std::size_t>(random.range(0, 4))],
                inOneLine(RandomWords(number).text()),
                {}};
    }
    default: {
        const RandomImage image(number);
        const std::int64_t lanes = std::int64_t{1} << random.range(0, 2);
        return {seed, image.elements() / lanes, image.text(), {}};
    }
    }
}

std::optional<Built> build(const Sample& sample) {
    const auto parsed = frontend::parse(sample.text, "sample.mq");
    if (!parsed || parsed->streams.empty())
        return std::nullopt;
    const auto found = spacetime::schedule(parsed->streams[0], sample.clocks,
                                           *device::findDevice("xc7k160t"), {10});
    if (!found)
        return std::nullopt;
    auto timed = datapath::makeDatapath(found->front[0].circuit);
    if (!timed)
        return std::nullopt;
    std::vector<std::string> inputs;
    for (std::size_t k = 0; k < (*timed)->datapath.inputs.size(); ++k)
        inputs.push_back(cat("in_", k));
    rtl::ModuleLibrary library(cat("s", sample.seed));
    hdl::StreamKernel kernel =
        hdl::kernelModule(library, **timed, cat("s", sample.seed), inputs, "out_y");
    return Built{*std::move(timed), std::move(kernel)};
}

SampleRow rowOf(const Sample& sample) {
    return {sample.seed, sample.made, {std::to_string(sample.clocks)}, sample.text};
}

std::vector<Sample> readSamples(const std::string& path) {
    std::vector<Sample> samples;
    for (const SampleRow& row : readTable(path, 1))
        samples.push_back({row.seed, std::stoll(row.fields[0]), row.text, row.made});
    return samples;
}

} // namespace marquetry::test
