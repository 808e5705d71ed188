#include "engine/design/schedule_json.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/test_designs.h"

#include <gtest/gtest.h>

namespace marquetry {

TEST(ScheduleJson, RoundTripsExactly) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto test = test::randomDesign(seed);
        const auto json = design::toJson(test.schedule);
        const auto back = design::scheduleFromJson(nlohmann::ordered_json::parse(json.dump()));
        ASSERT_TRUE(back) << format(back.error());
        EXPECT_EQ(design::toJson(*back).dump(), json.dump());
        EXPECT_EQ(back->steps.size(), test.schedule.steps.size());
        EXPECT_EQ(back->tensors.back().id, test.schedule.tensors.back().id);
    }
}

TEST(ScheduleJson, KeepsPairsOfRows) {
    auto schedule = test::convPoolRequant().schedule;
    EXPECT_FALSE(design::toJson(schedule)["units"][0].contains("pairs_rows"));
    EXPECT_FALSE(design::scheduleFromJson(design::toJson(schedule))->units[0].pairsRows);
    ASSERT_EQ(test::pairRows(schedule), 1);
    auto json = design::toJson(schedule);
    EXPECT_TRUE(design::scheduleFromJson(json)->units[0].pairsRows);
    json["units"][0]["pairs_rows"] = 1;
    EXPECT_FALSE(design::scheduleFromJson(json));
}

TEST(ScheduleJson, SaysWhatIsWrong) {
    auto json = design::toJson(test::randomDesign(3).schedule);
    json["steps"][0]["tensor"] = 99;
    const auto dangling = design::scheduleFromJson(json);
    ASSERT_FALSE(dangling);
    EXPECT_EQ(dangling.error().front().code, "schedule-form");
    json = design::toJson(test::randomDesign(3).schedule);
    json.erase("lanes");
    const auto missing = design::scheduleFromJson(json);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().front().message.find("lanes"), std::string::npos);
}

} // namespace marquetry
