// Exports of designs whose steps run beside others.
#pragma once

#include "engine/design/cycle_model.h"
#include "engine/lower_design/lower_design.h"
#include "tests/artefact/export_fixture.h"

namespace marquetry::test {

class QueuesTest : public ExportTest {
protected:
    /// Whether some step begins while one of that queue runs.
    static bool overlaps(const design::Schedule& schedule, design::Queue queue) {
        const design::CyclePrediction predicted = design::predictCycles(schedule);
        for (std::size_t s = 0; s + 1 < schedule.order.size(); ++s) {
            const std::int64_t end = predicted.begins[s] + predicted.waits[s] +
                                     design::cyclesAlone(schedule, schedule.steps[s]);
            if (schedule.order[s].queue == queue && predicted.begins[s + 1] + 1 < end)
                return true;
        }
        return false;
    }

    /// What is on the chip takes the predicted cycles to the clock.
    void expectSound(const TestDesign& design, const hdl::VerifyParams& params) {
        const Status sound = hdl::check(design.schedule);
        ASSERT_TRUE(sound) << sound.error().front().message;
        secondCalls_ += overlaps(design.schedule, design::Queue::Second) ? 1 : 0;
        transfers_ += overlaps(design.schedule, design::Queue::Transfers) ? 1 : 0;
        expectExact(design, params);
    }

    int secondCalls_ = 0, transfers_ = 0; ///< designs in which such steps run beside others
};

} // namespace marquetry::test
