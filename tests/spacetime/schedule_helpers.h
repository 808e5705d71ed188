// Schedules of stream texts in tests, and their meaning against the interpreter.
#pragma once

#include "engine/algebra/algebra.h"
#include "engine/device/device_file.h"
#include "engine/spacetime/area.h"
#include "engine/spacetime/delay.h"
#include "engine/spacetime/schedule.h"
#include "engine/spacetime/typing.h"
#include "engine/support/rng.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/oracles/evaluate.h"

#include <functional>

namespace marquetry::spacetime {

inline const device::Device& kintex() {
    static const device::Device kDevice = *device::findDevice("xc7k160t");
    return kDevice;
}

/// Random words of an input, in the range of its scalars.
inline std::vector<std::int64_t> randomWords(const ir::StreamType& type, SplitMix64& rng) {
    const auto scalars = ir::leaves(ir::atomOf(type));
    std::vector<std::int64_t> words;
    for (std::int64_t k = 0; k < ir::words(type); ++k)
        words.push_back(ir::wrap(scalars[static_cast<std::size_t>(k) % scalars.size()],
                                 static_cast<std::int64_t>(rng.next() & 0x7fffffff)));
    return words;
}

/// Elements per clock, at least one.
inline std::int64_t lanesOf(Throughput t) {
    return std::max<std::int64_t>(1, t.atoms / t.clocks);
}

/// Checks that a circuit is well-typed, meets at equal delays, and means what the interpreter says
/// on random inputs, where the program is defined; where the program after its rewrites is
/// undefined the circuit is, and nowhere else.
inline void expectMeaning(const ir::StreamProgram& program, const StreamDesign& design,
                          std::uint64_t seed, algebra::Rewrites rewrites = {}) {
    const auto types = check(design.circuit);
    ASSERT_TRUE(types) << format(types.error());
    const auto clocks = delay(design.circuit, DelayModel::Ours);
    ASSERT_TRUE(clocks) << format(clocks.error());
    EXPECT_EQ(*clocks, design.delay);
    SplitMix64 rng(seed);
    std::vector<std::vector<std::int64_t>> words;
    std::vector<Slots> waves;
    for (std::size_t k = 0; k < program.graph.inputs.size(); ++k) {
        words.push_back(randomWords(program.graph.node(program.graph.inputs[k]).type, rng));
        waves.push_back(toWave((*types)[design.circuit.inputs[k].index()], words.back()));
    }
    const auto before = ir::evaluate(program.graph, words, 1)[0];
    const SeqType& output = (*types)[design.circuit.output.index()];
    const auto after = ir::evaluate(
        algebra::rewritten(program.graph, rewrites, lanesOf(throughput(output))), words, 1)[0];
    const Slots found = fromWave(output, evaluate(design.circuit, waves));
    EXPECT_EQ(found, after);
    ASSERT_EQ(found.size(), before.size());
    for (std::size_t k = 0; k < before.size(); ++k)
        EXPECT_TRUE(before[k] == ir::kUndefined || found[k] == before[k]) << "word " << k;
}

} // namespace marquetry::spacetime
