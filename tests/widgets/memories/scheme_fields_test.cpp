// Schemes as the fields in which they are typed.
#include "engine/banking/derive.h"
#include "tests/widgets/memories/rooms.h"
#include "widgets/memories/bank_tables.h"
#include "widgets/memories/scheme_fields.h"

#include <gtest/gtest.h>

namespace marquetry::widgets {
namespace {

TEST(SchemeFields, ReadBackWhatTheyShow) {
    for (const std::vector<ir::FlatMap>& maps : std::vector<std::vector<ir::FlatMap>>{
             {ir::FlatMap{{3, 2}, 1, 9}},
             {ir::FlatMap{{1, 0}, 2, 3}, ir::FlatMap{{0, 5}, 3, 2}},
             {ir::FlatMap{{1, 1}, 1, 2}, ir::FlatMap{{1, 3}, 1, 4}},
             {ir::parityMap({5, 1}), ir::parityMap({2, 8})}}) {
        const banking::Scheme scheme = banking::derive(maps, {12, 12});
        const auto back = parseFields(fieldsOf(scheme), 2);
        ASSERT_TRUE(back.has_value()) << scheme.text();
        EXPECT_EQ(back->maps, scheme.maps);
    }
}

TEST(SchemeFields, SayWhatIsWrong) {
    const auto message = [](const SchemeFields& fields) {
        const auto result = parseFields(fields, 2);
        return result ? std::string("accepted") : result.error().front().message;
    };
    const auto flat = banking::Kind::Flat;
    EXPECT_EQ(message({flat, "9", "1", "3 2", 1}), "accepted");
    EXPECT_EQ(message({flat, "9", "1", "[3, 2]", 1}), "accepted");
    EXPECT_EQ(message({flat, "nine", "1", "3, 2", 1}), "N: \"nine\" is no number");
    EXPECT_EQ(message({flat, "9", "1", "3", 1}), "α needs 2 numbers, not 1");
    EXPECT_EQ(message({flat, "9, 2", "1", "3, 2", 1}), "N needs 1 numbers, not 2");
    EXPECT_EQ(message({flat, "0", "1", "3, 2", 1}), "N and B are at least 1");
    EXPECT_EQ(message({flat, "9", "1", "-3, 2", 1}), "α: \"-3\" is no number");
    EXPECT_EQ(message({banking::Kind::Hierarchical, "3", "1", "1, 1", 1}),
              "N needs 2 numbers, not 1");
    EXPECT_EQ(message({banking::Kind::Xor, "", "", "3, 1; 4, 2", 1}), "accepted");
    EXPECT_EQ(message({banking::Kind::Xor, "", "", "3, 1; 4", 1}),
              "A list of masks needs 2 numbers, not 1");
}

TEST(PointText, MarksValuesThatNobodyKnows) {
    const auto programs = parsed("memory m { array a : i32[8, 8]; for t in 0 .. 6 { "
                                 "read a[?row(t), t], a[?row(t), t+1]; } }");
    Rooms rooms(programs, "m");
    const auto snapshot = rooms.snapshot();
    const session::MemoryItem& item = snapshot->memories.front();
    for (std::int64_t k = 0; k < 6; ++k) {
        const QString text = pointText(*item.pattern, 0, item.iterations->pointOf(0, k));
        EXPECT_TRUE(text.startsWith(QStringLiteral("t = %1").arg(k))) << text.toStdString();
        EXPECT_TRUE(text.endsWith(u'?')) << text.toStdString();
    }
}

} // namespace
} // namespace marquetry::widgets
