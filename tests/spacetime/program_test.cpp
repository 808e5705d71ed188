// L_st programs: what is well-typed and what is not, what programs mean slot by slot, their delay.
// Meanings are compared with the interpreter of L_seq on the same program without space and time.
#include "engine/spacetime/delay.h"
#include "engine/spacetime/typing.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/oracles/evaluate.h"
#include "tests/spacetime/byte_type.h"

#include <gmock/gmock.h>

namespace marquetry::spacetime {
namespace {

using testing::HasSubstr;

const SeqType kWord = atomType(ir::scalarStream(ir::Scalar::U32));
constexpr std::int64_t kU = ir::kUndefined;

using Function = std::shared_ptr<const Graph>;

NodeId input(Graph& graph, const SeqType& type) {
    graph.inputs.push_back(graph.add({Op::Input, {}, {}, {}, type}));
    return graph.inputs.back();
}

NodeId put(Graph& graph, Op op, std::vector<NodeId> operands, std::vector<std::int64_t> params = {},
           Function function = nullptr) {
    Node node{op, std::move(operands), std::move(params)};
    node.function = std::move(function);
    return graph.output = graph.add(std::move(node));
}

NodeId constant(Graph& graph, const SeqType& type, std::vector<std::int64_t> words) {
    Node node{Op::Const, {}, {}, {}, type};
    node.literal = std::move(words);
    return graph.output = graph.add(std::move(node));
}

NodeId reshape(Graph& graph, NodeId from, const SeqType& to) {
    return graph.output = graph.add({Op::Reshape, {from}, {}, {}, to});
}

/// A function of one operator on operands of one type.
Function atomFunction(ir::StreamOp op, const SeqType& type) {
    auto graph = std::make_shared<Graph>();
    Node node{Op::Atom, {}, {}, op};
    for (int k = 0; k < ir::info(op).operands; ++k)
        node.operands.push_back(input(*graph, type));
    graph->output = graph->add(std::move(node));
    return graph;
}

/// A function of one L_st operator on operands of one type.
Function function(Op op, const SeqType& type, std::size_t operands,
                  std::vector<std::int64_t> params = {}, Function inner = nullptr) {
    auto graph = std::make_shared<Graph>();
    std::vector<NodeId> inputs;
    for (std::size_t k = 0; k < operands; ++k)
        inputs.push_back(input(*graph, type));
    put(*graph, op, inputs, std::move(params), std::move(inner));
    return graph;
}

/// The judgement of one operator: its result, or the code of the error.
std::string judged(Node node, const std::vector<SeqType>& operands) {
    const auto type = judge(node, operands);
    return type ? toString(*type) : type.error()[0].code;
}

std::string judged(Op op, std::vector<std::int64_t> params, const std::vector<SeqType>& operands,
                   Function f = nullptr) {
    Node node{op, {}, std::move(params)};
    node.function = std::move(f);
    return judged(std::move(node), operands);
}

TEST(Judgement, OfEveryOperator) {
    const SeqType& t = kByte;
    const SeqType pair = tseq(2, 0, t);
    const Function add = atomFunction(ir::StreamOp::Add, t);
    const Function negate = atomFunction(ir::StreamOp::Abs, t);
    const Function shorter = atomFunction(ir::StreamOp::Lt, t);
    EXPECT_EQ(judged({Op::Atom, {}, {}, ir::StreamOp::Tuple}, {t, kWord}), "(u8, u32)");
    EXPECT_EQ(judged(Op::STuple, {}, {pair, pair}), "STuple 2 (TSeq 2 0 u8)");
    EXPECT_EQ(judged(Op::Append, {}, {stuple(3, t), t}), "STuple 4 u8");
    EXPECT_EQ(judged(Op::TupleToSSeq, {}, {stuple(3, t)}), "SSeq 3 u8");
    EXPECT_EQ(judged(Op::SSeqToTuple, {}, {sseq(3, t)}), "STuple 3 u8");
    EXPECT_EQ(judged(Op::Map2S, {4}, {sseq(4, t), sseq(4, t)}, shorter), "SSeq 4 bit");
    EXPECT_EQ(judged(Op::Map2T, {4, 1}, {tseq(4, 1, t), tseq(4, 1, t)}, add), "TSeq 4 1 u8");
    EXPECT_EQ(
        judged(Op::MapT, {4, 1}, {tseq(4, 1, pair)}, function(Op::ShiftT, pair, 1, {2, 0, 1})),
        "TSeq 4 1 (TSeq 2 0 u8)");
    EXPECT_EQ(judged(Op::MapS, {4}, {sseq(4, pair)}, function(Op::Fifo, pair, 1, {2})),
              "SSeq 4 (TSeq 2 0 u8)");
    EXPECT_EQ(judged(Op::ReduceS, {4}, {sseq(4, t)}, add), "SSeq 1 u8");
    EXPECT_EQ(judged(Op::ReduceT, {4, 1}, {tseq(4, 1, t)}, add), "TSeq 1 4 u8");
    EXPECT_EQ(judged(Op::ShiftS, {4, 1}, {sseq(4, t)}), "SSeq 4 u8");
    EXPECT_EQ(judged(Op::ShiftT, {4, 1, 2}, {tseq(4, 1, t)}), "TSeq 4 1 u8");
    EXPECT_EQ(judged(Op::ShiftTS, {4, 1, 2, 3}, {tseq(4, 1, sseq(2, t))}), "TSeq 4 1 (SSeq 2 u8)");
    EXPECT_EQ(judged(Op::ShiftTN, {3, 4, 1, 2, 0}, {tseq(4, 1, tseq(2, 0, t))}),
              "TSeq 4 1 (TSeq 2 0 u8)");
    EXPECT_EQ(judged(Op::UpS, {4}, {sseq(1, t)}), "SSeq 4 u8");
    EXPECT_EQ(judged(Op::UpT, {4, 1}, {tseq(1, 4, t)}), "TSeq 4 1 u8");
    EXPECT_EQ(judged(Op::SelectS, {4, 3}, {sseq(4, t)}), "SSeq 1 u8");
    EXPECT_EQ(judged(Op::SelectT, {4, 1, 3}, {tseq(4, 1, t)}), "TSeq 1 4 u8");
    EXPECT_EQ(judged(Op::PartitionS, {2, 3}, {sseq(6, t)}), "SSeq 2 (SSeq 3 u8)");
    EXPECT_EQ(judged(Op::UnpartitionS, {2, 3}, {sseq(2, sseq(3, t))}), "SSeq 6 u8");
    EXPECT_EQ(judged(Op::PartitionT, {2, 3, 1, 4}, {tseq(6, 15, t)}), "TSeq 2 1 (TSeq 3 4 u8)");
    EXPECT_EQ(judged(Op::UnpartitionT, {2, 3, 1, 4}, {tseq(2, 1, tseq(3, 4, t))}), "TSeq 6 15 u8");
    EXPECT_EQ(judged(Op::Serialize, {3, 1}, {tseq(1, 3, stuple(3, t))}), "TSeq 3 1 u8");
    EXPECT_EQ(judged(Op::Deserialize, {3, 1}, {tseq(3, 1, t)}), "TSeq 1 3 (STuple 3 u8)");
    EXPECT_EQ(judged(Op::Add1S, {}, {t}), "SSeq 1 u8");
    EXPECT_EQ(judged(Op::Add1T, {}, {t}), "TSeq 1 0 u8");
    EXPECT_EQ(judged(Op::Remove1S, {}, {sseq(1, t)}), "u8");
    EXPECT_EQ(judged(Op::Remove1T, {}, {tseq(1, 0, t)}), "u8");
    EXPECT_EQ(judged(Op::Fifo, {3}, {pair}), "TSeq 2 0 u8");
    EXPECT_EQ(judged({Op::Reshape, {}, {}, {}, tseq(2, 0, sseq(2, t))}, {sseq(2, tseq(2, 0, t))}),
              "TSeq 2 0 (SSeq 2 u8)");
}

TEST(Judgement, IllTypedProgramsAreRejected) {
    const SeqType& t = kByte;
    const Function add = atomFunction(ir::StreamOp::Add, t);
    const std::string no = "type-mismatch";
    EXPECT_EQ(judged({Op::Atom, {}, {}, ir::StreamOp::Add}, {t, kWord}), no);
    EXPECT_EQ(judged({Op::Atom, {}, {}, ir::StreamOp::Add}, {sseq(1, t), t}), no);
    EXPECT_EQ(judged(Op::STuple, {}, {t, kWord}), no);
    EXPECT_EQ(judged(Op::Append, {}, {t, t}), no);
    EXPECT_EQ(judged(Op::Append, {}, {stuple(2, t), kWord}), no);
    EXPECT_EQ(judged(Op::TupleToSSeq, {}, {sseq(3, t)}), no);
    EXPECT_EQ(judged(Op::SSeqToTuple, {}, {tseq(3, 0, t)}), no);
    EXPECT_EQ(judged(Op::Map2S, {4}, {sseq(4, t), sseq(3, t)}, add), no);
    EXPECT_EQ(judged(Op::Map2S, {4}, {tseq(4, 0, t), sseq(4, t)}, add), no);
    EXPECT_EQ(judged(Op::Map2T, {4, 1}, {tseq(4, 1, t), tseq(4, 0, t)}, add), no);
    EXPECT_EQ(judged(Op::Map2T, {4, 1}, {tseq(4, 1, kWord), tseq(4, 1, t)}, add), no);
    EXPECT_EQ(judged(Op::ReduceS, {4}, {sseq(3, t)}, add), no);
    EXPECT_EQ(judged(Op::ReduceS, {4}, {sseq(4, t)}, atomFunction(ir::StreamOp::Lt, t)), no);
    EXPECT_EQ(judged(Op::ReduceT, {4, 1}, {sseq(4, t)}, add), no);
    EXPECT_EQ(judged(Op::ShiftS, {4, 1}, {sseq(5, t)}), no);
    EXPECT_EQ(judged(Op::ShiftT, {4, 1, 2}, {tseq(4, 0, t)}), no);
    EXPECT_EQ(judged(Op::ShiftTS, {4, 1, 2, 1}, {tseq(4, 1, sseq(3, t))}), no);
    EXPECT_EQ(judged(Op::ShiftTN, {1, 4, 1, 2, 0}, {tseq(4, 1, tseq(2, 1, t))}), no);
    EXPECT_EQ(judged(Op::UpS, {4}, {sseq(2, t)}), no);
    EXPECT_EQ(judged(Op::UpT, {4, 1}, {tseq(1, 3, t)}), no);
    EXPECT_EQ(judged(Op::SelectS, {4, 3}, {sseq(5, t)}), no);
    EXPECT_EQ(judged(Op::SelectT, {4, 1, 3}, {tseq(4, 2, t)}), no);
    EXPECT_EQ(judged(Op::PartitionS, {2, 3}, {sseq(5, t)}), no);
    EXPECT_EQ(judged(Op::UnpartitionS, {2, 3}, {sseq(3, sseq(2, t))}), no);
    EXPECT_EQ(judged(Op::PartitionT, {2, 3, 1, 4}, {tseq(6, 14, t)}), no);
    EXPECT_EQ(judged(Op::UnpartitionT, {2, 3, 1, 4}, {tseq(2, 4, tseq(3, 1, t))}), no);
    EXPECT_EQ(judged(Op::Serialize, {3, 1}, {tseq(1, 2, stuple(3, t))}), no);
    EXPECT_EQ(judged(Op::Serialize, {3, 1}, {tseq(1, 3, sseq(3, t))}), no);
    EXPECT_EQ(judged(Op::Deserialize, {3, 1}, {tseq(3, 0, t)}), no);
    EXPECT_EQ(judged(Op::Remove1S, {}, {sseq(2, t)}), no);
    EXPECT_EQ(judged(Op::Remove1T, {}, {tseq(1, 1, t)}), no);
    EXPECT_EQ(judged({Op::Reshape, {}, {}, {}, sseq(4, t)}, {tseq(4, 0, t)}), no);
    EXPECT_EQ(judged({Op::Reshape, {}, {}, {}, tseq(3, 1, t)}, {tseq(4, 0, t)}), no);
    EXPECT_EQ(judged({Op::Reshape, {}, {}, {}, tseq(4, 0, kWord)}, {tseq(4, 0, t)}), no);
    EXPECT_EQ(judged(Op::SelectS, {4, 4}, {sseq(4, t)}), "bad-parameter");
    EXPECT_EQ(judged(Op::ShiftT, {4, 1, 0}, {tseq(4, 1, t)}), "bad-parameter");
    EXPECT_EQ(judged(Op::ShiftT, {4, -1, 1}, {tseq(4, -1, t)}), "bad-parameter");
    EXPECT_EQ(judged(Op::MapT, {4, 1}, {tseq(4, 1, t)}), "operand-count");
    EXPECT_EQ(judged(Op::MapT, {4, 1}, {tseq(4, 1, t)}, add), "operand-count");
    EXPECT_EQ(judged(Op::ShiftT, {4, 1}, {tseq(4, 1, t)}), "operand-count");
}

TEST(Judgement, TheTwoTypesAreDrawn) {
    const auto wrong = judge({Op::ShiftT, {}, {3, 0, 1}}, std::vector{tseq(2, 1, sseq(2, kByte))});
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error()[0].message,
                HasSubstr("'shift_t 3 0 1' expects TSeq 3 0 (SSeq 2 u8)"));
    EXPECT_EQ(wrong.error()[0].notes[2], "lane 0  0 2 .         lane 0  0 2 4");
}

TEST(Judgement, EveryInterfaceTakesTheSameTime) {
    Graph graph;
    const NodeId x = input(graph, tseq(4, 0, kByte));
    constant(graph, sseq(4, kByte), {1, 2, 3, 4});
    graph.output = x;
    EXPECT_EQ(check(graph).error()[0].code, "time-mismatch");
}

// --- meaning

/// The sum of each three neighbours, divided: the example of the language reference.
const char* const kConv = R"(stream conv1d {
    input x  : Seq 12 u8;
    let s1   = shift(1, x);
    let s2   = shift(1, s1);
    let w    = map(tuple_to_seq, partition(12, 1, map2(append, map2(stuple, s2, s1), x)));
    let sums = map(fn win -> reduce(add, win), w);
    output y = unpartition(map(fn s -> map(fn v -> div(v, 43), s), sums));
})";

Function divide() {
    auto graph = std::make_shared<Graph>();
    const NodeId x = input(*graph, kByte);
    const NodeId c = constant(*graph, atomType(ir::fixedStream()), {43});
    graph->output = graph->add({Op::Atom, {x, c}, {}, ir::StreamOp::Div});
    return graph;
}

Function appendOne() {
    auto graph = std::make_shared<Graph>();
    const NodeId two = input(*graph, stuple(2, kByte));
    const NodeId c = input(*graph, kByte);
    put(*graph, Op::Append, {two, c});
    return graph;
}

Function sumAndDivide() {
    auto graph = std::make_shared<Graph>();
    const NodeId window = input(*graph, stuple(3, kByte));
    const NodeId lanes = put(*graph, Op::TupleToSSeq, {window});
    const NodeId sum =
        put(*graph, Op::ReduceS, {lanes}, {3}, atomFunction(ir::StreamOp::Add, kByte));
    const NodeId one = put(*graph, Op::Remove1S, {sum});
    const NodeId c = constant(*graph, atomType(ir::fixedStream()), {43});
    graph->output = graph->add({Op::Atom, {one, c}, {}, ir::StreamOp::Div});
    return graph;
}

Slots expectedBlur(const std::vector<std::int64_t>& x) {
    return frontend::runStream(kConv, {x});
}

TEST(Evaluate, OneElementPerClockWithIdleTime) {
    const SeqType type = tseq(12, 2, kByte);
    Graph graph;
    const NodeId x = input(graph, type);
    const NodeId s1 = put(graph, Op::ShiftT, {x}, {12, 2, 1});
    const NodeId s2 = put(graph, Op::ShiftT, {s1}, {12, 2, 1});
    const NodeId two = put(graph, Op::Map2T, {s2, s1}, {12, 2}, function(Op::STuple, kByte, 2));
    const NodeId three = put(graph, Op::Map2T, {two, x}, {12, 2}, appendOne());
    put(graph, Op::MapT, {three}, {12, 2}, sumAndDivide());
    const auto words = frontend::iota(12);
    const Slots wave = evaluate(graph, {toWave(type, words)});
    EXPECT_EQ(wave, toWave(type, expectedBlur(words)));
    EXPECT_EQ(wave[12], kInvalid);
}

TEST(Evaluate, ThreeElementsPerClock) {
    const SeqType type = tseq(4, 0, sseq(3, kByte));
    Graph graph;
    const auto lift2 = [](const Function& f) {
        auto lifted = std::make_shared<Graph>();
        std::vector<NodeId> inputs;
        for (const NodeId id : f->inputs)
            inputs.push_back(input(*lifted, sseq(3, f->node(id).type)));
        put(*lifted, inputs.size() == 2 ? Op::Map2S : Op::MapS, inputs, {3}, f);
        return lifted;
    };
    const NodeId x = input(graph, type);
    const NodeId s1 = put(graph, Op::ShiftTS, {x}, {4, 0, 3, 1});
    const NodeId s2 = put(graph, Op::ShiftTS, {s1}, {4, 0, 3, 1});
    const NodeId two =
        put(graph, Op::Map2T, {s2, s1}, {4, 0}, lift2(function(Op::STuple, kByte, 2)));
    const NodeId three = put(graph, Op::Map2T, {two, x}, {4, 0}, lift2(appendOne()));
    put(graph, Op::MapT, {three}, {4, 0}, lift2(sumAndDivide()));
    const auto words = frontend::iota(12, 30);
    EXPECT_EQ(evaluate(graph, {toWave(type, words)}), toWave(type, expectedBlur(words)));
}

TEST(Evaluate, OneElementInThreeClocksWithOneAdder) {
    const SeqType type = tseq(12, 0, tseq(1, 2, kByte));
    Graph graph;
    const NodeId x = input(graph, type);
    const NodeId s1 = put(graph, Op::ShiftTN, {x}, {1, 12, 0, 1, 2});
    const NodeId s2 = put(graph, Op::ShiftTN, {s1}, {1, 12, 0, 1, 2});
    const auto inner = [](Op op, const Function& f) {
        auto lifted = std::make_shared<Graph>();
        std::vector<NodeId> inputs;
        for (const NodeId id : f->inputs)
            inputs.push_back(input(*lifted, tseq(1, 2, f->node(id).type)));
        put(*lifted, op, inputs, {1, 2}, f);
        return lifted;
    };
    const NodeId two =
        put(graph, Op::Map2T, {s2, s1}, {12, 0}, inner(Op::Map2T, function(Op::STuple, kByte, 2)));
    const NodeId three = put(graph, Op::Map2T, {two, x}, {12, 0}, inner(Op::Map2T, appendOne()));
    auto sum = std::make_shared<Graph>();
    const NodeId window = input(*sum, tseq(1, 2, stuple(3, kByte)));
    const NodeId serial = put(*sum, Op::Serialize, {window}, {3, 0});
    const NodeId total =
        put(*sum, Op::ReduceT, {serial}, {3, 0}, atomFunction(ir::StreamOp::Add, kByte));
    put(*sum, Op::MapT, {total}, {1, 2}, divide());
    put(graph, Op::MapT, {three}, {12, 0}, sum);
    const auto words = frontend::iota(12, 7);
    EXPECT_EQ(evaluate(graph, {toWave(type, words)}), toWave(type, expectedBlur(words)));
}

TEST(Evaluate, ElementsMoveBetweenLayers) {
    Graph graph;
    const NodeId x = input(graph, tseq(6, 15, kByte));
    const NodeId rows = put(graph, Op::PartitionT, {x}, {2, 3, 1, 4});
    const NodeId last = put(graph, Op::MapT, {rows}, {2, 1},
                            function(Op::SelectT, tseq(3, 4, kByte), 1, {3, 4, 2}));
    put(graph, Op::MapT, {last}, {2, 1}, function(Op::UpT, tseq(1, 6, kByte), 1, {3, 4}));
    EXPECT_EQ(fromWave(tseq(2, 1, tseq(3, 4, kByte)),
                       evaluate(graph, {toWave(tseq(6, 15, kByte), frontend::iota(6))})),
              (Slots{3, 3, 3, 6, 6, 6}));
}

TEST(Evaluate, CountersShiftsInSpaceAndReshapes) {
    Graph graph;
    const SeqType inSpace = sseq(2, tseq(3, 0, kByte));
    graph.add({Op::Counter, {}, {50}, {}, inSpace});
    const NodeId flipped = reshape(graph, NodeId(0), tseq(3, 0, sseq(2, kByte)));
    const NodeId back = reshape(graph, flipped, inSpace);
    put(graph, Op::ShiftS, {back}, {2, 1});
    EXPECT_EQ(evaluate(graph, {}), (Slots{kU, 0, kU, 50, kU, 100}));
    graph.output = flipped;
    EXPECT_EQ(evaluate(graph, {}), (Slots{0, 50, 100, 150, 200, 250}));
}

// --- delay

/// Core of the published convolution: a multiplier, sums of three by three, a division.
Graph convolution(bool reduceInTime) {
    const SeqType window = sseq(3, sseq(3, kWord));
    auto body = std::make_shared<Graph>();
    const NodeId w = input(*body, window);
    const NodeId k = constant(*body, window, {1, 2, 1, 2, 4, 2, 1, 2, 1});
    const Function mul = atomFunction(ir::StreamOp::Mul, kWord);
    const Function add = atomFunction(ir::StreamOp::Add, kWord);
    const NodeId p =
        put(*body, Op::Map2S, {w, k}, {3}, function(Op::Map2S, sseq(3, kWord), 2, {3}, mul));
    const NodeId rows =
        put(*body, Op::MapS, {p}, {3}, function(Op::ReduceS, sseq(3, kWord), 1, {3}, add));
    const NodeId sum =
        put(*body, Op::ReduceS, {rows}, {3}, function(Op::Map2S, sseq(1, kWord), 2, {1}, add));
    const NodeId one = put(*body, Op::Remove1S, {put(*body, Op::Remove1S, {sum})});
    NodeId last = one;
    if (reduceInTime) {
        const NodeId layer = put(*body, Op::Add1T, {one});
        last = put(*body, Op::Remove1T, {put(*body, Op::ReduceT, {layer}, {1, 0}, add)});
    }
    const NodeId c = constant(*body, atomType(ir::fixedStream()), {8});
    body->output = body->add({Op::Atom, {last, c}, {}, ir::StreamOp::Div});
    Graph graph;
    const NodeId x = input(graph, tseq(16, 0, window));
    const NodeId registered = put(graph, Op::Fifo, {x}, {1});
    const NodeId y = put(graph, Op::MapT, {registered}, {16, 0}, body);
    put(graph, Op::Fifo, {y}, {3});
    return graph;
}

TEST(Delay, OfThePublishedConvolutions) {
    const auto inTime = delay(convolution(true));
    ASSERT_TRUE(inTime) << format(inTime.error());
    EXPECT_EQ(*inTime, 22);
    EXPECT_EQ(*delay(convolution(false)), 20);
}

TEST(Delay, OperandsMustMeet) {
    Graph graph;
    const NodeId x = input(graph, tseq(4, 0, kByte));
    const NodeId late = put(graph, Op::Fifo, {x}, {2});
    put(graph, Op::Map2T, {late, x}, {4, 0}, atomFunction(ir::StreamOp::Add, kByte));
    const auto apart = delay(graph);
    ASSERT_FALSE(apart);
    EXPECT_EQ(apart.error()[0].code, "delay-mismatch");
    EXPECT_EQ(apart.error()[0].hint, "the earlier one needs a fifo of 2");
}

TEST(Delay, ReductionsNeedFunctionsWithoutDelay) {
    Graph graph;
    const NodeId x = input(graph, tseq(4, 0, kByte));
    put(graph, Op::ReduceT, {x}, {4, 0}, atomFunction(ir::StreamOp::Mul, kByte));
    EXPECT_EQ(delay(graph).error()[0].code, "delay-mismatch");
}

TEST(Delay, AReshapeWaitsForTheElementThatComesLast) {
    const SeqType rows = tseq(2, 0, sseq(3, kByte));
    const SeqType columns = sseq(3, tseq(2, 0, kByte));
    EXPECT_EQ(reshapeDelay(rows, rows), 0);
    EXPECT_EQ(reshapeDelay(tseq(2, 0, tseq(3, 0, kByte)), tseq(6, 0, kByte)), 0);
    // Elements 0 1 2 | 3 4 5 come; 0 2 4 are wanted in the first clock.
    EXPECT_EQ(reshapeDelay(rows, columns), 2);
    EXPECT_EQ(reshapeDelay(tseq(1, 2, sseq(3, kByte)), tseq(3, 0, kByte)), 1);
    EXPECT_EQ(reshapeDelay(tseq(3, 0, kByte), tseq(1, 2, sseq(3, kByte))), 3);
}

} // namespace
} // namespace marquetry::spacetime
