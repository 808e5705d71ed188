// The steps of a schedule over time: a line for each, in the schedule's order, with a bar from its
// begin to its end that is split into what its clocks are spent on. Where layers have many steps,
// of bands or of groups of frames, those of a layer share a line.
//
// The pieces of a bar are sums, in the order of design::ClockPart: they say how many clocks of the
// step are of a part, not which. Each part has a colour and a hatch, and the legend says how many
// of the run's cycles are its, in the words and figures of the ledger's sentence. A joined step
// begins before the end of the one above it. Units: clocks of a run, pixels. Complexity: O(steps).
// Thread rule: values; paintSteps is pure but for the painter.
#pragma once

#include "engine/design/ledger.h"
#include "widgets/theme/theme.h"

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace marquetry::widgets {

struct StepBar {
    QString name;
    QString unit;
    std::string layer; ///< empty of a transfer
    std::size_t line = 0;
    double begin = 0;
    std::array<double, design::kClockParts> parts{};

    double clocks() const;
};

struct StepBars {
    std::vector<StepBar> bars;
    std::vector<QString> lines; ///< what is before each
    std::array<double, design::kClockParts> total{};
    std::array<double, design::kClockParts> waited{}; ///< in which the run waits for their steps
    double cycles = 0;
    QString message; ///< in place of an empty picture
};

struct StepsView {
    QSizeF size; ///< pixels
    double from = 0;
    double to = 1;
    double labelWidth = 160;

    double x(double clock) const;
    double clock(double x) const;
};

StepBars stepBarsOf(const design::Ledger* ledger);
/// Pixels the whole picture is high, and its labels are wide.
double stepsHeight(const StepBars& steps);
double stepsLabelWidth(const StepBars& steps);

/// `layer`: its bars are outlined; empty: none.
void paintSteps(QPainter& painter, const StepBars& steps, const StepsView& view, const Theme& theme,
                const std::string& layer = {});

/// The middle of the layer's first bar; none without one.
std::optional<double> heightOf(const StepBars& steps, const std::string& layer);
/// The bar at a place, or the one beside it that is nearest on its line.
std::optional<std::size_t> barAt(const StepBars& steps, const StepsView& view, QPointF at);
/// A bar with its clocks by parts, on several lines.
QString barText(const StepBar& bar);
/// "waiting 53.4 %": of the run's cycles.
QString legendText(const StepBars& steps, design::ClockPart part);
/// All of them, a line each.
QString stepsText(const StepBars& steps);

} // namespace marquetry::widgets
