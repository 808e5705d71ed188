// Scans in space and time: what is well-typed, delays, how long their loops are, and which are too
// long.
#include "engine/spacetime/loop_length.h"
#include "engine/spacetime/scan_node.h"
#include "tests/spacetime/byte_type.h"
#include "tests/spacetime/schedule_helpers.h"

#include <gmock/gmock.h>

namespace marquetry::spacetime {
namespace {

using testing::HasSubstr;
using ScanFunction = std::shared_ptr<const Graph>;

const SeqType kShort = atomType(ir::scalarStream(ir::Scalar::U16));

/// The operator on a state and an element.
ScanFunction functionOf(ir::StreamOp op, const SeqType& state, const SeqType& element) {
    auto graph = std::make_shared<Graph>();
    for (const SeqType& type : {state, element})
        graph->inputs.push_back(graph->add({Op::Input, {}, {}, {}, type}));
    graph->output = graph->add({Op::Atom, graph->inputs, {}, op});
    return graph;
}

std::string judgedScan(Op op, std::vector<std::int64_t> params, const SeqType& operand,
                       const ScanFunction& function, std::vector<std::int64_t> initial = {0}) {
    Node node{op, {}, std::move(params)};
    node.function = function;
    node.literal = std::move(initial);
    const auto type = judge(node, std::vector{operand});
    return type ? toString(*type) : type.error()[0].code;
}

TEST(ScanJudgement, TheResultIsTheStatesInTheLayersOfTheElements) {
    const ScanFunction add = functionOf(ir::StreamOp::Add, kByte, kByte);
    EXPECT_EQ(judgedScan(Op::ScanS, {4}, sseq(4, kByte), add), "SSeq 4 u8");
    EXPECT_EQ(judgedScan(Op::ScanT, {4, 1}, tseq(4, 1, kByte), add), "TSeq 4 1 u8");
    EXPECT_EQ(judgedScan(Op::ScanTS, {4, 1, 2}, tseq(4, 1, sseq(2, kByte)), add),
              "TSeq 4 1 (SSeq 2 u8)");
    const ScanFunction shift = functionOf(ir::StreamOp::Lsr, kShort, kByte);
    EXPECT_EQ(judgedScan(Op::ScanTS, {4, 1, 2}, tseq(4, 1, sseq(2, kByte)), shift),
              "TSeq 4 1 (SSeq 2 u16)");
    EXPECT_EQ(judgedScan(Op::ScanT, {3, 0}, tseq(3, 0, kByte), shift), "TSeq 3 0 u16");
}

TEST(ScanJudgement, IllTypedScansAreRejected) {
    const ScanFunction add = functionOf(ir::StreamOp::Add, kByte, kByte);
    const std::string no = "type-mismatch";
    EXPECT_EQ(judgedScan(Op::ScanS, {4}, sseq(3, kByte), add), no);
    EXPECT_EQ(judgedScan(Op::ScanS, {4}, tseq(4, 0, kByte), add), no);
    EXPECT_EQ(judgedScan(Op::ScanT, {4, 1}, tseq(4, 0, kByte), add), no);
    EXPECT_EQ(judgedScan(Op::ScanT, {4, 1}, tseq(4, 1, kShort), add), no);
    EXPECT_EQ(judgedScan(Op::ScanTS, {4, 1, 2}, tseq(4, 1, sseq(3, kByte)), add), no);
    EXPECT_EQ(judgedScan(Op::ScanTS, {4, 1, 2}, tseq(4, 1, kByte), add), no);
    // The function yields no state.
    EXPECT_EQ(judgedScan(Op::ScanT, {4, 1}, tseq(4, 1, kByte),
                         functionOf(ir::StreamOp::Lt, kByte, kByte)),
              no);
    EXPECT_EQ(judgedScan(Op::ScanT, {4, 1}, tseq(4, 1, kByte), add, {}), "bad-parameter");
    EXPECT_EQ(judgedScan(Op::ScanT, {4, 1}, tseq(4, 1, kByte), add, {1, 2}), "bad-parameter");
    EXPECT_EQ(judgedScan(Op::ScanT, {0, 1}, tseq(4, 1, kByte), add), "bad-parameter");
    EXPECT_EQ(judgedScan(Op::ScanTS, {4, 1, 0}, tseq(4, 1, kByte), add), "bad-parameter");
    EXPECT_EQ(judgedScan(Op::ScanTS, {4, 1}, tseq(4, 1, kByte), add), "operand-count");
    EXPECT_EQ(judgedScan(Op::ScanT, {4, 1}, tseq(4, 1, kByte), nullptr), "operand-count");
}

TEST(ScanDelay, LanesFollowEachOtherAndTheNextGroupWaitsForTheLast) {
    const ScanFunction product = functionOf(ir::StreamOp::Mul, kByte, kByte);
    const auto delayOf = [&](Op op, std::vector<std::int64_t> params, const SeqType& operand) {
        Graph graph;
        graph.inputs = {graph.add({Op::Input, {}, {}, {}, operand})};
        Node scan{op, graph.inputs, std::move(params)};
        scan.function = product;
        scan.literal = {1};
        graph.output = graph.add(std::move(scan));
        const auto found = delay(graph, DelayModel::Ours);
        return found ? std::to_string(*found) : found.error()[0].code;
    };
    EXPECT_EQ(delayOf(Op::ScanS, {3}, sseq(3, kByte)), "3");
    EXPECT_EQ(delayOf(Op::ScanT, {3, 0}, tseq(3, 0, kByte)), "1");
    EXPECT_EQ(delayOf(Op::ScanTS, {3, 0, 2}, tseq(3, 0, sseq(2, kByte))), "delay-mismatch");
    EXPECT_EQ(delayOf(Op::ScanTS, {1, 0, 2}, tseq(1, 0, sseq(2, kByte))), "2");
}

/// Of the scan in `text`, at one element per clock.
LoopLength lengthOf(const std::string& function, const std::string& state, std::int64_t lanes) {
    const ir::StreamProgram program = frontend::streamOf(
        "stream s { input x : Seq 64 " + state + "; output y = scan(" + function + ", 0, x); }");
    const auto found = schedule(program, 64 * 9, kintex(), {});
    EXPECT_TRUE(found) << (found ? "" : format(found.error()));
    for (const Node& node : found ? found->front[0].circuit.nodes : std::vector<Node>()) {
        if (isScan(node.op))
            return loopLength(*node.function, lanes, kPathLimit);
    }
    return {};
}

TEST(LoopLength, IsTheSumOfWhatIsBetweenTwoStates) {
    // A choice (300), a sum of 16 bits (770 + 4 · 114).
    EXPECT_EQ(lengthOf("add", "u16", 1), (LoopLength{1526, 1}));
    // Of the element alone nothing counts.
    EXPECT_EQ(lengthOf("fn s v -> add(s, mul(v, mul(v, 77)))", "u16", 1), (LoopLength{1526, 1}));
    // A sum behind a sum takes 900; by shifts nothing.
    EXPECT_EQ(lengthOf("fn s v -> sub(v, add(lsr(s, 3), v))", "u16", 1), (LoopLength{2426, 1}));
    // 3 = 2 + 1, and 7 = 8 − 1.
    EXPECT_EQ(lengthOf("fn s v -> add(mul(s, 3), v)", "u16", 1), (LoopLength{2426, 1}));
    EXPECT_EQ(lengthOf("fn s v -> xor(mul(s, 7), v)", "u16", 1), (LoopLength{1826, 1}));
    // Compared (a sum and a LUT) and chosen.
    EXPECT_EQ(lengthOf("max", "u8", 1), (LoopLength{300 + 998 + 300 + 300, 1}));
    EXPECT_EQ(lengthOf("fn s v -> v", "u16", 1), (LoopLength{0, 1}));
    // Four sums of 16 bits in a row, and eight: 1526 + 3 · 900, and 1526 + 7 · 900 in two clocks.
    EXPECT_EQ(lengthOf("add", "u16", 4), (LoopLength{4226, 1}));
    EXPECT_EQ(lengthOf("add", "u16", 8).clocks, 2);
    // A product of two values has registers of its own: two of 16 bits.
    EXPECT_EQ(lengthOf("fn s v -> add(mul(s, v), v)", "u16", 1).clocks, 3);
    // In each clock behind the first four of these sums fit: 400 + 1226 + 3 · 900.
    EXPECT_EQ(lengthOf("add", "u16", 4'000), (LoopLength{300 + 1000 * (1226 + 3 * 900.), 1000}));
    EXPECT_EQ(lengthOf("xor", "u8", 1'000'000).clocks, (1'000'000 + 1 + 14) / 15);
}

std::string scheduleError(const std::string& text, std::int64_t clocks) {
    const auto found = schedule(frontend::streamOf(text), clocks, kintex(), {});
    if (found)
        return "";
    const Diagnostic& error = found.error()[0];
    return error.file + ":" + std::to_string(error.range.line) + ":" +
           std::to_string(error.range.column) + " " + error.code + " " + error.message + " | " +
           error.hint;
}

TEST(LoopTooLong, IsADiagnosticThatNamesItsLength) {
    const std::string products = "stream s { input x : Seq 4096 u32;\n"
                                 "  output y = scan(fn s v -> add(mul(s, v), 1), 1, x); }";
    EXPECT_THAT(
        scheduleError(products, 4096),
        HasSubstr("test.mq:2:14 loop-too-long the loop of the scan is 4.5 ns long: it takes "
                  "at least 5 clocks of 4.9 ns, but the next state is needed after 1 | a "
                  "lower throughput leaves it more clocks"));
    EXPECT_EQ(scheduleError(products, 4096 * 5), "");
    const std::string sums = "stream s { input x : Seq 4096 u32;\n"
                             "  output y = scan(add, 1, x); }";
    EXPECT_THAT(scheduleError(sums, 512),
                HasSubstr("test.mq:2:14 loop-too-long the loop of the scan is"));
    EXPECT_THAT(scheduleError(sums, 512), HasSubstr("through 8 elements side by side"));
    EXPECT_THAT(scheduleError(sums, 512), HasSubstr("at a lower throughput fewer elements"));
    EXPECT_EQ(scheduleError(sums, 2048), "");
    // Where all come side by side no state comes back.
    EXPECT_EQ(scheduleError("stream s { input x : Seq 24 u32; output y = scan(add, 1, x); }", 3),
              "");
}

/// Lines side by side scan by themselves: where one is too slow, several are not.
TEST(LoopTooLong, LinesThatAreScannedSideBySideHaveTime) {
    const std::string lines = "stream s { input x : Seq 8 (Seq 3 u32);\n"
                              "  output y = map(fn l -> scan(add, 1, l), x); }";
    const ir::StreamProgram program = frontend::streamOf(lines);
    const auto found = schedule(program, 3, kintex(), {});
    ASSERT_TRUE(found) << format(found.error());
    expectMeaning(program, found->front[0], 4);
}

TEST(LoopTooLong, ASlowerClockLeavesMoreTime) {
    device::Device slow = kintex();
    EXPECT_EQ(loopLimit(slow), 4900);
    slow.clockMhz = 100;
    EXPECT_EQ(loopLimit(slow), 9800);
    slow.clockMhz = 400;
    EXPECT_EQ(loopLimit(slow), 4900);
    const ir::StreamProgram program =
        frontend::streamOf("stream s { input x : Seq 24 u32; output y = scan(add, 1, x); }");
    slow.clockMhz = 100;
    EXPECT_TRUE(schedule(program, 3, slow, {}));
}

TEST(Scan, TheStateIsPartOfTheArea) {
    const auto areaOf = [](const std::string& initial) {
        const ir::StreamProgram program = frontend::streamOf(
            "stream s { input x : Seq 24 u32; output y = scan(add, " + initial + ", x); }");
        const auto found = schedule(program, 24, kintex(), {});
        EXPECT_TRUE(found);
        return found->front[0].area;
    };
    EXPECT_EQ(areaOf("0"), (device::Resources{0, 32, 32, 0}));
    EXPECT_EQ(areaOf("9"), (device::Resources{0, 64, 32, 0}));
}

} // namespace
} // namespace marquetry::spacetime
