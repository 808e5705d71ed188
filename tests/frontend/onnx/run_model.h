// A model of a test, imported and run; and numbers to run it with.
#pragma once

#include "engine/frontend/onnx/imported.h"
#include "engine/ir/interpreter.h"
#include "engine/support/rng.h"
#include "tests/frontend/onnx/model_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace marquetry::frontend::onnx {

using Numbers = std::vector<std::int64_t>;
/// Random cases of a property.
inline constexpr std::uint64_t kSeeds = 40;

using RealNumbers = std::vector<long double>;

/// What the network gives for integers in the file's order (of each input), in the file's order.
inline Numbers outputOf(const Imported& network, const std::vector<Numbers>& inputs) {
    std::map<std::string, ir::Tensor> given;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const ImportNote& from = network.inputs.at(k);
        const ir::Value& value = network.program.value(from.value);
        given[value.name] = {value.type, inProgramOrder(inputs[k], from.layout)};
    }
    const auto run = ir::interpret(network.program, given);
    EXPECT_TRUE(run) << format(run.error());
    if (!run)
        return {};
    const ImportNote& to = network.outputs.at(0);
    return inFileOrder(run->values[to.value.index()].data, to.layout);
}

inline Numbers outputOf(const ModelBuilder& model, const std::vector<Numbers>& inputs,
                        const ImportOptions& options = {}) {
    const auto network = importOnnx(model.bytes(), "", "m.onnx", options);
    EXPECT_TRUE(network) << format(network.error());
    return network ? outputOf(*network, inputs) : Numbers{};
}

inline Numbers outputOf(const ModelBuilder& model, const Numbers& input,
                        const ImportOptions& options = {}) {
    return outputOf(model, std::vector<Numbers>{input}, options);
}

inline Numbers drawn(SplitMix64& rng, std::int64_t count, std::int64_t lo, std::int64_t hi) {
    Numbers numbers;
    for (std::int64_t k = 0; k < count; ++k)
        numbers.push_back(rng.range(lo, hi));
    return numbers;
}

inline std::vector<int> asInts(const Numbers& numbers) {
    return {numbers.begin(), numbers.end()};
}

/// How a tensor is quantised: a type, a scale, a zero point.
struct Grid {
    bool isSigned = true;
    float scale = 1;
    int zero = 0;

    std::int64_t least() const { return isSigned ? -128 : 0; }
    std::int64_t greatest() const { return isSigned ? 127 : 255; }
    int type() const { return isSigned ? ::onnx::TensorProto::INT8 : ::onnx::TensorProto::UINT8; }

    /// Scales as calibration gives them, or of few bits, with which there are exact halves.
    static Grid drawnFrom(SplitMix64& rng) {
        Grid grid;
        grid.isSigned = rng.next() % 2 == 0;
        grid.scale = rng.next() % 2 == 0
                         ? static_cast<float>(rng.range(1, 8)) / 64
                         : 0.004F + static_cast<float>(rng.range(0, 9999)) / 200'000;
        grid.zero = static_cast<int>(rng.range(grid.least(), grid.greatest()));
        return grid;
    }

    long double real(std::int64_t integer) const {
        return static_cast<long double>(scale) * static_cast<long double>(integer - zero);
    }
    /// Half to even, then the zero point.
    std::int64_t quantised(long double value) const {
        const long double steps = std::nearbyint(value / static_cast<long double>(scale));
        const long double moved = steps + static_cast<long double>(zero);
        return static_cast<std::int64_t>(std::clamp(moved, static_cast<long double>(least()),
                                                    static_cast<long double>(greatest())));
    }
    RealNumbers reals(const Numbers& numbers) const {
        RealNumbers all;
        for (const std::int64_t number : numbers)
            all.push_back(real(number));
        return all;
    }
    Numbers quantised(const RealNumbers& values) const {
        Numbers all;
        for (const long double value : values)
            all.push_back(quantised(value));
        return all;
    }
    Numbers drawn(SplitMix64& rng, std::int64_t count) const {
        return onnx::drawn(rng, count, least(), greatest());
    }

    /// Constants NAME_scale and NAME_zero.
    void addTo(ModelBuilder& model, const std::string& name) const {
        model.floats(name + "_scale", {}, {scale});
        model.ints(name + "_zero", {}, {zero}, type());
    }
};

/// {"a", "a_scale", "a_zero", …} of each name.
inline std::vector<std::string> quantisedNames(const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const std::string& name : names) {
        all.push_back(name);
        all.push_back(name + "_scale");
        all.push_back(name + "_zero");
    }
    return all;
}

} // namespace marquetry::frontend::onnx
