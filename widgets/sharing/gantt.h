// The Gantt picture of a design: units × cycles above, one lane per call below.
//
// Every call has a number (its place in the order of execution) and a colour; the number is written
// in its block wherever it fits, and its lane carries number and layer. Time in which a unit is
// idle is hatched. `from` and `to` of the view are cycles.
//
// With the design's timetable the blocks are its steps; loads and stores are time in which no unit
// works. Without one they lie behind one another, less what they overlap. Where that is not when
// they run, because units work beside one another on different frames or bands, the blocks of each
// unit are put side by side, and the title says so.
// Complexity: O(calls + steps · log steps). Thread rule: values; paintGantt is pure but for the
// painter.
#pragma once

#include "engine/design/timetable.h"
#include "widgets/models/snapshot_index.h"
#include "widgets/theme/theme.h"

#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace marquetry::widgets {

struct GanttBlock {
    design::CallId call;
    int number = 0;
    double from = 0; ///< cycles
    double to = 0;
};

struct GanttRow {
    design::UnitId unit;
    QString name;
    double busy = 0; ///< 0 … 1
    bool shared = false;
    std::vector<GanttBlock> blocks;
};

struct GanttLane {
    design::CallId call;
    int number = 0;
    QString layer;
    design::UnitId unit;
    std::vector<GanttBlock> blocks;
};

struct Gantt {
    std::vector<GanttRow> rows;
    std::vector<GanttLane> lanes;
    double cycles = 0;
    QString title;   ///< "sharing: 5 call sites → 2 units"
    QString message; ///< in place of an empty picture
};

struct GanttView {
    QSizeF size; ///< pixels
    double from = 0;
    double to = 1;
    double labelWidth = 160;

    double x(double cycle) const;
    double cycle(double x) const;
};

/// What is lit: units and calls, sorted.
struct GanttMarks {
    std::vector<design::UnitId> units;
    std::vector<design::CallId> calls;
};

/// `timetable`: of the design; null: not known.
Gantt ganttOf(const design::Design& design, const design::Timetable* timetable = nullptr);
/// Of the snapshot's design, with its timetable; a message when there is no design yet.
Gantt ganttOf(const SnapshotIndex& index);
/// Pixels the whole picture is high, and the labels are wide.
double ganttHeight(const Gantt& gantt);
double ganttLabelWidth(const Gantt& gantt);

void paintGantt(QPainter& painter, const Gantt& gantt, const GanttView& view, const Theme& theme,
                const GanttMarks& marks = {});

/// The call or unit at a place.
Subject ganttAt(const Gantt& gantt, const GanttView& view, QPointF pixel);

QString ganttText(const Gantt& gantt);

} // namespace marquetry::widgets
