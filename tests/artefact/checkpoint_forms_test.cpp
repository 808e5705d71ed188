// Checkpoints of right designs of every form, in which nothing is wrong; and what is read of words.
#include "engine/artefact/checkpoints.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_elements.h"
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_products.h"
#include "tests/lower_design/random_windows.h"
#include "tests/lower_design/test_designs.h"
#include "tests/support/cases.h"

namespace marquetry {

using hdl::Simulator;
using test::TestDesign;

namespace {

class RightCheckpoints : public test::ExportTest {
protected:
    void expectRight(const TestDesign& design, Simulator simulator = Simulator::Icarus) {
        SCOPED_TRACE(design.program.name);
        hdl::VerifyParams params{simulator, 1, 1, true};
        params.checkpoints = true;
        const hdl::VerifyReport report =
            verified(exportTo(design.program.name, design), design, params);
        EXPECT_TRUE(report.pass);
        ASSERT_TRUE(report.checkpoints);
        EXPECT_FALSE(report.checkpoints->wrong) << toText(*report.checkpoints);
        EXPECT_EQ(report.checkpoints->note, "");
        EXPECT_EQ(report.checkpoints->compared, std::ssize(hdl::checkpointsOf(design.schedule)));
        EXPECT_GT(report.checkpoints->compared, 0);
    }

    void expectRight(TestDesign (*random)(std::uint64_t), int seeds) {
        for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds); ++seed)
            expectRight(random(seed));
    }
};

TEST_F(RightCheckpoints, OfAllParts) {
    for (const TestDesign& design : test::allDesigns())
        expectRight(design);
}

TEST_F(RightCheckpoints, OfJoinedSteps) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(6, 12));
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        TestDesign design = test::randomDesign(seed);
        test::joinSteps(design.schedule, seed % 2 == 0);
        expectRight(design);
    }
}

TEST_F(RightCheckpoints, OfElements) {
    expectRight(test::randomElements, 6);
}

TEST_F(RightCheckpoints, OfLayouts) {
    expectRight(test::randomLayouts, 6);
}

TEST_F(RightCheckpoints, OfProducts) {
    expectRight(test::randomProducts, test::cases(3, 7));
}

TEST_F(RightCheckpoints, OfWindows) {
    expectRight(test::randomWindows, test::cases(4, 8));
}

TEST_F(RightCheckpoints, OfRunsOfSeveralFrames) {
    int batches = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed)
        for (const auto random : {test::randomDesign, test::randomElements, test::randomLayouts}) {
            TestDesign design = random(seed);
            if (!test::makeBatch(design.schedule, static_cast<std::int64_t>(2 + seed % 2)))
                continue;
            ++batches;
            expectRight(design);
        }
    EXPECT_GE(batches, 6);
}

TEST_F(RightCheckpoints, OfExternalWeights) {
    int external = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        TestDesign design = test::randomDesign(seed);
        SplitMix64 rng(seed);
        external += test::makeExternal(design.schedule, rng);
        expectRight(design);
    }
    EXPECT_GT(external, 3);
}

TEST_F(RightCheckpoints, OfStreamUnits) {
    test::ScheduleBuilder b("streamed");
    test::EpilogueSpec plain;
    plain.requantBefore = test::requant(6);
    const auto x = b.input("x", {ir::Scalar::I8, {6, 5, 3}});
    const auto streamed = b.conv(b.streamUnit("s", 2, 4), x, {6, 3, 1, 1}, plain);
    b.output("y", b.conv(b.unit("u", 2), streamed, {4, 3, 1, 1}, plain));
    expectRight(b.finish());
}

TEST_F(RightCheckpoints, InVerilator) {
    expectRight(test::residualBlock(), Simulator::Verilator);
    TestDesign joined = test::leadsAndFollows();
    ASSERT_EQ(test::joinSteps(joined.schedule), 2);
    expectRight(joined, Simulator::Verilator);
}

/// One pixel of ten channels in two words of eight lanes, of which the values are 0, 1, …, 9.
struct TenChannels {
    TenChannels() {
        schedule.slots.push_back({design::SlotId(0), "s"});
        schedule.slots[0].depth = 2;
        design::StoredTensor tensor;
        tensor.id = design::TensorId(0);
        tensor.value = ir::ValueId(0);
        tensor.name = "t";
        tensor.slot = design::SlotId(0);
        tensor.channels = 10;
        tensor.wordsPerPixel = 2;
        schedule.tensors.push_back(tensor);
        schedule.steps.emplace_back(design::LoadStep{"x", tensor.id});
        values.push_back({{ir::Scalar::I8, {10}}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}});
    }

    Result<std::optional<hdl::WrongElement>> read(const std::string& words) const {
        return hdl::wrongElement(schedule, hdl::checkpointsOf(schedule).front(), {values}, words);
    }

    design::Schedule schedule;
    std::vector<ir::Tensor> values;
};

TEST(CheckpointWords, AreReadAsTheyLie) {
    const TenChannels design;
    // Lanes behind the last channel hold no meaning.
    const auto right = design.read("// 0x00000000\n0706050403020100\nffffffffxxxx0908\n");
    ASSERT_TRUE(right);
    EXPECT_FALSE(*right);
    const auto wrong = design.read("0706050403020100\n000000000000f908\n");
    ASSERT_TRUE(wrong && *wrong);
    EXPECT_EQ((*wrong)->element, std::vector<std::int64_t>{9});
    EXPECT_EQ((*wrong)->got, -7);
    EXPECT_EQ(toText(**wrong), "input x: element [i=9] is -7, expected 9 (vector 0)");
}

TEST(CheckpointWords, MayBeUnknown) {
    const auto wrong = TenChannels().read("07060x0403020100\n0000000000000908\n");
    ASSERT_TRUE(wrong && *wrong);
    EXPECT_EQ((*wrong)->index, 5);
    EXPECT_FALSE((*wrong)->got);
    EXPECT_EQ(toText(**wrong), "input x: element [i=5] is unknown, expected 5 (vector 0)");
}

TEST(CheckpointWords, AreAllThere) {
    const auto few = TenChannels().read("0706050403020100\n");
    ASSERT_FALSE(few);
    EXPECT_EQ(few.error().front().code, "checkpoint-form");
}

// The same words as two pixels of all their lanes.
TEST(CheckpointWords, MayBeThoseOfAnotherForm) {
    TenChannels design;
    design::StoredTensor words = design.schedule.tensors[0];
    words.id = design::TensorId(1);
    words.pixels = words.width = 2;
    words.channels = 8;
    words.wordsPerPixel = 1;
    design.schedule.tensors.push_back(words);
    design.schedule.steps = {design::LoadStep{"x", words.id}};
    EXPECT_FALSE(*design.read("0706050403020100\nffffffffffff0908\n"));
    const auto wrong = design.read("0706050403020100\nffffffffffff0909\n");
    ASSERT_TRUE(wrong && *wrong);
    EXPECT_EQ((*wrong)->index, 8);
}

TEST(CheckpointWords, OfPartsAreThoseOfTheWhole) {
    TenChannels design; // as two pixels of five channels, of which the second is read
    design.schedule.tensors[0].pixels = design.schedule.tensors[0].width = 2;
    design.schedule.tensors[0].channels = 5;
    design.schedule.tensors[0].wordsPerPixel = 1;
    design::StoredTensor part = design.schedule.tensors[0];
    part.id = design::TensorId(1);
    part.pixels = part.width = 1;
    part.base = 1;
    design.schedule.tensors.push_back(part);
    design.schedule.steps = {design::LoadStep{"x", part.id}};
    EXPECT_FALSE(*design.read("0000000908070605\n"));
    const auto wrong = design.read("0000000908170605\n");
    ASSERT_TRUE(wrong && *wrong);
    EXPECT_EQ((*wrong)->index, 7);
}

} // namespace
} // namespace marquetry
