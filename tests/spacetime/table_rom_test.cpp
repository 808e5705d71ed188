// Tables of constants: how many bits their words have, delays and areas of both forms, and tables
// that a device has no room for.
#include "engine/spacetime/table_rom.h"
#include "tests/spacetime/schedule_helpers.h"

namespace marquetry::spacetime {
namespace {

ir::StreamTable tableOf(std::vector<std::int64_t> words, ir::Scalar scalar) {
    return {ir::scalarStream(scalar), std::move(words)};
}

/// A lookup of the word of an index of 16 bits.
Graph lookup(const ir::StreamTable& table) {
    Graph graph;
    const NodeId index =
        graph.add({Op::Input, {}, {}, {}, atomType(ir::scalarStream(ir::Scalar::U16))});
    Node node{Op::Atom, {index}, {}, ir::StreamOp::Lookup};
    node.table = std::make_shared<const ir::StreamTable>(table);
    graph.inputs = {index};
    graph.output = graph.add(std::move(node));
    return graph;
}

TEST(TableRom, WordsHaveAsManyBitsAsTheirNumbersNeed) {
    EXPECT_EQ(tableBits(tableOf({0, 1}, ir::Scalar::U8)), 1);
    EXPECT_EQ(tableBits(tableOf({0, 0}, ir::Scalar::U8)), 1);
    EXPECT_EQ(tableBits(tableOf({3, 200}, ir::Scalar::U32)), 8);
    EXPECT_EQ(tableBits(tableOf({-1, 0}, ir::Scalar::I16)), 2);
    EXPECT_EQ(tableBits(tableOf({-128, 127}, ir::Scalar::I32)), 8);
    EXPECT_EQ(tableBits(tableOf({-129, 0}, ir::Scalar::I32)), 9);
}

TEST(TableRom, ALookupHasTheTypeOfTheWordsAndTheDelayOfItsForm) {
    const ir::StreamTable small = tableOf(frontend::iota(256, 0), ir::Scalar::I16);
    const ir::StreamTable large = tableOf(frontend::iota(4096, 0), ir::Scalar::U32);
    const auto types = check(lookup(small));
    ASSERT_TRUE(types);
    EXPECT_EQ(toString(types->back()), "i16");
    EXPECT_EQ(*delay(lookup(small), DelayModel::Ours), 0);
    EXPECT_EQ(*delay(lookup(large), DelayModel::Ours), 1);
    EXPECT_EQ(area(lookup(small), kintex()), (device::Resources{0, 32, 0, 0}));
    EXPECT_EQ(area(lookup(large), kintex()), (device::Resources{0, 0, 0, 1.5}));
}

TEST(TableRom, ALookupNeedsItsTable) {
    Graph without = lookup(tableOf({1, 2}, ir::Scalar::U8));
    without.nodes.back().table = nullptr;
    EXPECT_EQ(check(without).error()[0].code, "operand-count");
    Graph sum = lookup(tableOf({1, 2}, ir::Scalar::U8));
    sum.nodes.back().atom = ir::StreamOp::Not;
    EXPECT_EQ(check(sum).error()[0].code, "operand-count");
}

TEST(TableRom, ATableThatIsTooLargeForTheDeviceIsRefused) {
    std::string text = "stream s { input x : Seq 4 u16; let t = table([1";
    for (int k = 1; k < 65536; ++k)
        text += ", " + std::to_string(k * 65521ll);
    text += "] : u32);\noutput y = map(fn v -> add(t(v), 1), x); }";
    const ir::StreamProgram program = frontend::streamOf(text);
    device::Device device = kintex();
    EXPECT_TRUE(checkTables(program, device));
    device.limits.bram = 63;
    const auto found = schedule(program, 4, device, {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error()[0].code, "too-large");
    EXPECT_EQ(found.error()[0].file, "test.mq");
    EXPECT_EQ(found.error()[0].range.line, 2);
    device.limits.bram = 64;
    EXPECT_TRUE(checkTables(program, device));
}

} // namespace
} // namespace marquetry::spacetime
