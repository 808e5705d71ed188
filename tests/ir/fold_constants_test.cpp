#include "engine/ir/fold_constants.h"

#include "engine/ir/interpreter.h"
#include "engine/ir/printer.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

namespace marquetry::ir {
namespace {

const Value& named(const Program& program, const std::string& name) {
    return *std::ranges::find(program.values, name, &Value::name);
}

TEST(FoldConstants, KeepsValuesTheirIdsAndTheText) {
    const auto program = test::programOf(
        "design d { input x : i8[2] = random(seed: 1); weight v : i8[2] = random(seed: 2);"
        " weight w : i8[2] = random(seed: 3, lo: -4, hi: -2);"
        " let a = add(v, relu(w)); let b = requant(a, shift: 0); output y = add(x, b); }");
    const auto folded = foldConstants(program);
    ASSERT_TRUE(folded);
    const auto expected = interpret(*program, {});
    const auto got = interpret(**folded, {});
    ASSERT_TRUE(expected && got);
    EXPECT_EQ(expected->values, got->values);
    EXPECT_EQ(print(**folded), print(*program));
    EXPECT_EQ((*folded)->weights.size(), 5U);
    for (const char* const name : {"a", "b"}) {
        const Value& value = named(**folded, name);
        EXPECT_EQ(value.kind, ValueKind::Weight);
        EXPECT_EQ(loadSource(value)->data, expected->values[value.id.index()].data);
        EXPECT_EQ(value.range.lo, std::ranges::min(expected->values[value.id.index()].data));
        EXPECT_EQ(value.range.hi, std::ranges::max(expected->values[value.id.index()].data));
    }
    EXPECT_EQ(named(**folded, "y").kind, ValueKind::Op);
}

TEST(FoldConstants, GivesTheSameProgramWhereThereAreNone) {
    const auto program = test::programOf("design d { input x : i8[2] = zeros; weight w : i8[2] ="
                                         " zeros; output y = add(x, w); }");
    EXPECT_EQ(*foldConstants(program), program);
    const auto folded = foldConstants(
        test::programOf("design d { input x : i8[2] = zeros; weight w : i8[2] = zeros;"
                        " output y = add(x, relu(w)); }"));
    EXPECT_EQ(*foldConstants(*folded), *folded);
}

TEST(FoldConstants, CountsNoMultiplicationsOfWeights) {
    const auto program =
        test::programOf("design d { input x : i8[3] = zeros; weight w : i8[3, 3] = random(seed: 1);"
                        " output y = mv(requant(mm(w, w), shift: 6), x); }");
    EXPECT_EQ(program->macs(), 27 + 9);
    EXPECT_EQ((*foldConstants(program))->macs(), 9);
}

} // namespace
} // namespace marquetry::ir
