// Stream units inside designs: schedule simulator, interpreter and RTL agree bit for bit, cycles as
// predicted, over two runs one after the other.
#include "engine/design/cycle_model.h"
#include "engine/design/schedule_json.h"
#include "engine/lower_design/lower_design.h"
#include "engine/lower_stream/stream_kernel.h"
#include "engine/support/process.h"
#include "engine/support/rng.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_streams.h"
#include "tests/oracles/simulate.h"

namespace marquetry {

using design::PoolKind;
using hdl::Simulator;
using ir::Scalar;
using test::TestDesign;

namespace {

class StreamUnit : public test::ExportTest {
protected:
    /// The folder of the export.
    std::string expectVerified(const TestDesign& design, const hdl::VerifyParams& params) {
        SCOPED_TRACE(design.program.name);
        const std::string folder = exportTo(design.program.name, design);
        const hdl::VerifyReport report = verified(folder, design, params);
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
        const std::int64_t predicted = design::predictCycles(design.schedule).total;
        EXPECT_EQ(report.cycles,
                  std::vector<std::int64_t>(static_cast<std::size_t>(params.vectors), predicted));
        return folder;
    }

    static void expectSimulated(const TestDesign& design) {
        SCOPED_TRACE(design.program.name);
        const auto run = ir::interpret(design.program, {});
        ASSERT_TRUE(run) << format(run.error());
        for (std::size_t i = 0; i < design.program.outputs.size(); ++i)
            EXPECT_EQ(run->values[design.program.outputs[i].value.index()], design.outputs()[i]);
        EXPECT_EQ(design::simulate(design.schedule, design.program, run->values), design.outputs());
    }
};

/// A first layer like LeNet-5's, and a product on what it makes.
TestDesign firstLayer(std::int64_t parallel) {
    test::ScheduleBuilder b("first_layer_" + std::to_string(parallel));
    const std::int64_t interval = (6 + parallel - 1) / parallel;
    const auto stream = b.streamUnit("stream", parallel, interval);
    const auto product = b.unit("product", 2);
    const auto x = b.input("image", {Scalar::I8, {11, 12, 1}});
    test::EpilogueSpec e;
    e.requantBefore = test::requant(9);
    e.reluBefore = true;
    e.pool = PoolKind::Sum;
    e.poolSize = 2;
    e.requantAfter = test::requant(1);
    const auto c = b.conv(stream, x, {6, 4, 1, 0}, e);
    b.output("y", b.mv(product, c, 5, {}));
    return b.finish();
}

} // namespace

TEST_F(StreamUnit, SimulatorIsTheInterpreter) {
    for (const std::int64_t parallel : {8, 4, 2, 1})
        expectSimulated(firstLayer(parallel));
    for (std::uint64_t seed = 0; seed < 24; ++seed)
        expectSimulated(test::randomStream(seed));
}

TEST_F(StreamUnit, FirstLayerInBothSimulators) {
    expectVerified(firstLayer(8), {Simulator::Verilator, 3, 1, true});
    for (const std::int64_t parallel : {8, 4, 2, 1})
        expectVerified(firstLayer(parallel), {Simulator::Icarus, 2, 1, parallel != 8});
}

TEST_F(StreamUnit, RandomDesignsInIcarus) {
    for (std::uint64_t seed = 0; seed < 16; ++seed)
        expectVerified(test::randomStream(seed), {Simulator::Icarus, 2, seed, seed % 3 != 0});
}

TEST_F(StreamUnit, AWrongKernelFails) {
    const TestDesign design = firstLayer(8);
    const std::string folder = exportTo("broken", design);
    patch(folder, "rtl/first_layer_8_unit_stream.v", " ^ 8'd128", "");
    const hdl::VerifyReport report = verified(folder, design, {Simulator::Icarus, 1, 1, false});
    EXPECT_FALSE(report.pass);
    EXPECT_GT(report.mismatchCount, 0);
}

TEST_F(StreamUnit, LintsWithoutAWarning) {
    std::vector<TestDesign> designs = {firstLayer(8), firstLayer(2)};
    for (std::uint64_t seed = 0; seed < 16; ++seed)
        designs.push_back(test::randomStream(seed));
    for (const TestDesign& design : designs) {
        const std::string folder = exportTo(design.program.name, design);
        ProcessParams params{
            {"verilator", "--lint-only", "-Wall", "--top-module", design.program.name + "_top"},
            folder + "/rtl"};
        for (const auto& entry : std::filesystem::directory_iterator(folder + "/rtl"))
            if (entry.path().extension() == ".v")
                params.arguments.push_back(entry.path().filename().string());
        const auto result = runProcess(params);
        ASSERT_TRUE(result);
        EXPECT_EQ(result->output, "") << design.program.name;
    }
}

TEST_F(StreamUnit, SchedulesAreReadBack) {
    const TestDesign design = firstLayer(4);
    const auto read = design::scheduleFromJson(design::toJson(design.schedule));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(design::toJson(*read), design::toJson(design.schedule));
    EXPECT_EQ(read->units[0].stream->latency, design.schedule.units[0].stream->latency);
}

TEST_F(StreamUnit, RefusesWhatDoesNotFit) {
    const auto refused = [](auto change) {
        TestDesign design = firstLayer(4);
        change(design.schedule);
        return !hdl::check(design.schedule).has_value();
    };
    EXPECT_FALSE(refused([](design::Schedule&) {}));
    EXPECT_TRUE(refused([](design::Schedule& s) { s.units[0].stream->interval = 1; }));
    EXPECT_TRUE(refused([](design::Schedule& s) { s.units[0].stream->interval = 1 << 20; }));
    EXPECT_TRUE(refused([](design::Schedule& s) { s.units[0].stream->latency = 1 << 20; }));
    EXPECT_TRUE(refused([](design::Schedule& s) { s.units[0].pass = true; }));
    EXPECT_TRUE(refused([](design::Schedule& s) { // a second call
        s.steps.insert(s.steps.begin() + 2, s.steps[1]);
    }));
    EXPECT_TRUE(refused([](design::Schedule& s) { // of more products than the scheduler takes
        std::get<design::ComputeStep>(s.steps[1]).kernel = 9;
    }));
    // Weights that are not those the schedule was made for give another circuit.
    TestDesign other = firstLayer(4);
    other.schedule.units[0].stream->latency += 1;
    const auto circuits = hdl::streamCircuits(other.schedule, other.program);
    ASSERT_FALSE(circuits.has_value());
    EXPECT_EQ(circuits.error()[0].code, "hdl-unsupported");
}

/// A circuit that a design was priced by is the one that its hardware is made of.
TEST_F(StreamUnit, ArePricedAndBuiltOfOneCircuit) {
    const TestDesign design = firstLayer(4);
    const std::string& layer = std::get<design::ComputeStep>(design.schedule.steps[1]).layer;
    const auto made = hdl::streamCircuits(design.schedule, design.program);
    ASSERT_TRUE(made) << format(made.error());
    ASSERT_EQ(made->size(), 1U);
    const cost::StreamCircuit& circuit = made->begin()->second;
    const auto again = hdl::streamCircuits(design.schedule, design.program, {{layer, circuit}});
    ASSERT_TRUE(again) << format(again.error());
    EXPECT_EQ(again->begin()->second.timed, circuit.timed);
    const auto other =
        hdl::streamCircuits(design.schedule, design.program, {{layer + "_2", circuit}});
    ASSERT_TRUE(other) << format(other.error());
    EXPECT_NE(other->begin()->second.timed, circuit.timed);
}

/// Rows so long that a line buffer of one is a memory.
TestDesign longRows() {
    test::ScheduleBuilder b("long_rows");
    const auto stream = b.streamUnit("stream", 4, 1);
    const auto x = b.input("image", {Scalar::I8, {4, 400, 1}});
    b.output("y", b.conv(stream, x, {4, 3, 1, 0}, {}));
    return b.finish();
}

/// The price counts what the module has.
TEST_F(StreamUnit, ArePricedByThePartsOfTheirModule) {
    std::vector<TestDesign> designs{firstLayer(8), longRows()};
    for (std::uint64_t seed = 1; seed <= 12; ++seed)
        designs.push_back(test::randomStream(seed));
    bool hasMemory = false;
    for (const TestDesign& design : designs) {
        SCOPED_TRACE(design.program.name);
        const auto made = hdl::streamCircuits(design.schedule, design.program);
        ASSERT_TRUE(made) << format(made.error());
        const cost::StreamCircuit& circuit = made->begin()->second;
        std::vector<std::string> inputs;
        for (std::size_t k = 0; k < circuit.timed->datapath.inputs.size(); ++k)
            inputs.push_back("in_" + std::to_string(k));
        rtl::ModuleLibrary library("kernel");
        const cost::KernelParts built =
            hdl::kernelModule(library, *circuit.timed, "kernel", inputs, "out_y").parts;
        EXPECT_EQ(built.control.phases, 0);
        EXPECT_EQ(built.control.tableLuts, 0);
        const cost::KernelParts priced = cost::kernelParts(circuit);
        ASSERT_EQ(priced.memories.size(), built.memories.size());
        for (std::size_t k = 0; k < built.memories.size(); ++k) {
            EXPECT_EQ(priced.memories[k].words, built.memories[k].words);
            EXPECT_EQ(priced.memories[k].bits, built.memories[k].bits);
            EXPECT_EQ(priced.memories[k].bankBits, built.memories[k].bankBits);
            EXPECT_FALSE(built.memories[k].isFifo);
            hasMemory = true;
        }
    }
    EXPECT_TRUE(hasMemory) << "no design has a line buffer";
}

} // namespace marquetry
