// Whole frames of every example at its throughputs: what the interpreter says, the circuit's own
// meaning (L_st) says, and its RTL in Verilator in two frames one after the other, without gaps
// (cycles as predicted) and with, in every defined word. Prints a row of docs/streams.md a point.
#include "engine/artefact/stream_artefact.h"
#include "engine/artefact/verify.h"
#include "engine/ir/stream_interpreter.h"
#include "engine/spacetime/typing.h"
#include "engine/spacetime/wave.h"
#include "engine/support/rng.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/oracles/evaluate.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace marquetry::test {
namespace {

using spacetime::Throughput;

struct Point {
    std::string example;
    Throughput throughput;
};

std::vector<std::int64_t> randomFrame(const ir::StreamType& type, SplitMix64& rng) {
    const auto scalars = ir::leaves(ir::atomOf(type));
    std::vector<std::int64_t> words(static_cast<std::size_t>(ir::words(type)));
    for (std::size_t k = 0; k < words.size(); ++k)
        words[k] = ir::wrap(scalars[k % scalars.size()], static_cast<std::int64_t>(rng.next()));
    return words;
}

struct Compared {
    std::int64_t words = 0;
    std::int64_t defined = 0;
    std::int64_t mismatches = 0;
};

/// A random frame through the interpreter and through the circuit's meaning.
Compared evaluated(const ir::StreamProgram& program, const spacetime::Graph& circuit) {
    const auto types = check(circuit);
    EXPECT_TRUE(types);
    SplitMix64 rng(17);
    std::vector<std::vector<std::int64_t>> frames;
    std::vector<spacetime::Slots> waves;
    for (std::size_t k = 0; k < program.graph.inputs.size(); ++k) {
        frames.push_back(randomFrame(program.graph.node(program.graph.inputs[k]).type, rng));
        waves.push_back(toWave((*types)[circuit.inputs[k].index()], frames.back()));
    }
    const auto found =
        fromWave((*types)[circuit.output.index()], spacetime::evaluate(circuit, waves));
    const auto expected = ir::evaluate(program.graph, std::move(frames), 1)[0];
    EXPECT_EQ(found.size(), expected.size());
    Compared compared{static_cast<std::int64_t>(expected.size())};
    for (std::size_t k = 0; k < std::min(found.size(), expected.size()); ++k) {
        compared.defined += expected[k] != ir::kUndefined ? 1 : 0;
        compared.mismatches += expected[k] != ir::kUndefined && found[k] != expected[k] ? 1 : 0;
    }
    return compared;
}

class StreamFrames : public ::testing::TestWithParam<Point> {};

TEST_P(StreamFrames, AreWhatTheInterpreterSays) {
    const Point& point = GetParam();
    const TemporaryFolder root;
    const std::string item = point.example + "_1080p";
    const ir::StreamProgram program = exampleStream(point.example, item);
    const spacetime::Graph circuit = designAt(program, point.throughput).circuit;
    const Compared meaning = evaluated(program, circuit);
    EXPECT_EQ(meaning.mismatches, 0);
    EXPECT_GT(meaning.defined, meaning.words / 100 * 99);
    const std::string folder = root / "export";
    const auto exported =
        hdl::exportArtefact(hdl::streamArtefact({program, circuit, "// a test\n"}), folder);
    ASSERT_TRUE(exported) << format(exported.error());
    const auto source = hdl::readExport(folder);
    ASSERT_TRUE(source) << format(source.error());
    const auto report =
        hdl::verifyArtefact(*source, program, {hdl::Simulator::Verilator, 2, 9, true});
    ASSERT_TRUE(report) << format(report.error());
    EXPECT_TRUE(report->pass);
    EXPECT_EQ(report->mismatchCount, 0);
    EXPECT_EQ(report->cycles, std::vector<std::int64_t>(2, report->predictedCycles));
    std::printf("| %s | %ld/%ld | %ld | %ld | %s | %ld |\n", item.c_str(), point.throughput.atoms,
                point.throughput.clocks, meaning.defined, report->predictedCycles,
                ::testing::PrintToString(report->cycles).c_str(),
                meaning.mismatches + report->mismatchCount);
}

std::vector<Point> allPoints() {
    const std::vector<std::pair<std::string, std::vector<Throughput>>> examples = {
        {"conv", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"convb2b", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"sharpen", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"camera", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 4}}},
        {"sobel", {{8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"gauss5", {{4, 1}, {2, 1}, {1, 1}, {1, 5}}},
        {"tone", {{16, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"box2", {{1, 1}, {1, 2}, {1, 4}, {1, 8}}}};
    std::vector<Point> points;
    for (const auto& [example, throughputs] : examples) {
        for (const Throughput t : throughputs)
            points.push_back({example, t});
    }
    return points;
}

INSTANTIATE_TEST_SUITE_P(Points, StreamFrames, ::testing::ValuesIn(allPoints()),
                         [](const auto& point) {
                             return hdl::cat(point.param.example, "_", point.param.throughput.atoms,
                                             "_", point.param.throughput.clocks);
                         });

} // namespace
} // namespace marquetry::test
