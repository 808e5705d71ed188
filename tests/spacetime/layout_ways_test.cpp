// Ways to write a layout: those that are among all ways to write all layouts.
#include "engine/spacetime/layout_ways.h"
#include "tests/spacetime/schedule_helpers.h"

namespace marquetry::spacetime {
namespace {

TEST(LayoutWays, AreThoseAmongAll) {
    const ir::StreamType word = ir::scalarStream(ir::Scalar::U8);
    std::int64_t compared = 0;
    for (const ir::StreamType& type :
         {ir::seqOf(12, word), ir::seqOf(4, ir::seqOf(6, word)), ir::seqOf(1, ir::seqOf(6, word)),
          ir::seqOf(6, ir::seqOf(1, word)), ir::seqOf(2, ir::seqOf(3, ir::seqOf(4, word))),
          ir::seqOf(4, ir::tupleOf(3, word)), ir::seqOf(2, ir::seqOf(2, ir::tupleOf(2, word))),
          ir::seqOf(1, word), ir::seqOf(5, ir::pairOf(word, word))}) {
        for (const std::int64_t time : {1, 2, 3, 4, 6, 8, 12, 24, 30, 48}) {
            LayoutTable layouts(kintex());
            using Way =
                std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, LayoutId>;
            std::map<LayoutId, std::set<Way>> ways;
            const auto keyOf = [](const LayeredLayout& way) {
                const LayerShape& s = way.shape;
                return Way{s.groups, s.period, s.lanes, s.spread, way.element};
            };
            for (const LayeredLayout& way : layouts.layered(type, time, 1 << 12))
                ways[way.whole].insert(keyOf(way));
            for (const auto& [whole, expected] : ways) {
                std::set<Way> found;
                for (const LayeredLayout& way : waysToWrite(layouts, type, whole)) {
                    EXPECT_EQ(way.whole, whole);
                    found.insert(keyOf(way));
                }
                EXPECT_EQ(found, expected) << toString(type) << toString(layouts.type(whole));
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 1200);
}

} // namespace
} // namespace marquetry::spacetime
