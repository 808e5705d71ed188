// The timetable of schedules: one by hand, and random ones against their nests and their words.
#include "engine/design/make_ledger.h"
#include "engine/design/make_timetable.h"
#include "engine/design/timetable_table.h"
#include "engine/design/timetable_text.h"
#include "engine/support/json.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/random_outside.h"
#include "tests/lower_design/schedule_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace marquetry {
namespace {

using design::PlaceKind;
using design::Queue;
using design::Schedule;
using design::StepPlace;
using design::TimedStep;
using design::Timetable;
using design::TimetableField;
using testing::ElementsAre;

design::Design designOf(Schedule schedule) {
    design::Design made;
    made.program = schedule.name;
    made.schedule = std::move(schedule);
    return made;
}

/// A convolution of 6 × 6 pixels of 16 channels to ten, on 4 rows of 8 lanes, pooled by two.
Timetable pooledTimetable() {
    test::ScheduleBuilder builder("c", 8);
    const auto unit = builder.unit("u", 4);
    const auto x = builder.input("x", {ir::Scalar::I8, {6, 6, 16}});
    test::EpilogueSpec e;
    e.requantBefore = test::requant(6);
    e.pool = design::PoolKind::Max;
    e.poolSize = 2;
    builder.output("y", builder.conv(unit, x, {10, 3, 1, 1}, e));
    return design::makeTimetable(designOf(builder.finish().schedule));
}

std::vector<std::string> overOf(const TimedStep& step) {
    std::vector<std::string> texts;
    for (const design::TimedLoop& loop : step.loops)
        texts.push_back(std::to_string(loop.count) + " " + loop.over);
    return texts;
}

std::string cellText(const Timetable& table, std::size_t step, TimetableField field) {
    const design::TimetableCell cell = cellOf(table, step, field);
    if (const auto* number = std::get_if<std::int64_t>(&cell))
        return std::to_string(*number);
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr ? *text : "–";
}

TEST(Timetable, SaysWhenStepsRunAndOverWhatTheyLoop) {
    const Timetable table = pooledTimetable();
    ASSERT_EQ(table.steps.size(), 3U);
    EXPECT_EQ(table.cycles, 74 + 1959 + 94);
    const TimedStep& load = table.steps[0];
    EXPECT_THAT(overOf(load), ElementsAre("6 rows of x", "6 pixels of a row",
                                          "2 parts of 16 channels, 8 elements in a clock"));
    EXPECT_EQ(placeText(load.reads.at(0)), "x of stream x");
    const TimedStep& conv = table.steps[1];
    EXPECT_THAT(overOf(conv), ElementsAre("3 rows of v4", "3 pixels of a row",
                                          "3 blocks of 10 channels, 4 computed at once",
                                          "2 rows of the pool's window", "2 pixels of its row",
                                          "3 rows of the kernel",
                                          "6 words of a row of the kernel, 8 channels each"));
    EXPECT_EQ(conv.begin, 74);
    EXPECT_EQ(conv.end, 74 + 1959);
    EXPECT_EQ(conv.critical, 1959);
    EXPECT_EQ(conv.awaited, 0U);
    ASSERT_EQ(conv.reads.size(), 2U);
    EXPECT_EQ(conv.reads[0].words, 6 * 6 * 2);
    EXPECT_EQ(conv.reads[1].kind, PlaceKind::Weights);
    EXPECT_EQ(conv.reads[1].words, 3 * 9 * 2);
    EXPECT_EQ(conv.writes.at(0).words, 3 * 3 * 2);
    EXPECT_EQ(cellText(table, 1, TimetableField::Loops), "3 × 3 × 3 × 2 × 2 × 3 × 6");
    EXPECT_EQ(cellText(table, 1, TimetableField::After), "when step 0, load of x, ends");
    EXPECT_EQ(cellText(table, 0, TimetableField::After), "–");
    EXPECT_EQ(cellText(table, 1, TimetableField::Line), "calls");
    EXPECT_EQ(cellText(table, 2, TimetableField::Unit), "–");
    EXPECT_EQ(cellText(table, 2, TimetableField::Writes), "y of stream y");
}

TEST(Timetable, SaysWhyThereIsNone) {
    design::Design none;
    none.program = "p";
    none.cycles = 7;
    none.notExportable = "nobody builds it";
    const Timetable table = design::makeTimetable(none);
    EXPECT_EQ(table.missing, "nobody builds it");
    EXPECT_EQ(table.cycles, 7);
    EXPECT_TRUE(table.steps.empty());
}

TEST(Timetable, WritesPlacesInWords) {
    StepPlace place{PlaceKind::Slot, "s1", "c", 60, 8, 64, 8, 4};
    EXPECT_EQ(placeText(place), "c, rows 8 to 11, in words 60 to 63 and 0 to 3 of s1");
    place = {PlaceKind::Slot, "s1", "c", 60, 1};
    EXPECT_EQ(placeText(place), "c, in word 60 of s1");
    place = {PlaceKind::External, "c", "c", 0, 0, 0, 8, 1};
    EXPECT_EQ(placeText(place), "c, row 8 in external memory");
    place = {PlaceKind::Weights, "Mv 8×8", "weights", 4, 12};
    EXPECT_EQ(placeText(place), "weights, in words 4 to 15 of unit Mv 8×8");
    place.words = 0;
    EXPECT_EQ(placeText(place), "weights in unit Mv 8×8");
}

TEST(Timetable, EveryColumnIsSaidWhatItMeans) {
    std::set<std::string> keys;
    std::size_t at = 0;
    for (const design::TimetableColumn& column : design::timetableColumns()) {
        EXPECT_EQ(static_cast<std::size_t>(column.field), at++);
        EXPECT_NE(std::string(column.title), "");
        EXPECT_NE(std::string(column.tip), "");
        EXPECT_TRUE(keys.insert(column.key).second) << column.key;
    }
}

TEST(Timetable, IsWrittenAsJson) {
    const Timetable table = pooledTimetable();
    const auto json = nlohmann::ordered_json::parse(timetableJson(table));
    EXPECT_EQ(json["cycles"], table.cycles);
    ASSERT_EQ(json["steps"].size(), 3U);
    EXPECT_EQ(json["steps"][1]["what"], "call");
    EXPECT_EQ(json["steps"][1]["awaited"], 0);
    EXPECT_TRUE(json["steps"][0]["awaited"].is_null());
    EXPECT_EQ(json["steps"][1]["loops"][0]["count"], 3);
    EXPECT_EQ(json["steps"][1]["reads"][1]["kind"], "weights");
    EXPECT_EQ(json["steps"][1]["writes"][0]["words"], 18);
}

// ---- random ones ----

std::vector<Schedule> drawnSchedules() {
    std::vector<Schedule> all;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        if (auto design = test::randomBands(seed, seed % 4))
            all.push_back(std::move(design->schedule));
        if (auto design = test::randomOutside(seed, seed % 4))
            all.push_back(std::move(design->schedule));
        if (auto design = test::randomGroups(seed, static_cast<test::GroupCalls>(seed % 3)))
            all.push_back(std::move(design->schedule));
        all.push_back(test::randomWindows(seed).schedule);
    }
    return all;
}

/// Words of the slot that a place names, one by one.
std::set<std::int64_t> wordsIn(const StepPlace& place) {
    std::set<std::int64_t> words;
    for (std::int64_t k = 0; k < place.words; ++k)
        words.insert(place.ring > 0 ? (place.firstWord + k) % place.ring : place.firstWord + k);
    return words;
}

std::set<std::int64_t> wordsOfTensor(const Schedule& schedule, design::TensorId id) {
    const design::StoredTensor& tensor = schedule.tensor(id);
    std::set<std::int64_t> words;
    for (std::int64_t word = 0; word < schedule.storedWords(id); ++word)
        words.insert(schedule.addressOf(tensor, word));
    return words;
}

void expectPlaces(const Schedule& schedule, std::vector<design::TensorId> tensors,
                  const std::vector<StepPlace>& places) {
    std::size_t at = 0;
    for (const StepPlace& place : places) {
        if (place.kind != PlaceKind::Slot)
            continue;
        ASSERT_LT(at, tensors.size());
        const design::StoredTensor& tensor = schedule.tensor(tensors[at]);
        EXPECT_EQ(place.memory, schedule.slot(tensor.slot).name);
        EXPECT_EQ(place.holds, tensor.name);
        EXPECT_EQ(wordsIn(place), wordsOfTensor(schedule, tensors[at]));
        ++at;
    }
    EXPECT_EQ(at, tensors.size());
}

TEST(Timetables, LoopAsTheClocksOfTheLedgerSay) {
    int bands = 0;
    for (const Schedule& schedule : drawnSchedules()) {
        const design::Design design = designOf(schedule);
        const Timetable table = design::makeTimetable(design);
        const design::Ledger ledger = design::makeLedger(design, {}, {});
        ASSERT_EQ(table.steps.size(), ledger.steps.size());
        EXPECT_EQ(table.cycles, ledger.cycles);
        for (std::size_t s = 0; s < table.steps.size(); ++s) {
            const TimedStep& step = table.steps[s];
            const design::LedgerClocks& clocks = ledger.steps[s].clocks;
            std::int64_t product = 1;
            for (const design::TimedLoop& loop : step.loops)
                product *= loop.count;
            EXPECT_EQ(product, clocks.taking + clocks.elements + clocks.transfer + clocks.move)
                << schedule.name << " step " << s;
            EXPECT_EQ(step.clocks(), clocks.alone());
            EXPECT_EQ(step.critical, clocks.cycles());
            EXPECT_EQ(step.memoryWaits, clocks.waiting);
        }
        bands += schedule.order.empty() ? 0 : 1;
    }
    EXPECT_GT(bands, 10);
}

TEST(Timetables, NameTheWordsThatStepsReadAndWrite) {
    for (const Schedule& schedule : drawnSchedules()) {
        const Timetable table = design::makeTimetable(designOf(schedule));
        for (std::size_t s = 0; s < table.steps.size(); ++s) {
            const design::Step& step = schedule.steps[s];
            expectPlaces(schedule, sourcesOf(step), table.steps[s].reads);
            std::vector<design::TensorId> targets;
            if (const auto target = targetOf(step))
                targets.push_back(*target);
            expectPlaces(schedule, targets, table.steps[s].writes);
        }
    }
}

TEST(Timetables, BeginWhatHoldsATokenAfterwards) {
    int tokens = 0;
    for (const Schedule& schedule : drawnSchedules()) {
        const Timetable table = design::makeTimetable(designOf(schedule));
        for (const TimedStep& step : table.steps)
            for (const design::StepToken& token : step.tokens) {
                EXPECT_EQ(table.steps[token.step].queue, token.queue);
                EXPECT_NE(token.queue, Queue::Calls);
                EXPECT_LE(table.steps[token.step].end, step.begin);
                ++tokens;
            }
    }
    EXPECT_GT(tokens, 100);
}

} // namespace
} // namespace marquetry
