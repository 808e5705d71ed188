// Schedules with values in external memory: every row that a step reads is followed from the step
// that writes it, in slots and in the memory, and what they compute is the program.
#include "engine/design/build_schedule.h"
#include "engine/design/cycle_model.h"
#include "engine/design/external_tensors.h"
#include "tests/lower_design/random_outside.h"
#include "tests/oracles/simulate.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace marquetry {

using design::ComputeStep;
using design::LoadStep;
using design::Schedule;
using design::Step;
using design::StoredTensor;
using design::StoreStep;

namespace {

/// What lies in each word of the slots and which rows the memory holds, step after step.
class Follower {
public:
    explicit Follower(const Schedule& schedule) : schedule_(schedule) {}

    void run() {
        for (const Step& step : schedule_.steps) {
            for (const design::TensorId source : design::sourcesOf(step))
                read(schedule_.tensor(source));
            if (const auto* load = std::get_if<LoadStep>(&step); load && load->external)
                loadRows(schedule_.tensor(load->tensor));
            if (const auto* store = std::get_if<StoreStep>(&step); store && store->external)
                storeRows(schedule_.tensor(store->tensor));
            if (const auto target = design::targetOf(step))
                write(schedule_.tensor(*target));
            if (testing::Test::HasFatalFailure())
                return;
        }
        for (const auto& [value, rows] : stored_)
            EXPECT_EQ(rows, design::findExternal(schedule_, value)->rows) << "all are stored";
        for (const auto& [place, rows] : loaded_)
            EXPECT_EQ(rows, design::findExternal(schedule_, place.first)->rows) << "all are loaded";
    }

    /// Some value is loaded into several slots.
    bool loadsAgain() const {
        std::set<ir::ValueId> values;
        for (const auto& [place, rows] : loaded_)
            values.insert(place.first);
        return values.size() < loaded_.size();
    }

private:
    /// Value, row of it, word of the row.
    using Word = std::tuple<ir::ValueId, std::int64_t, std::int64_t>;

    template <typename Visit>
    void eachWord(const StoredTensor& tensor, const Visit& visit) {
        for (std::int64_t row = 0; row < tensor.height; ++row)
            for (std::int64_t word = 0; word < tensor.width * tensor.wordsPerPixel; ++word) {
                const std::int64_t address =
                    schedule_.addressOf(tensor, row * tensor.pitch() + word);
                visit(std::pair(tensor.slot, address),
                      Word{tensor.value, tensor.firstRow.value_or(0) + row, word});
            }
    }

    void read(const StoredTensor& tensor) {
        bool there = true;
        eachWord(tensor, [&](const auto& place, const Word& word) {
            const auto at = words_.find(place);
            there = there && at != words_.end() && at->second == word;
        });
        ASSERT_TRUE(there) << tensor.name << " from row " << tensor.firstRow.value_or(0);
    }

    void write(const StoredTensor& tensor) {
        std::set<std::int64_t> addresses;
        eachWord(tensor, [&](const auto& place, const Word& word) {
            ASSERT_LT(place.second, schedule_.slot(place.first).depth);
            ASSERT_TRUE(addresses.insert(place.second).second) << "it does not reach its own rows";
            words_[place] = word;
        });
    }

    void storeRows(const StoredTensor& tensor) {
        std::int64_t& rows = stored_[tensor.value];
        ASSERT_EQ(tensor.firstRow.value_or(0), rows) << "one behind the other";
        ASSERT_GE(tensor.pixels, 2);
        rows += tensor.height;
        storedIn_.try_emplace(tensor.value, tensor.slot);
        ASSERT_EQ(storedIn_.at(tensor.value), tensor.slot);
    }

    void loadRows(const StoredTensor& tensor) {
        std::int64_t& rows = loaded_[{tensor.value, tensor.slot}];
        ASSERT_EQ(tensor.firstRow.value_or(0), rows) << "one behind the other";
        ASSERT_GE(tensor.pixels, 2);
        rows += tensor.height;
        ASSERT_LE(rows, stored_[tensor.value]) << "they are stored before";
    }

    const Schedule& schedule_;
    std::map<std::pair<design::SlotId, std::int64_t>, Word> words_;
    std::map<ir::ValueId, std::int64_t> stored_;
    std::map<ir::ValueId, design::SlotId> storedIn_;
    std::map<std::pair<ir::ValueId, design::SlotId>, std::int64_t> loaded_;
};

std::int64_t multiplications(const Schedule& schedule) {
    std::int64_t sum = 0;
    for (const Step& step : schedule.steps)
        if (const auto* call = std::get_if<ComputeStep>(&step); call && call->weight)
            sum += call->height * call->width * call->rows * call->kernel.area() *
                   schedule.tensor(call->input).channels;
    return sum;
}

} // namespace

TEST(ExternalTensors, AreThereWhenTheyAreRead) {
    int schedules = 0, severalRuns = 0, severalLoads = 0, sharedRings = 0;
    for (std::uint64_t seed = 0; seed < 800; ++seed) {
        const auto test = test::randomOutside(seed);
        if (!test)
            continue;
        SCOPED_TRACE("seed " + std::to_string(seed));
        ++schedules;
        Follower follower(test->schedule);
        follower.run();
        ASSERT_FALSE(HasFatalFailure());
        EXPECT_EQ(multiplications(test->schedule),
                  multiplications(test::designOf(test::randomResidualText(seed), 8, 8).schedule));
        severalLoads += follower.loadsAgain();
        std::map<design::SlotId, std::set<ir::ValueId>> ofRing;
        for (const StoredTensor& tensor : test->schedule.tensors)
            if (tensor.firstRow && test->schedule.slot(tensor.slot).ring)
                ofRing[tensor.slot].insert(tensor.value);
        severalRuns += ofRing.size() > 2;
        for (const auto& [slot, values] : ofRing)
            sharedRings += values.size() > 1;
    }
    EXPECT_GT(schedules, 500);
    EXPECT_GT(severalRuns, 100);
    EXPECT_GT(severalLoads, 100);
    EXPECT_GT(sharedRings, 100);
}

TEST(ExternalTensors, SchedulesComputeTheProgram) {
    for (std::uint64_t seed = 0; seed < 400; ++seed)
        if (const auto test = test::randomOutside(seed)) {
            ASSERT_EQ(design::simulate(test->schedule, test->program, test->values),
                      test->outputs())
                << "seed " << seed;
        }
}

TEST(ExternalTensors, HaveRegionsOfTheirOwn) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto test = test::randomOutside(seed);
        if (!test)
            continue;
        ASSERT_TRUE(test->schedule.memory);
        std::int64_t end = 0;
        for (const design::ExternalTensor& tensor : test->schedule.externals) {
            EXPECT_EQ(tensor.base % design::kExternalAlignment, 0);
            EXPECT_GE(tensor.base, end);
            end = tensor.base + tensor.bytes();
        }
    }
}

} // namespace marquetry
