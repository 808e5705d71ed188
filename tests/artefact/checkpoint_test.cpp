// The first wrong layer and element of exports in which somebody has planted a fault: what is
// named is compared with what the fault does to the values, worked out here.
#include "engine/artefact/checkpoints.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/test_designs.h"
#include "tests/support/text_files.h"

#include <algorithm>

namespace marquetry {

using hdl::cat;
using hdl::Simulator;
using hdl::VerifyParams;
using hdl::VerifyReport;
using test::TestDesign;

namespace {

const design::ComputeStep& call(const TestDesign& design, std::size_t step) {
    return std::get<design::ComputeStep>(design.schedule.steps[step]);
}

const design::StoredTensor& resultOf(const TestDesign& design, std::size_t step) {
    return design.schedule.tensor(call(design, step).output);
}

const ir::Tensor& valueOf(const TestDesign& design, std::size_t step) {
    return design.values[resultOf(design, step).value.index()];
}

/// Three convolutions on units of their own: steps 1, 2 and 3.
TestDesign threeLayers() {
    test::ScheduleBuilder b("three");
    test::EpilogueSpec plain;
    plain.requantBefore = test::requant(8);
    auto t = b.input("x", {ir::Scalar::I8, {4, 3, 5}});
    for (const char* const name : {"first", "middle", "last"})
        t = b.conv(b.unit(name, 4), t, {12, 3, 1, 1}, plain);
    b.output("y", t);
    return b.finish();
}

/// What the layer would give if it did not round.
ir::Tensor notRounded(const TestDesign& design, std::size_t step) {
    const ir::Value& requant = design.program.value(resultOf(design, step).value);
    ir::Tensor result{requant.type, {}};
    for (const std::int64_t sum : design.values[requant.operands[0].index()].data)
        result.data.push_back(std::clamp<std::int64_t>(sum >> requant.params.shift, -128, 127));
    return result;
}

class Checkpoints : public test::ExportTest {
protected:
    /// The element of the layer is the first one in which the two differ.
    static void expectNamed(const VerifyReport& report, const std::string& layer,
                            const ir::Tensor& right, const ir::Tensor& wrong) {
        const auto [r, w] = std::ranges::mismatch(right.data, wrong.data);
        ASSERT_NE(r, right.data.end()) << "the fault changes nothing";
        EXPECT_FALSE(report.pass);
        ASSERT_TRUE(report.checkpoints);
        ASSERT_TRUE(report.checkpoints->wrong) << toText(*report.checkpoints);
        const hdl::WrongElement& named = *report.checkpoints->wrong;
        EXPECT_EQ(named.layer, layer);
        EXPECT_EQ(named.index, r - right.data.begin());
        EXPECT_EQ(named.expected, *r);
        EXPECT_EQ(named.got, *w);
        const std::int64_t width = right.type.dims[1], channels = right.type.dims[2];
        EXPECT_EQ(named.element, (std::vector<std::int64_t>{named.index / channels / width,
                                                            named.index / channels % width,
                                                            named.index % channels}));
    }

    void doNotRound(const std::string& folder, const std::string& unit, int shift) const {
        patch(folder, "rtl/" + unit + "_epilogue.v", cat("d0, x[", shift - 1, "]})"), "d0, 1'b0})");
    }

    void expectMiddleNamed(const VerifyParams& params, hdl::ExportInterface interface = {}) {
        const TestDesign design = threeLayers();
        hdl::ExportRequest request = test::requestFor(design);
        request.form.interface = interface;
        ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(request), path("three")));
        doNotRound(path("three"), "three_unit_middle", 8);
        const VerifyReport report = verified(path("three"), design, params);
        EXPECT_GT(report.mismatchCount, 0);
        expectNamed(report, call(design, 2).layer, valueOf(design, 2), notRounded(design, 2));
    }

    /// One sum is not rounded, which the second frame is the first to have.
    void expectOneSumNamed(const TestDesign& design, std::int64_t vector, std::int64_t frame) {
        TestDesign later = design;
        later.drawInputs(7 + 1);
        later.evaluate();
        const auto sums = [&](const TestDesign& of) {
            return of.values[of.program.value(resultOf(design, 2).value).operands[0].index()].data;
        };
        const std::vector<std::int64_t> before = sums(design);
        const std::vector<std::int64_t> after = sums(later);
        const auto sum = std::ranges::find_if(after, [&](std::int64_t s) {
            return (s >> 7 & 1) == 1 && std::abs(s) < 30000 && std::ranges::count(before, s) == 0;
        });
        ASSERT_NE(sum, after.end());
        const std::string folder = exportTo("later", design);
        patch(folder, "rtl/three_unit_middle_epilogue.v", "d0, x[7]})",
              cat("d0, x[7] & (x != ", *sum < 0 ? "-" : "", "32'sd", std::abs(*sum), ")})"));
        const VerifyReport report = verified(folder, design, {Simulator::Icarus, 3, 7, true});
        ir::Tensor wrong = valueOf(later, 2);
        for (std::size_t k = 0; k < after.size(); ++k)
            if (after[k] == *sum)
                --wrong.data[k];
        expectNamed(report, call(design, 2).layer, valueOf(later, 2), wrong);
        EXPECT_EQ(report.checkpoints->wrong->vector, vector);
        EXPECT_EQ(report.checkpoints->wrong->frame, frame);
    }

    /// What a wire of the top is.
    std::string wire(const std::string& folder, const std::string& top, const std::string& name) {
        const std::string text = *test::readText(folder + "/" + top);
        const auto begin = text.find(" " + name + " = ") + name.size() + 4;
        return text.substr(begin, text.find(';', begin) - begin);
    }

    void rewire(const std::string& folder, const std::string& top, const std::string& name,
                const std::string& to) {
        const std::string is = " " + name + " = ";
        patch(folder, top, is + wire(folder, top, name) + ";", is + to + ";");
    }
};

} // namespace

TEST_F(Checkpoints, NameALayerThatDoesNotRound) {
    expectMiddleNamed({Simulator::Icarus, 2, 1, true});
}

TEST_F(Checkpoints, NameItInVerilator) {
    expectMiddleNamed({Simulator::Verilator, 2, 1, true});
}

TEST_F(Checkpoints, NameItBehindRegistersInIcarus) {
    expectMiddleNamed({Simulator::Icarus, 1, 1, false}, hdl::ExportInterface::Axi);
}

TEST_F(Checkpoints, NameItBehindRegistersInVerilator) {
    expectMiddleNamed({Simulator::Verilator, 1, 1, true}, hdl::ExportInterface::Axi);
}

TEST_F(Checkpoints, NameTheLayerOfAWrongWeight) {
    const TestDesign design = threeLayers();
    const std::string folder = exportTo("weight", design);
    const std::string file = "rtl/three_unit_middle_weights.mem";
    const std::string text = *test::readText(folder + "/" + file);
    // The lowest digit of the first word is of the first row's first element.
    const std::string word = text.substr(0, text.find('\n'));
    std::int64_t other = std::stoll(word.substr(word.size() - 1), nullptr, 16) ^ 2;
    std::string changed = word;
    changed.back() = "0123456789abcdef"[other];
    patch(folder, file, word + "\n", changed + "\n");
    TestDesign wrong = design;
    wrong.values[call(design, 2).weight->index()].data[0] ^= 2;
    wrong.evaluate();
    expectNamed(verified(folder, design, {Simulator::Icarus, 1, 1, true}), call(design, 2).layer,
                valueOf(design, 2), valueOf(wrong, 2));
}

// A later vector is named when the first ones are right.
TEST_F(Checkpoints, NameTheVector) {
    expectOneSumNamed(threeLayers(), 1, 0);
}

TEST_F(Checkpoints, NameTheFrameOfARunOfSeveral) {
    TestDesign design = threeLayers();
    ASSERT_TRUE(test::makeBatch(design.schedule, 3));
    expectOneSumNamed(design, 0, 1);
}

// Words of two pixels change places: the first element that is not like its neighbour's.
TEST_F(Checkpoints, NameTheElementThatAWrongAddressMisplaces) {
    const TestDesign design = threeLayers();
    const std::string folder = exportTo("address", design);
    const std::string address = cat("slot_slot_", resultOf(design, 2).slot.value(), "_waddr");
    ASSERT_EQ(resultOf(design, 2).base, 0);
    ASSERT_EQ(resultOf(design, 2).wordsPerPixel, 2);
    rewire(folder, "rtl/three_top.v", address,
           "(" + wire(folder, "rtl/three_top.v", address) + ") ^ 2");
    const ir::Tensor& right = valueOf(design, 2);
    ir::Tensor wrong = right;
    const std::size_t channels = 12;
    for (std::size_t k = 0; k < right.data.size(); ++k)
        wrong.data[k] = right.data[(k / channels ^ 1) * channels + k % channels];
    expectNamed(verified(folder, design, {Simulator::Icarus, 1, 1, true}), call(design, 2).layer,
                right, wrong);
}

// The addend of the third layer is overwritten by what the second one writes elsewhere.
TEST_F(Checkpoints, NameWhatWasOverwritten) {
    test::ScheduleBuilder b("kept");
    test::EpilogueSpec plain;
    plain.requantBefore = test::requant(8);
    test::EpilogueSpec sum = plain;
    const auto unit = b.unit("u", 4);
    const auto x = b.input("x", {ir::Scalar::I8, {6, 5, 10}});
    const auto first = b.conv(unit, x, {10, 3, 1, 1}, plain);
    const auto second = b.conv(unit, x, {10, 3, 1, 1}, plain);
    sum.addend = first;
    sum.requantAfter = test::requant(1);
    b.output("y", b.conv(unit, second, {10, 3, 1, 1}, sum));
    const TestDesign design = b.finish();
    ASSERT_EQ(resultOf(design, 1).base, resultOf(design, 2).base);
    const std::string folder = exportTo("kept", design);
    std::string enable = wire(folder, "rtl/kept_top.v", "slot_slot_1_we");
    const std::string only = "(out_slot == 2'd1)";
    for (std::size_t at = 0; (at = enable.find(only, at)) != std::string::npos; ++at)
        enable.replace(at, only.size(), "(out_slot[0] ^ out_slot[1])");
    rewire(folder, "rtl/kept_top.v", "slot_slot_1_we", enable);
    const VerifyReport report = verified(folder, design, {Simulator::Icarus, 1, 1, true});
    expectNamed(report, call(design, 1).layer, valueOf(design, 1), valueOf(design, 2));
    EXPECT_EQ(report.checkpoints->wrong->overwrittenBefore, "layer " + call(design, 3).layer);
}

TEST_F(Checkpoints, NameALayerThatIsJoinedToAnother) {
    TestDesign design = test::leadsAndFollows();
    ASSERT_EQ(test::joinSteps(design.schedule), 2);
    const std::string folder = exportTo("joined", design);
    doNotRound(folder, "leads_and_follows_unit_second", 7);
    ASSERT_TRUE(call(design, 2).joinedAfter) << "the first of the second unit's";
    expectNamed(verified(folder, design, {Simulator::Icarus, 1, 1, true}), call(design, 2).layer,
                valueOf(design, 2), notRounded(design, 2));
}

// One input is never read: no output shows what is wrong with it.
TEST_F(Checkpoints, FindWhatNoOutputShows) {
    const TestDesign design = test::copies();
    const std::string folder = exportTo("copies", design);
    const auto& last = std::get<design::LoadStep>(design.schedule.steps[1]);
    const std::string data =
        cat("slot_slot_", design.schedule.tensor(last.tensor).slot.value(), "_wdata");
    rewire(folder, "rtl/copies_top.v", data, "~" + wire(folder, "rtl/copies_top.v", data));
    VerifyParams params{Simulator::Icarus, 1, 1, true};
    const VerifyReport blind = verified(folder, design, params);
    ASSERT_TRUE(blind.pass);
    EXPECT_FALSE(blind.checkpoints);
    params.checkpoints = true;
    const VerifyReport report = verified(folder, design, params);
    EXPECT_FALSE(report.pass);
    EXPECT_EQ(report.mismatchCount, 0);
    ASSERT_TRUE(report.checkpoints && report.checkpoints->wrong);
    EXPECT_TRUE(report.checkpoints->wrong->input);
    EXPECT_EQ(report.checkpoints->wrong->layer, last.port);
    EXPECT_EQ(report.checkpoints->wrong->index, 0);
    const bool isSigned = ir::info(design.schedule.tensor(last.tensor).scalar).isSigned;
    EXPECT_EQ(report.checkpoints->wrong->got,
              (isSigned ? -1 : 255) - report.checkpoints->wrong->expected);
}

// What sends an output is behind all slots.
TEST_F(Checkpoints, SayWhenAllThatIsStoredIsRight) {
    const TestDesign design = threeLayers();
    const std::string folder = exportTo("sent", design);
    patch(folder, "rtl/three_top.v", ".tdata(m_axis_y_tdata)", ".tdata()");
    patch(folder, "rtl/three_top.v", "endmodule", "assign m_axis_y_tdata = 64'd0;\nendmodule");
    const VerifyReport report = verified(folder, design, {Simulator::Icarus, 1, 1, true});
    EXPECT_GT(report.mismatchCount, 0);
    ASSERT_TRUE(report.checkpoints);
    EXPECT_FALSE(report.checkpoints->wrong);
    EXPECT_EQ(report.checkpoints->compared, 4);
    EXPECT_NE(report.checkpoints->note.find("how outputs are sent"), std::string::npos);
}

// The second input never comes: the first one is right.
TEST_F(Checkpoints, SayHowFarARunCame) {
    const TestDesign design = test::twoInputsTwoOutputs();
    const std::string folder = exportTo("stuck", design);
    patch(folder, "rtl/two_by_two_top.v", ".tvalid(s_axis_q_tvalid)", ".tvalid(1'b0)");
    const VerifyReport report = verified(folder, design, {Simulator::Icarus, 1, 1, false});
    EXPECT_FALSE(report.pass);
    ASSERT_TRUE(report.checkpoints);
    EXPECT_FALSE(report.checkpoints->wrong) << toText(*report.checkpoints);
    EXPECT_EQ(report.checkpoints->compared, 1);
    EXPECT_EQ(report.checkpoints->note, "every stored tensor is right up to the load of q, in "
                                        "which the run ended");
}

} // namespace marquetry
