// The drawing of a stream's circuit: of one made by hand, where everything is.
#include "widgets/streams/circuit_scene.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry::test {

using session::StreamOperator;
using widgets::circuitScene;
using widgets::Role;
using widgets::Scene;
using widgets::SceneBox;

namespace {

StreamOperator operatorOf(const char* name, const char* text, std::vector<std::size_t> operands,
                          int depth = 0, std::int64_t delay = 0) {
    StreamOperator op;
    op.name = name;
    op.text = text;
    op.operands = std::move(operands);
    op.type = spacetime::atomType(ir::scalarStream(ir::Scalar::U8));
    op.depth = depth;
    op.delay = delay;
    return op;
}

/// An input that is delayed, a map with a function of three operators, and a sum of both.
std::vector<StreamOperator> mappedCircuit() {
    std::vector<StreamOperator> all{
        operatorOf("%0", "input", {}),         operatorOf("%1", "shift_t 4 0 1", {0}, 0, 1),
        operatorOf("%2", "map_t 4 0", {0}),    operatorOf("%2.0", "input", {}, 1),
        operatorOf("%2.1", "const", {}, 1),    operatorOf("%2.2", "add", {3, 4}, 1),
        operatorOf("%3", "map2_t 4 0", {1, 2})};
    all.back().isOutput = true;
    return all;
}

} // namespace

TEST(CircuitScene, HasABoxOrFrameForEachOperatorAndALineForEachOperand) {
    const auto operators = mappedCircuit();
    const auto scene = circuitScene(&operators, {});
    EXPECT_EQ(scene->boxes.size(), 6U);
    ASSERT_EQ(scene->frames.size(), 1U);
    EXPECT_EQ(scene->edges.size(), 6U);
    std::set<std::uint32_t> keys;
    for (const auto* list : {&scene->boxes, &scene->frames})
        for (const SceneBox& box : *list)
            EXPECT_TRUE(keys.insert(box.key).second);
    EXPECT_EQ(keys.size(), operators.size());
    EXPECT_EQ(scene->boxOf(1)->text.toStdString(), "%1 shift_t 4 0 1 · 8 bits · delay 1");
    EXPECT_EQ(scene->boxOf(1)->fill, Role::StoredTint);
    EXPECT_EQ(scene->boxOf(0)->fill, Role::ValueTint);
    EXPECT_EQ(scene->boxOf(6)->text.toStdString(), "%3 map2_t 4 0 → output · 8 bits");
    EXPECT_EQ(scene->frames[0].title.toStdString(), "%2 map_t 4 0 · 8 bits");
}

TEST(CircuitScene, OperandsStandAboveAndFunctionsInside) {
    const auto operators = mappedCircuit();
    const auto scene = circuitScene(&operators, {});
    for (std::size_t k = 0; k < operators.size(); ++k)
        for (const std::size_t operand : operators[k].operands)
            EXPECT_LT(scene->boxOf(static_cast<std::uint32_t>(operand))->rect.bottom(),
                      scene->boxOf(static_cast<std::uint32_t>(k))->rect.top());
    const QRectF& frame = scene->frames[0].rect;
    for (const std::uint32_t inner : {3U, 4U, 5U})
        EXPECT_TRUE(frame.contains(scene->boxOf(inner)->rect)) << inner;
    for (const std::uint32_t outer : {0U, 1U, 6U})
        EXPECT_FALSE(frame.intersects(scene->boxOf(outer)->rect)) << outer;
    for (const SceneBox& a : scene->boxes)
        for (const SceneBox& b : scene->boxes)
            if (a.key != b.key) {
                EXPECT_FALSE(a.rect.intersects(b.rect)) << a.key << " " << b.key;
            }
}

TEST(CircuitScene, SaysWhyThereIsNone) {
    EXPECT_EQ(circuitScene(nullptr, QStringLiteral("none yet"))->message, "none yet");
    const std::vector<StreamOperator> nothing;
    EXPECT_TRUE(circuitScene(&nothing, QStringLiteral("none"))->empty());
}

} // namespace marquetry::test
