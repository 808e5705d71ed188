// The steps of a schedule over time: a lane for each queue that runs any, one for joined calls,
// which run beside those that they are joined to, and one for the clocks in which the list waits
// for a queue, unless all that it does is to hand steps over. No two steps of a lane run at once.
//
// A block is a step from its begin to its end, in the colour of its layer, with its name where that
// fits, else its number in the list. The line below the blocks is the way through the run: in every
// clock it is under the step that the run waits for (design/cycle_model.h, criticalClocks).
// Units: clocks of a run, pixels. Complexity: O(steps). Thread rule: values; paintLanes is pure but
// for the painter.
#pragma once

#include "engine/design/timetable.h"
#include "widgets/canvas/time_axis.h"
#include "widgets/theme/theme.h"

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <array>
#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace marquetry::widgets {

struct LaneBlock {
    std::size_t step = 0;
    QString name;
    std::size_t colour = 0; ///< of categoryColour
    double begin = 0;
    double end = 0;
    double criticalFrom = 0; ///< the run waits for it from then
    double criticalTo = 0;
    std::optional<std::size_t> awaited; ///< the step by which it begins when it does
};

struct QueueLane {
    QString name;
    double busy = 0; ///< of the run, 0 … 1
    bool waits = false;
    bool fullest = false;          ///< of queues alone, where the list only hands steps over
    std::vector<LaneBlock> blocks; ///< by time
};

/// Where the block of a step is.
struct LanePlace {
    std::size_t lane = 0;
    std::size_t block = 0;
};

struct QueueLanes {
    std::vector<QueueLane> lanes;
    std::vector<LanePlace> places; ///< by step
    double cycles = 0;
    QString message; ///< in place of an empty picture
};

struct LanesView {
    QSizeF size; ///< pixels
    TimeSpan time;
    double labelWidth = 130;

    double x(double clock) const;
    double clock(double x) const;
};

/// What is lit: the steps of a layer, sorted, and the one at hand.
struct LaneMarks {
    std::vector<std::size_t> steps;
    std::optional<std::size_t> at;
};

QueueLanes lanesOf(const design::Timetable* timetable);
/// Pixels the whole picture is high, and its labels are wide.
double lanesHeight(const QueueLanes& lanes);
double lanesLabelWidth(const QueueLanes& lanes);

void paintLanes(QPainter& painter, const QueueLanes& lanes, const LanesView& view,
                const Theme& theme, const LaneMarks& marks = {});

/// The step whose block is at a place; of the lane of waits, the one that waits.
std::optional<std::size_t> stepAt(const QueueLanes& lanes, const LanesView& view, QPointF pixel);
/// The step in the lane `by` lanes below that is nearest in time.
std::optional<std::size_t> stepBeside(const QueueLanes& lanes, std::size_t step, int by);

} // namespace marquetry::widgets
