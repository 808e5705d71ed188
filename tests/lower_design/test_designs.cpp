#include "tests/lower_design/test_designs.h"

namespace marquetry::test {

using design::PoolKind;
using ir::Scalar;

namespace {

EpilogueSpec plain(std::int64_t shift) {
    EpilogueSpec e;
    e.requantBefore = requant(shift);
    return e;
}

EpilogueSpec reluPool(std::int64_t shift) {
    EpilogueSpec e = plain(shift);
    e.reluBefore = true;
    e.pool = PoolKind::Max;
    e.poolSize = 2;
    return e;
}

} // namespace

TestDesign convPoolRequant() {
    ScheduleBuilder b("conv_pool");
    const auto unit = b.unit("conv 3x3", 2);
    const auto x = b.input("image", {Scalar::I8, {9, 8, 3}});
    b.output("module", b.conv(unit, x, {5, 3, 1, 1}, reluPool(7)));
    return b.finish();
}

TestDesign convThenVector() {
    ScheduleBuilder b("conv_then_mv", 16);
    const auto unit = b.unit("shared", 4);
    const auto x = b.input("x", {Scalar::I8, {5, 6, 11}});
    const auto c = b.conv(unit, x, {19, 3, 1, 0}, plain(9));
    b.output("y", b.mv(unit, c, 10, {}));
    return b.finish();
}

TestDesign twoShapesOneUnit() {
    ScheduleBuilder b("two_shapes");
    const auto unit = b.unit("shared", 8);
    const auto x = b.input("x", {Scalar::I8, {8, 8, 3}});
    const auto first = b.conv(unit, x, {12, 3, 1, 1}, reluPool(6));
    EpilogueSpec after;
    after.requantAfter = requant(10, Scalar::I8, -3);
    after.reluAfter = true;
    b.output("y", b.conv(unit, first, {20, 1, 1, 0}, after));
    return b.finish();
}

TestDesign residualBlock() {
    ScheduleBuilder b("residual");
    const auto unit = b.unit("conv", 4);
    const auto x = b.input("x", {Scalar::I8, {6, 5, 10}});
    const auto inner = b.conv(unit, x, {10, 3, 1, 1}, plain(8));
    EpilogueSpec sum = plain(8);
    sum.addend = x;
    sum.requantAfter = requant(1);
    sum.reluAfter = true;
    const auto joined = b.conv(unit, inner, {10, 3, 1, 1}, sum);
    EpilogueSpec again;
    again.addend = inner;
    again.requantAfter = requant(1, Scalar::U8, 100);
    b.output("y", b.pass(b.passUnit("add", Scalar::I8), joined, again));
    return b.finish();
}

TestDesign leadsAndFollows() {
    ScheduleBuilder b("leads_and_follows");
    const auto first = b.unit("first", 4);
    const auto second = b.unit("second", 2);
    const auto x = b.input("x", {Scalar::I8, {8, 6, 5}});
    const auto v1 = b.conv(first, x, {9, 3, 1, 1}, plain(8));
    const auto v2 = b.conv(second, v1, {5, 3, 1, 1}, plain(7));
    const auto v3 = b.conv(second, v2, {12, 3, 1, 1}, plain(7));
    EpilogueSpec sum = plain(8);
    sum.addend = x;
    sum.requantAfter = requant(1);
    b.output("y", b.conv(first, v3, {5, 1, 1, 0}, sum));
    return b.finish();
}

TestDesign wideOutput() {
    ScheduleBuilder b("wide");
    const auto unit = b.unit("conv", 1);
    const auto x = b.input("x", {Scalar::I8, {7, 7, 8}});
    EpilogueSpec e;
    e.pool = PoolKind::Sum;
    e.poolSize = 3;
    b.output("y", b.conv(unit, x, {5, 2, 1, 0}, e));
    return b.finish();
}

TestDesign twoInputsTwoOutputs() {
    ScheduleBuilder b("two_by_two");
    const auto unit = b.unit("u", 8, Scalar::U8);
    const auto p = b.input("p", {Scalar::U8, {4, 4, 9}});
    const auto q = b.input("q", {Scalar::U8, {4, 4, 9}});
    EpilogueSpec add;
    add.addend = q;
    add.requantAfter = requant(1, Scalar::U8);
    const auto mean = b.pass(b.passUnit("mean", Scalar::U8), p, add);
    EpilogueSpec e;
    e.requantBefore = requant(11, Scalar::I16, 5);
    b.output("first", b.conv(unit, mean, {9, 3, 1, 1}, e));
    b.output("second", b.mv(unit, mean, 3, {}));
    return b.finish();
}

TestDesign sixteenBits() {
    ScheduleBuilder b("sixteen");
    const auto unit = b.unit("u", 2, Scalar::U16, Scalar::I16);
    const auto x = b.input("x", {Scalar::U16, {7, 9, 5}});
    EpilogueSpec e;
    e.requantBefore = requant(16, Scalar::I16);
    e.leakyBefore = design::ActivationStage{design::ActivationStage::Kind::Leaky, 13, 7};
    b.output("y", b.conv(unit, x, {6, 3, 2, 1}, e));
    return b.finish();
}

TestDesign copies() {
    ScheduleBuilder b("copies");
    const auto x = b.input("x", {Scalar::I32, {3, 2, 5}});
    b.input("unread", {Scalar::U8, {17}});
    b.output("y", x);
    b.output("z", x);
    return b.finish();
}

std::vector<TestDesign> allDesigns() {
    return {convPoolRequant(), convThenVector(),      twoShapesOneUnit(), residualBlock(),
            wideOutput(),      twoInputsTwoOutputs(), sixteenBits(),      copies()};
}

} // namespace marquetry::test
