#include "engine/design/make_timetable.h"

#include "engine/design/cycle_model.h"
#include "engine/design/step_kind.h"
#include "engine/design/step_loops.h"
#include "engine/design/step_name.h"
#include "engine/design/step_queues.h"

#include <array>

namespace marquetry::design {

namespace {

class TimetableMaker {
public:
    explicit TimetableMaker(const Schedule& schedule)
        : schedule_(schedule),
          prediction_(predictCycles(schedule)),
          critical_(criticalClocks(schedule, prediction_)) {}

    Timetable run() {
        Timetable made;
        made.cycles = prediction_.total;
        made.frames = schedule_.frames;
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s) {
            made.steps.push_back(timed(s));
            if (const Queue queue = schedule_.orderOf(s).queue; queue != Queue::Calls)
                last_[indexOf(queue)] = s;
        }
        return made;
    }

private:
    TimedStep timed(std::size_t s) const {
        const Step& step = schedule_.steps[s];
        TimedStep made;
        made.name = stepSubject(step);
        made.kind = stepKind(step);
        made.queue = schedule_.orderOf(s).queue;
        made.unit = unitOfStep(step);
        if (made.unit)
            made.unitName = schedule_.unit(*made.unit).name;
        made.turn = prediction_.turns[s];
        made.begin = prediction_.begins[s];
        made.end = prediction_.ends[s];
        made.memoryWaits = prediction_.waits[s];
        made.critical = critical_[s];
        made.awaited = prediction_.awaited[s];
        made.tokens = tokensOf(s);
        if (const auto* compute = std::get_if<ComputeStep>(&step))
            made.joinedAfter = compute->joinedAfter;
        made.loops = loopsOf(schedule_, step);
        made.reads = placesRead(schedule_, step);
        made.writes = placesWritten(schedule_, step);
        return made;
    }

    std::vector<StepToken> tokensOf(std::size_t s) const {
        std::vector<StepToken> tokens;
        const StepOrder order = schedule_.orderOf(s);
        for (std::size_t k = indexOf(Queue::Transfers); k < kMostQueues; ++k)
            if (const auto queue = static_cast<Queue>(k); last_[k] && awaits(order, queue))
                tokens.push_back({queue, *last_[k]});
        return tokens;
    }

    const Schedule& schedule_;
    CyclePrediction prediction_;
    std::vector<std::int64_t> critical_;
    std::array<std::optional<std::size_t>, kMostQueues> last_; ///< step of each queue
};

} // namespace

Timetable makeTimetable(const Design& design) {
    Timetable made = design.schedule ? TimetableMaker(*design.schedule).run() : Timetable{};
    made.program = design.program;
    if (design.schedule)
        return made;
    made.cycles = design.cycles;
    made.frames = design.frames;
    made.missing = design.notExportable;
    return made;
}

} // namespace marquetry::design
