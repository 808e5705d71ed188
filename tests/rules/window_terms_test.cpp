// The terms of convolutions whose windows or strides are not square, and of those on lane units.
#include "tests/support/unit_terms.h"

#include <gtest/gtest.h>

namespace marquetry {

using ir::UnitFunction;
using ir::UnitShape;
using rules::Skeleton;

namespace {

UnitShape drawn(SplitMix64& rng, UnitFunction function) {
    UnitShape shape;
    shape.function = function;
    shape.height = rng.range(1, 4);
    shape.width = rng.range(1, 4);
    shape.rows = rng.range(1, 11);
    shape.kernel = {rng.range(1, 3), rng.range(1, 4)};
    shape.stride = {rng.range(1, 2), rng.range(1, 3)};
    shape.channels = function == UnitFunction::Conv ? rng.range(1, 4) : 0;
    shape.cols = shape.kernel.area() * std::max<std::int64_t>(1, shape.channels);
    shape.operand = rng.range(0, 1) == 0 ? ir::Scalar::I8 : ir::Scalar::U16;
    return shape;
}

rules::Menu windowMenu(rules::Policy policy, std::int64_t lanes) {
    rules::Menu menu;
    menu.policy = policy;
    menu.lanes = lanes;
    return menu;
}

} // namespace

TEST(WindowTerms, ComputeTheirConvolution) {
    SplitMix64 rng(1);
    int plain = 0;
    for (int k = 0; k < 150; ++k) {
        const auto function = k % 2 == 0 ? UnitFunction::Conv : UnitFunction::DwConv;
        const UnitShape shape = drawn(rng, function);
        const rules::Menu menu =
            windowMenu(k % 3 == 0 ? rules::Policy::Published : rules::Policy::Cycles, 8);
        test::UnitSpace space(menu);
        const auto unit = addCanonical(space.egraph, test::unitTerms(), menu, shape, {});
        const auto terms = test::termsOf(space.egraph, test::unitTerms(), unit, 10);
        ASSERT_EQ(terms.size(), 1U);
        const Skeleton root = terms[0][0].skeleton;
        EXPECT_EQ(rules::isPlain(shape), root == Skeleton::Conv || root == Skeleton::DwConv);
        plain += rules::isPlain(shape);
        test::expectAllEqual(terms, shape, rng);
    }
    EXPECT_GT(plain, 5);
    EXPECT_LT(plain, 75);
}

TEST(WindowTerms, LanesComputeDepthWiseConvolutions) {
    SplitMix64 rng(2);
    for (int k = 0; k < 100; ++k) {
        const UnitShape shape = drawn(rng, UnitFunction::DwConv);
        const rules::Menu menu = windowMenu(rules::Policy::Cycles, k % 2 == 0 ? 8 : 2);
        test::UnitSpace space(menu);
        const auto unit = addLanes(space.egraph, test::unitTerms(), menu, shape);
        test::expectAllEqual(test::termsOf(space.egraph, test::unitTerms(), unit, 10), shape, rng);
    }
}

// Two layers of different windows and channels call one unit.
TEST(WindowTerms, LaneUnitsOfEqualTypesAreOne) {
    SplitMix64 rng(3);
    const rules::Menu menu = windowMenu(rules::Policy::Cycles, 8);
    test::UnitSpace space(menu);
    UnitShape first = drawn(rng, UnitFunction::DwConv);
    UnitShape second = first;
    second.rows += 9;
    second.kernel = {5, 5};
    second.cols = 25;
    const auto unitOf = [&](const UnitShape& shape) {
        const auto call = addLanes(space.egraph, test::unitTerms(), menu, shape);
        return space.egraph.find(space.egraph.children(space.egraph.enodes(call)[0])[0]);
    };
    EXPECT_EQ(unitOf(first), unitOf(second));
    second.weight = ir::Scalar::I16;
    EXPECT_NE(unitOf(first), unitOf(second));
    const auto terms = test::termsOf(space.egraph, test::unitTerms(), unitOf(first), 10);
    EXPECT_EQ(toString(*rules::shapeOf(terms.at(0))).substr(0, 7), "Lanes 8");
}

TEST(WindowTerms, CountTheirCalls) {
    const egraph::Param dw[] = {7, 5, 20, 8, 3, 2, 1, 1};
    EXPECT_EQ(rules::callsOfChild(Skeleton::LaneDwConv, dw), 7 * 5 * 3) << "three words of eight";
    const egraph::Param conv[] = {7, 5, 20, 3, 2, 1, 2};
    EXPECT_EQ(rules::callsOfChild(Skeleton::WindowConv, conv), 35);
}

} // namespace marquetry
