// Write-backs that scale, in hardware: simulated, and compared with the reference interpreter bit
// for bit and with the cycle model clock for clock.
#include "engine/design/cycle_model.h"
#include "engine/design/schedule_json.h"
#include "engine/ir/interpreter.h"
#include "engine/lower_design/lower_design.h"
#include "engine/support/process.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/scaled/scaled_designs.h"
#include "tests/oracles/simulate.h"

#include <filesystem>
#include <iostream>
#include <regex>

namespace marquetry {

using hdl::Simulator;
using test::ScaledHardware;
using test::TestDesign;

namespace {

class ScaledWriteBack : public test::ExportTest {
protected:
    void expectVerified(const std::string& text, const ScaledHardware& hardware,
                        std::uint64_t seed = 1) {
        SCOPED_TRACE(text + "\nP " + std::to_string(hardware.parallel) + " E " +
                     std::to_string(hardware.writeLanes) + " L " + std::to_string(hardware.lanes));
        const TestDesign design = test::scaledDesign(text, hardware);
        const Status possible = hdl::check(design.schedule);
        ASSERT_TRUE(possible) << format(possible.error());
        const auto run = ir::interpret(design.program, {});
        ASSERT_TRUE(run) << format(run.error());
        std::vector<ir::Tensor> outputs;
        for (const ir::Output& output : design.program.outputs)
            outputs.push_back(run->values[output.value.index()]);
        EXPECT_EQ(design::simulate(design.schedule, design.program, run->values), outputs);
        const std::string folder = exportTo("design" + std::to_string(count_++), design);
        const auto report = verified(folder, design, {Simulator::Icarus, 2, seed, seed % 2 == 0});
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
        const std::int64_t predicted = design::predictCycles(design.schedule).total;
        EXPECT_EQ(report.cycles, std::vector<std::int64_t>(2, predicted));
    }

private:
    int count_ = 0;
};

/// A reduction of 16 words of 8 lanes, so that 16 rows may leave one by one.
std::string product(const std::string& weights, const std::string& epilogue) {
    return "design d { input x : i8[128] = random(seed: 1);"
           "weight w : i8[24, 128] = random(seed: 2); " +
           weights + " let a = mv(w, x); " + epilogue + " }";
}

const char* const kVectors =
    "weight b : i32[24] = random(seed: 3, lo: -100000, hi: 100000);"
    "weight m : i32[24] = random(seed: 4, lo: -2147483647, hi: 2147483647);"
    "weight c : i32[24] = random(seed: 5);"
    "weight s : u8[24] = random(seed: 6, lo: 33, hi: 45);";

} // namespace

TEST_F(ScaledWriteBack, EveryNumberOfLanes) {
    for (const std::int64_t lanes : {1, 2, 4, 8})
        expectVerified(product(kVectors, "output y = requant(add(a, b), mul: m, add: c, shift: s,"
                                         " zero: -3, to: i8, round: even);"),
                       {8, 8, lanes}, static_cast<std::uint64_t>(lanes));
    expectVerified(product(kVectors, "output y = requant(add(a, b), mul: m, shift: s, zero: 5,"
                                     " to: u8);"),
                   {16, 16, 2});
    expectVerified(product(kVectors, "output y = add(a, b);"), {8, 2, 1});
}

/// Rows that are no power of two, more than a word has lanes, and more than the layer has.
TEST_F(ScaledWriteBack, AnyNumberOfRows) {
    const std::string text =
        product(kVectors, "output y = requant(add(a, b), mul: m, add: c, shift: s, zero: -3,"
                          " to: i8, round: even);");
    std::uint64_t seed = 0;
    for (const auto& [parallel, writes] :
         {std::pair(3, 1), {5, 1}, {6, 2}, {7, 1}, {12, 4}, {20, 2}, {24, 8}, {24, 4}, {32, 8}})
        expectVerified(text, {8, parallel, writes}, ++seed);
    expectVerified(text, {16, 20, 4}, 3);
    expectVerified(text, {32, 12, 4}, 4);
}

/// Reductions of one to nine words, which their results outlast or not; words, pools and additions
/// that lie behind the groups written to the one before.
TEST_F(ScaledWriteBack, ReductionsThatWait) {
    const std::string text =
        "design d { input x : i8[6, 4, 9] = random(seed: 1); weight w : i8[13, 1, 1, 9] = "
        "random(seed: 2); weight b : i32[13] = random(seed: 3, lo: -900, hi: 900);"
        "let a = requant(add(conv(x, w), b), mul: 9, shift: 11, to: i8, round: even);"
        "weight v : i8[13, 3, 3, 13] = random(seed: 4);"
        "let c = requant(conv(a, v, pad: 1), mul: 5, shift: 11, to: i8);"
        "let e = qadd(c, a, mul: [3, 5], shift: 3, to: i8, round: even);"
        "weight u : i8[10, 1, 1, 13] = random(seed: 5);"
        "output y = maxpool(requant(conv(e, u), mul: 7, shift: 10, to: i8), size: 2); }";
    std::uint64_t seed = 0;
    for (const auto& [parallel, writes] : {std::pair(8, 1), {5, 1}, {6, 2}, {12, 1}, {20, 4}})
        expectVerified(text, {8, parallel, writes}, ++seed);
    expectVerified(text, {16, 12, 1}, 9);
}

/// Units that take several words of a row of the kernel at once, with padding that is no zero at
/// both ends of a row, and strides; more words than a row has, and no divisor of them.
TEST_F(ScaledWriteBack, SeveralWordsAtOnce) {
    const std::string text =
        "design d { input x : u8[7, 9, 3] = random(seed: 1); weight w : i8[16, 3, 3, 3] = "
        "random(seed: 2); weight b : i32[16] = random(seed: 3, lo: -900, hi: 900);"
        "let a = requant(add(conv(x, w, pad: 1, fill: 131), b), mul: 9, shift: 12, to: i8,"
        " round: even);"
        "weight v : i8[20, 3, 5, 16] = random(seed: 4);"
        "let c = requant(conv(a, v, pad: [1, 3, 1, 2], stride: [2, 1], fill: -7), mul: 5,"
        " shift: 13, to: i8);"
        "weight u : i8[10, 1, 1, 20] = random(seed: 5);"
        "let e = requant(conv(c, u), mul: 7, shift: 10, to: i8);"
        "weight f : i8[11, 400] = random(seed: 6);"
        "output y = requant(mv(f, flatten(e)), mul: 3, shift: 13, to: i8); }";
    std::uint64_t seed = 0;
    for (const std::int64_t span : {2, 3, 5, 6, 9})
        expectVerified(text, {8, 6, 2, span}, ++seed);
    expectVerified(text, {16, 5, 1, 3}, 7);
}

/// Few channels: rows of the kernel at once, in slots of their lanes alone.
TEST_F(ScaledWriteBack, WholeWindows) {
    const auto text = [](const std::string& input, const std::string& weights,
                         const std::string& moving) {
        return "design d { input x : u8[" + input + "] = random(seed: 1); weight w : i8[" +
               weights +
               "] = random(seed: 2); weight b : i32[11] = random(seed: 3, lo: -900, hi: "
               "900); let a = requant(add(conv(x, w" +
               moving +
               "), b), mul: 9, shift: 12, to: i8,"
               " round: even); weight v : i8[5, 3, 3, 11] = random(seed: 4);"
               "output y = requant(conv(a, v, pad: 1), mul: 5, shift: 13, to: i8); }";
    };
    std::uint64_t seed = 0;
    for (const std::int64_t span : {1, 2, 3, 5}) {
        expectVerified(text("7, 9, 3", "11, 3, 3, 3", ", pad: 1, fill: 131"), {8, 6, 2, span, true},
                       ++seed);
        expectVerified(text("12, 5, 1", "11, 10, 4, 1", ", pad: [4, 1, 5, 1], stride: 2"),
                       {8, 4, 4, span, true}, ++seed);
    }
    expectVerified(text("6, 5, 9", "11, 3, 2, 9", ", pad: [1, 0, 2, 1], fill: 3, stride: [1, 2]"),
                   {8, 4, 4, 7, true}, ++seed);
}

/// Windows of several words of channels at once, the last block with more than a pixel has.
TEST_F(ScaledWriteBack, DepthWise) {
    const std::string text =
        "design d { input x : u8[5, 6, 20] = random(seed: 1); weight w : i8[20, 3, 3] = "
        "random(seed: 2); weight m : i32[20] = random(seed: 3, lo: 1, hi: 70000);"
        "let a = requant(dwconv(x, w, pad: [1, 1, 0, 1], stride: [1, 2], fill: 9), mul: m,"
        " shift: 24, to: i8, round: even);"
        "weight v : i8[20, 1, 2] = random(seed: 4);"
        "let c = requant(dwconv(a, v), mul: 5, shift: 10, to: u8);"
        "output y = requant(avgpool(c, size: [4, 2]), mul: 999, shift: 13, to: u8);"
        "output z = maxpool(c, size: [3, 2], stride: 1); }";
    std::uint64_t seed = 0;
    for (const auto& [span, writes] : {std::pair(1, 2), {2, 8}, {2, 1}, {3, 4}, {5, 2}})
        expectVerified(text, {8, 4, writes, span}, ++seed);
}

TEST_F(ScaledWriteBack, EveryRounding) {
    for (const char* round : {"up", "down", "away", "even"}) {
        const std::string how = std::string(", round: ") + round + ");";
        // Products of 3 and 2^2: one in four is an exact tie.
        expectVerified(product("", "output y = requant(a, mul: 3, shift: 2, to: i32" + how),
                       {8, 8, 2});
        expectVerified(
            product("weight s : u8[24] = random(seed: 6, lo: 0, hi: 12);",
                    "output y = requant(a, mul: -5, add: 7, shift: s, zero: 1, to: i16" + how),
            {8, 4, 4});
    }
    expectVerified(product("", "output y = requant(a, mul: 77, shift: 9, zero: 3, to: i8,"
                               " round: even, tie: 40);"),
                   {8, 8, 4});
}

TEST_F(ScaledWriteBack, ShiftsFromNothingToAll) {
    expectVerified(product("weight s : u8[24] = random(seed: 6, lo: 0, hi: 62);"
                           "weight m : i32[24] = random(seed: 4);",
                           "output y = requant(a, mul: m, shift: s, to: i32, round: away);"),
                   {8, 8, 2});
    expectVerified(product("", "output y = requant(a, shift: 0, zero: 100, to: i8, round: even);"),
                   {8, 8, 2});
    expectVerified(product("", "output y = requant(a, mul: -2147483648, add: -2147483648,"
                               " shift: 62, to: i8, round: even);"),
                   {8, 8, 2});
}

/// The accumulators of least and greatest inputs.
TEST_F(ScaledWriteBack, GreatestSums) {
    for (const char* value : {"lo: -128, hi: -128", "lo: 127, hi: 127"})
        expectVerified(
            "design d { input x : i8[128] = random(seed: 1); weight w : i8[8, 128] = random(seed: "
            "2, " +
                std::string(value) +
                "); weight m : i32[8] = random(seed: 4, lo: 2000000000, hi: 2147483647);"
                "output y = requant(mv(w, x), mul: m, shift: 40, to: i16, round: even); }",
            {8, 4, 1});
}

TEST_F(ScaledWriteBack, Activations) {
    const std::string tables =
        "weight t : i8[256] = random(seed: 8); weight u : u8[256] = random(seed: 9);"
        "weight w2 : i8[24, 128] = random(seed: 10);";
    const std::string both = "let q = requant(a, mul: 1000, shift: 18, to: i8, round: even);"
                             "let p = requant(mv(w2, x), mul: 900, shift: 17, zero: 128, to: u8);";
    expectVerified(product(tables, both + "output y = clip(q, lo: -7, hi: 99);"
                                          "output z = table(p, t);"),
                   {8, 8, 2});
    expectVerified(product(tables, both + "output y = table(q, u);"
                                          "output z = leaky(p, num: 3, shift: 4);"),
                   {8, 4, 1});
    expectVerified(product(tables, both + "output y = relu(q);"
                                          "output z = clip(table(p, u), lo: 3, hi: 200);"),
                   {8, 4, 4});
}

TEST_F(ScaledWriteBack, WeightedSums) {
    const std::string head =
        "design d { input x : i8[4, 6, 16] = random(seed: 1); input r : u8[4, 6, 16] = "
        "random(seed: 11);"
        "weight w : i8[16, 3, 3, 16] = random(seed: 2); weight b : i32[16] = random(seed: 3, lo: "
        "-9, hi: 9);"
        "let a = requant(add(conv(x, w, pad: 1), b), mul: 70001, shift: 26, zero: 7, to: i8,"
        " round: even);";
    const std::string add = "mul: [1234567, -765432], add: 99999, shift: 21, zero: -4, to: i8,"
                            " round: even)";
    expectVerified(head + "output y = qadd(a, r, " + add + "; }", {8, 8, 1});
    expectVerified(head + "output y = qadd(r, a, " + add + "; }", {16, 16, 2});
    expectVerified(head + "output y = clip(qadd(a, r, " + add + ", lo: -9, hi: 70); }", {8, 4, 4});
    // One unit that adds so, plainly, and not at all.
    expectVerified(head + "let e = qadd(a, r, " + add +
                       "; weight v : i8[16, 3, 3, 16] = random(seed: 12);"
                       "let f = requant(add(requant(conv(e, v, pad: 1), shift: 9), x), shift: 1);"
                       "output y = requant(conv(f, v), mul: 3, shift: 12); }",
                   {8, 8, 2});
}

TEST_F(ScaledWriteBack, Pools) {
    const std::string head =
        "design d { input x : i8[7, 8, 5] = random(seed: 1); weight w : i8[12, 3, 3, 5] = "
        "random(seed: 2);"
        "weight b : i32[12] = random(seed: 3, lo: -500, hi: 500);"
        "let a = requant(add(conv(x, w, pad: 1), b), mul: 9, shift: 11, to: i8, round: even);";
    expectVerified(head + "output y = maxpool(a, size: 2); }", {8, 8, 1});
    expectVerified(head + "output y = requant(avgpool(a, size: 3), mul: 466033, shift: 22, to: i8,"
                          " round: even); }",
                   {8, 8, 2});
    expectVerified(head + "let p = maxpool(a, size: 2); output y = sumpool(p, size: 2);"
                          "output z = requant(avgpool(x, size: 4), mul: 5, add: 3, shift: 6); }",
                   {16, 8, 8});
    // Both kinds on one unit.
    expectVerified(head +
                       "let p = maxpool(a, size: 2); weight v : i8[9, 3, 3, 12] = random(seed: 4);"
                       "output y = requant(sumpool(requant(conv(p, v, pad: 1), shift: 6), size: 3),"
                       " mul: 7, shift: 5); }",
                   {8, 8, 4});
}

TEST_F(ScaledWriteBack, Passes) {
    expectVerified("design d { input x : u8[3, 4, 20] = random(seed: 1); input z : i8[3, 4, 20] = "
                   "random(seed: 2);"
                   "weight b : i32[20] = random(seed: 3, lo: -300, hi: 300); weight t : i8[256] = "
                   "random(seed: 4);"
                   "weight m : i32[20] = random(seed: 5, lo: 1, hi: 70000);"
                   "let a = requant(add(x, b), mul: m, shift: 16, to: i8, round: away);"
                   "output y = table(a, t);"
                   "output v = qadd(z, x, mul: [5, 3], shift: 3, zero: 1, to: u8);"
                   "output q = clip(x, lo: 4, hi: 77); }",
                   {8, 8, 8});
}

TEST_F(ScaledWriteBack, SurvivesJson) {
    const TestDesign design = test::scaledDesign(
        product(std::string(kVectors) + "weight t : u8[256] = random(seed: 8); input r : i8[24] ="
                                        " zeros; ",
                "let q = requant(add(a, b), mul: m, add: c, shift: s, round: even, to: i8);"
                "output y = table(qadd(q, r, mul: [3, -4], add: 5, shift: 3, round: away), t);"),
        {8, 8, 2});
    const auto json = design::toJson(design.schedule);
    const auto again = design::scheduleFromJson(json);
    ASSERT_TRUE(again) << format(again.error());
    EXPECT_EQ(design::toJson(*again), json);
    const auto& unit = again->units.front();
    EXPECT_EQ(unit.writeBack->form, design.schedule.units.front().writeBack->form);
    EXPECT_EQ(unit.writeBack->tables, design.schedule.units.front().writeBack->tables);
    EXPECT_EQ(hdl::designModules(*again, {{}}).top->comments(),
              hdl::designModules(design.schedule, {{}}).top->comments());
    auto wide = json;
    wide["units"][0]["write_back"]["mul_bits"] = 65;
    EXPECT_FALSE(design::scheduleFromJson(wide));
}

TEST_F(ScaledWriteBack, IsRefusedWhereGroupsLieInTwoWords) {
    const std::string text = "design d { input x : i8[16] = zeros; weight w : i8[8, 16] = zeros;"
                             "output y = requant(mv(w, x), mul: 3, shift: 4); }";
    const auto refusal = [&](std::int64_t parallel, std::int64_t writes) {
        TestDesign design = test::scaledDesign(text, {8, parallel, 1});
        design.schedule.units.front().writeBack->lanes = writes;
        const Status status = hdl::check(design.schedule);
        return status ? std::string() : status.error().front().message;
    };
    EXPECT_EQ(refusal(6, 2), "");
    EXPECT_NE(refusal(6, 3).find("writes 3 of 6 results"), std::string::npos);
    EXPECT_NE(refusal(6, 4).find("writes 4 of 6 results"), std::string::npos);
    EXPECT_NE(refusal(4, 8).find("writes 8 of 4 results"), std::string::npos);
    EXPECT_NE(refusal(32, 16).find("writes 16 of 32 results"), std::string::npos);
}

TEST_F(ScaledWriteBack, IsRefusedWhereTheUnitHasNone) {
    TestDesign design = test::scaledDesign(product(kVectors, "output y = clip(requant(add(a, b),"
                                                             " mul: m, shift: s), lo: 0, hi: 9);"),
                                           {8, 8, 8});
    ASSERT_TRUE(hdl::check(design.schedule));
    for (design::ScheduleUnit& unit : design.schedule.units)
        unit.writeBack.reset();
    const Status status = hdl::check(design.schedule);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().size(), 3U) << "bias, multiplication, clip";
    EXPECT_EQ(status.error().front().code, "hdl-unsupported");
}

TEST_F(ScaledWriteBack, LintsWithoutAWarning) {
    const std::string head = std::string(kVectors) + "weight t : u8[256] = random(seed: 8);"
                                                     "weight w2 : i8[24, 128] = random(seed: 9);"
                                                     "weight w3 : i8[24, 24] = random(seed: 9);";
    const std::string text = product(
        head, "let q = requant(add(a, b), mul: m, add: c, shift: s, round: even, to: i8);"
              "let p = clip(requant(mv(w2, x), mul: 7, shift: 19, round: away), lo: -9, hi: 80);"
              "let r = qadd(p, q, mul: [3, -4], add: 5, shift: 3, round: even, zero: 3);"
              "output y = table(requant(mv(w3, r), mul: 7, shift: 11), t);");
    for (const std::int64_t lanes : {4, 8}) {
        const std::string folder =
            exportTo("lint" + std::to_string(lanes), test::scaledDesign(text, {8, 8, lanes}));
        ProcessParams params{{"verilator", "--lint-only", "-Wall", "--top-module", "d_top"},
                             folder + "/rtl"};
        for (const auto& entry : std::filesystem::directory_iterator(folder + "/rtl"))
            if (entry.path().extension() == ".v")
                params.arguments.push_back(entry.path().filename().string());
        const auto result = runProcess(params);
        ASSERT_TRUE(result);
        EXPECT_EQ(result->output, "");
        EXPECT_EQ(result->exitCode, 0);
    }
}

TEST(WriteBackCost, LanesThatNeverWait) {
    EXPECT_EQ(cost::writeLanes(16, 1), 16);
    EXPECT_EQ(cost::writeLanes(16, 9), 2);
    EXPECT_EQ(cost::writeLanes(16, 16), 1);
    EXPECT_EQ(cost::writeLanes(16, 100), 1);
    EXPECT_EQ(cost::writeLanes(1, 1), 1);
}

TEST(WriteBackCost, BlocksOfProducts) {
    EXPECT_EQ(cost::multiplierBlocks(25, 18), 1);
    EXPECT_EQ(cost::multiplierBlocks(18, 25), 1);
    EXPECT_EQ(cost::multiplierBlocks(36, 36), 4);
    EXPECT_EQ(cost::multiplierBlocks(8, 0), 0);
    EXPECT_EQ(cost::multiplierBlocks(8, 5), 1);
}

// Up to nine bits that are left over are in logic.
TEST(WriteBackCost, FewBitsThatAreLeftOverTakeNoBlock) {
    EXPECT_EQ(cost::multiplierBlocks(8, 33), 1);
    EXPECT_EQ(cost::multiplierBlocks(8, 34), 2);
    EXPECT_EQ(cost::multiplierBlocks(25, 26), 1);
    EXPECT_EQ(cost::multiplierBlocks(25, 32), 1);
    EXPECT_EQ(cost::multiplierBlocks(31, 32), 2);
    EXPECT_EQ(cost::logicPart(8, 33).terms, 5);
    EXPECT_EQ(cost::logicPart(25, 18).terms, 0);
}

/// What synthesis makes of lanes with all kinds of products is what they are priced at.
TEST_F(ScaledWriteBack, SynthesisCountsTheBlocksOfItsPrice) {
    const std::string text =
        "design d { input x : i8[2, 4, 16] = zeros; input r : i8[2, 4, 16] = zeros;"
        "weight w : i8[16, 3, 3, 16] = random(seed: 2);"
        "weight m : i32[16] = random(seed: 4, lo: 1073741824, hi: 2147483647);"
        "let a = qadd(requant(conv(x, w, pad: 1), mul: m, shift: 40, round: even), r,"
        " mul: [1234567, 76543], shift: 21, round: even);"
        "let b = requant(conv(a, w, pad: 1), mul: m, shift: 40, round: even);"
        "output y = requant(avgpool(b, size: 2), mul: 1234567, shift: 22, round: even); }";
    const TestDesign design = test::scaledDesign(text, {8, 4, 2});
    const auto& form = design.schedule.units.front().writeBack->form;
    const std::string folder = exportTo("synth", design);
    std::string script = "read_verilog";
    for (const auto& entry : std::filesystem::directory_iterator(folder + "/rtl"))
        if (entry.path().extension() == ".v")
            script += " " + entry.path().filename().string();
    script += "; synth_xilinx -family xc7 -flatten -top d_top; check -assert; stat";
    const auto result = runProcess({{"yosys", "-p", script}, folder + "/rtl"});
    ASSERT_TRUE(result);
    const std::regex line("\\sDSP48E1\\s+(\\d+)");
    int blocks = 0;
    for (std::sregex_iterator it(result->output.begin(), result->output.end(), line), end;
         it != end; ++it)
        blocks = std::stoi((*it)[1]);
    EXPECT_EQ(blocks, 4 * 8 + 2 * cost::laneDsp(form));
    std::cout << "a lane has " << cost::laneDsp(form) << " blocks\n"
              << result->output.substr(result->output.rfind("=== d_top"));
}

} // namespace marquetry
