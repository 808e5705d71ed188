#include "engine/ir/interpreter.h"

#include "engine/support/limits.h"
#include "tests/ir/tensor_maker.h"
#include "tests/support/patience.h"

#include <thread>

namespace marquetry::ir {
namespace {

TEST(SplitMix, GivesThePublishedSequence) {
    SplitMix64 zero(0);
    EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafULL);
    EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4ULL);
    EXPECT_EQ(zero.next(), 0x06c45d188009454fULL);
    SplitMix64 other(1234567);
    EXPECT_EQ(other.next(), 6457827717110365317ULL);
    EXPECT_EQ(other.next(), 3203168211198807973ULL);
    EXPECT_EQ(other.next(), 9817491932198370423ULL);
}

/// input x : i8[3]; y = add(x, w), z = relu(y).
Program makeProgram(Source inputSource) {
    Program program;
    program.name = "p";
    program.file = "p.mq";
    const Type type{Scalar::I8, {3}};
    Value x;
    x.id = ValueId(0);
    x.kind = ValueKind::Input;
    x.name = "x";
    x.type = type;
    x.source = std::move(inputSource);
    x.place = {2, 3, 2, 4};
    Value w = x;
    w.id = ValueId(1);
    w.kind = ValueKind::Weight;
    w.name = "w";
    w.source = RandomSource{0, -8, 7};
    Value y;
    y.id = ValueId(2);
    y.name = "y";
    y.type = {Scalar::I32, {3}};
    y.op = OpKind::Add;
    y.operands = {x.id, w.id};
    Value z = y;
    z.id = ValueId(3);
    z.name = "z";
    z.op = OpKind::Relu;
    z.operands = {y.id};
    z.macs = 5;
    program.inputs = {x.id};
    program.weights = {w.id};
    program.outputs = {{"y", y.id}, {"z", z.id}};
    program.values = {x, w, y, z};
    return program;
}

TEST(Interpreter, RandomSourcesFollowTheLanguage) {
    const Program program = makeProgram(ZeroSource{});
    const auto result = interpret(program, {});
    ASSERT_TRUE(result.has_value());
    // lo + draw mod 16 with lo = −8: the low hexadecimal digits f, 4, f of the sequence above.
    EXPECT_EQ(result->values[1].data, (std::vector<std::int64_t>{7, -4, 7}));
    EXPECT_EQ(result->values[2].data, (std::vector<std::int64_t>{7, -4, 7}));
    EXPECT_EQ(result->values[3].data, (std::vector<std::int64_t>{7, 0, 7}));
}

TEST(Interpreter, GivenInputsReplaceTheDefault) {
    const Program program = makeProgram(std::monostate{});
    const Tensor x = tensor(Scalar::I8, {3}, {-10, 10, -20});
    const auto result = interpret(program, {{"x", x}});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->values[2].data, (std::vector<std::int64_t>{-3, 6, -13}));
}

std::string codeOf(const Result<InterpreterResult>& result) {
    return result ? "none" : result.error()[0].code;
}

TEST(Interpreter, WrongInputsAreDiagnosed) {
    const Program program = makeProgram(std::monostate{});
    const auto missing = interpret(program, {});
    ASSERT_EQ(codeOf(missing), "input-missing");
    EXPECT_EQ(missing.error()[0].file, "p.mq");
    EXPECT_EQ(missing.error()[0].range.line, 2);
    EXPECT_EQ(codeOf(interpret(program, {{"q", tensor(Scalar::I8, {3}, {1, 2, 3})}})),
              "unknown-name");
    EXPECT_EQ(codeOf(interpret(program, {{"x", tensor(Scalar::I8, {1}, {1})}})), "type-mismatch");
}

TEST(Interpreter, RefusesWhatCannotBeHeldOrWaitedFor) {
    Program wide = makeProgram(ZeroSource{});
    wide.values[0].type.dims = {kMaxInterpretedElements + 1};
    EXPECT_EQ(codeOf(interpret(wide, {})), "too-large");
    Program slow = makeProgram(ZeroSource{});
    slow.values[3].macs = kMaxInterpretedSteps + 1;
    EXPECT_EQ(codeOf(interpret(slow, {})), "too-large");
    Program window = makeProgram(ZeroSource{}); // of a pool: no multiply–accumulates, but work
    window.values[3].params.size = 2'000'000;
    EXPECT_EQ(codeOf(interpret(window, {})), "too-large");
}

TEST(Interpreter, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(codeOf(interpret(makeProgram(ZeroSource{}), {}, stop.get_token())), "cancelled");
}

/// One use of an operator that takes hours.
Program longWork(OpKind op, const Shape& x, const Shape& w, const OpParams& params) {
    Program program = makeProgram(ZeroSource{});
    program.values[0].type.dims = x;
    program.values[1].type.dims = w;
    program.values[1].source = ZeroSource{};
    Value& y = program.values[2];
    y.op = op;
    y.params = params;
    y.operands.resize(static_cast<std::size_t>(info(op).operands));
    std::vector<Type> types;
    for (const ValueId operand : y.operands)
        types.push_back(program.value(operand).type);
    Diagnostics warnings;
    const auto type = inferType(op, types, params, warnings);
    EXPECT_TRUE(type.has_value()) << format(type.error());
    y.type = *type;
    program.values.pop_back();
    program.outputs.pop_back();
    return program;
}

/// A test that hangs has found an operator that does not look.
TEST(Interpreter, StopsWithinAnOperator) {
    OpParams padded;
    padded.pad = 2000;
    OpParams pool;
    pool.size = 500;
    pool.stride = 1;
    for (const Program& program :
         {longWork(OpKind::Conv, {3000, 3000, 1}, {1, 1001, 1001, 1}, padded),
          longWork(OpKind::DwConv, {3000, 3000, 1}, {1, 1001, 1001}, padded),
          longWork(OpKind::Conv1dW, {2000, 20000}, {20000}, padded),
          longWork(OpKind::Conv1dH, {20000, 2000}, {20000}, padded),
          longWork(OpKind::Mm, {6000, 6000}, {6000, 6000}, {}),
          longWork(OpKind::Bmm, {2, 4000, 4000}, {2, 4000, 4000}, {}),
          longWork(OpKind::SumPool, {3000, 3000, 1}, {1}, pool)}) {
        std::stop_source stop;
        const std::jthread stopper([&] {
            for (int k = 0; k < 500; ++k)
                test::breathe();
            stop.request_stop();
        });
        EXPECT_EQ(codeOf(interpret(program, {}, stop.get_token())), "cancelled")
            << info(program.values[2].op).name;
    }
}

TEST(ProgramFacts, UsesAndMacsAreSummed) {
    Program program = makeProgram(ZeroSource{});
    EXPECT_EQ(program.useCounts(), (std::vector<int>{1, 1, 2, 1}));
    EXPECT_EQ(program.macs(), 5);
    program.values[2].macs = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(program.macs(), std::numeric_limits<std::int64_t>::max());
}

} // namespace
} // namespace marquetry::ir
