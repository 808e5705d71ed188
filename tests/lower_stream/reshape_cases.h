// Changes of layout between types of equal throughput, as kernels.
#pragma once

#include "engine/spacetime/layer_shape.h"
#include "engine/support/rng.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/spacetime/two_layers.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::test {

using spacetime::typesOf;

/// Elements in so many clocks, at most `lanes` side by side; nothing when the draw leads nowhere.
inline std::optional<spacetime::SeqType> randomType(std::int64_t elements, std::int64_t time,
                                                    std::int64_t lanes, SplitMix64& random) {
    const auto oneOf = [&](const std::vector<std::int64_t>& from) {
        return from[random.next() % from.size()];
    };
    if (elements == 1) {
        const auto byte = spacetime::atomType(ir::scalarStream(ir::Scalar::U8));
        return time == 1 ? byte : spacetime::tseq(1, time - 1, byte);
    }
    const std::int64_t outer = oneOf(spacetime::divisors(elements));
    const bool inSpace = random.range(0, 2) == 0;
    const std::int64_t period = inSpace ? 1 : oneOf(spacetime::divisors(time));
    if (inSpace ? outer > lanes : period < outer)
        return std::nullopt;
    const auto inner =
        randomType(elements / outer, time / period, inSpace ? lanes / outer : lanes, random);
    if (!inner)
        return std::nullopt;
    return inSpace ? spacetime::sseq(outer, *inner)
                   : spacetime::tseq(outer, period - outer, *inner);
}

inline spacetime::SeqType someType(std::int64_t elements, std::int64_t time, std::int64_t lanes,
                                   SplitMix64& random) {
    auto type = randomType(elements, time, lanes, random);
    while (!type)
        type = randomType(elements, time, lanes, random);
    return *std::move(type);
}

inline KernelCase reshapeCase(const spacetime::SeqType& from, const spacetime::SeqType& to,
                              const std::string& name) {
    KernelCase one;
    one.name = name;
    ir::StreamNode input;
    input.name = "x";
    input.type = erase(from);
    one.program.name = one.name;
    one.program.graph.nodes = {input};
    one.program.graph.inputs = {ir::StreamNodeId(0)};
    one.program.graph.outputs = {{"y", ir::StreamNodeId(0)}};
    const auto in = one.circuit.add({spacetime::Op::Input, {}, {}, {}, from});
    one.circuit.inputs = {in};
    one.circuit.output = one.circuit.add({spacetime::Op::Reshape, {in}, {}, {}, to});
    return one;
}

} // namespace marquetry::test
