#include "widgets/sharing/gantt.h"

#include "widgets/canvas/time_axis.h"
#include "widgets/text/number_text.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QList>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace marquetry::widgets {

namespace {

constexpr double kTop = 34; ///< title
constexpr double kAxis = 22;
constexpr double kRowHeight = 30;
constexpr double kBlockHeight = 23;
constexpr double kLaneGap = 16;
constexpr double kLaneHeight = 22;
constexpr double kLaneBlock = 11;
constexpr double kRight = 18;
constexpr double kBottom = 12;
constexpr double kMaxLabel = 260;
constexpr double kHatch = 7;        ///< pixels between hatch lines
constexpr double kTickSpacing = 90; ///< pixels, about

QFont font(double pixels, bool bold = false) {
    QFont made = textFont(10);
    made.setPixelSize(static_cast<int>(pixels));
    made.setBold(bold);
    return made;
}

QString rowLabel(const GanttRow& row) {
    return QStringLiteral("%1  %2 %").arg(row.name).arg(std::lround(100 * row.busy));
}

QString laneLabel(const GanttLane& lane) {
    return QStringLiteral("%1  %2").arg(lane.number).arg(lane.layer);
}

double rowTop(std::size_t row) {
    return kTop + kAxis + static_cast<double>(row) * kRowHeight;
}

double laneTop(const Gantt& gantt, std::size_t lane) {
    return rowTop(gantt.rows.size()) + kLaneGap + static_cast<double>(lane) * kLaneHeight;
}

class Painter {
public:
    Painter(QPainter& painter, const Gantt& gantt, const GanttView& view, const Theme& theme,
            const GanttMarks& marks)
        : painter_(painter), gantt_(gantt), view_(view), theme_(theme), marks_(marks) {}

    void run() {
        painter_.save();
        painter_.fillRect(QRectF(QPointF(0, 0), view_.size), theme_[Role::Background]);
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setFont(font(14, true));
        painter_.setPen(theme_[Role::Ink]);
        if (gantt_.rows.empty()) {
            painter_.setFont(font(13));
            painter_.setPen(theme_[Role::Muted]);
            painter_.drawText(QRectF(QPointF(0, 0), view_.size).adjusted(24, 12, -24, -12),
                              Qt::AlignCenter | Qt::TextWordWrap, gantt_.message);
            painter_.restore();
            return;
        }
        painter_.drawText(QPointF(12, 22), gantt_.title);
        drawGrid();
        for (std::size_t k = 0; k < gantt_.rows.size(); ++k)
            drawRow(gantt_.rows[k], rowTop(k));
        for (std::size_t k = 0; k < gantt_.lanes.size(); ++k)
            drawLane(gantt_.lanes[k], laneTop(gantt_, k));
        painter_.restore();
    }

private:
    QRectF plot(double top, double height) const {
        return {view_.labelWidth, top, view_.size.width() - view_.labelWidth - kRight, height};
    }

    void drawGrid() {
        const QRectF area = plot(kTop + kAxis, ganttHeight(gantt_) - kTop - kAxis - kBottom);
        const double step = tickStep((view_.to - view_.from) * kTickSpacing / area.width());
        painter_.setFont(font(11));
        const double first = std::ceil(view_.from / step) * step;
        for (double cycle = first; cycle <= view_.to; cycle += step) {
            const double x = view_.x(cycle);
            painter_.setPen(QPen(theme_[Role::Grid], 1));
            painter_.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
            painter_.setPen(theme_[Role::Muted]);
            painter_.drawText(QRectF(x - 60, kTop, 120, kAxis - 4), Qt::AlignCenter,
                              step >= 1000 ? scaled(cycle) : grouped(std::llround(cycle)));
        }
        painter_.setPen(theme_[Role::Muted]);
        painter_.drawText(QRectF(0, kTop, view_.labelWidth - 12, kAxis - 4),
                          Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("cycles"));
    }

    void label(const QString& text, double top, double height, bool lit, bool bold) {
        painter_.setFont(font(12, bold || lit));
        painter_.setPen(theme_[lit ? Role::Selected : Role::Ink]);
        const QRectF place(8, top, view_.labelWidth - 20, height);
        const QFontMetricsF metrics(painter_.font());
        painter_.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                          metrics.elidedText(text, Qt::ElideMiddle, place.width()));
    }

    std::optional<QRectF> block(double from, double to, double top, double height) const {
        const QRectF area = plot(top, height);
        const double left = std::max(area.left(), view_.x(from));
        const double right = std::min(area.right(), std::max(view_.x(to), view_.x(from) + 1.5));
        if (right <= area.left() || left >= area.right())
            return std::nullopt;
        return QRectF(QPointF(left, top), QPointF(right, top + height));
    }

    /// Lines of our own: pattern brushes are lost in SVG readers, and do not scale.
    void hatch(const QRectF& rect) {
        QList<QLineF> lines;
        for (double d = -rect.height() + kHatch; d < rect.width(); d += kHatch) {
            const double from = std::max(0.0, d);
            const double to = std::min(rect.width(), d + rect.height());
            lines.append(QLineF(rect.left() + from, rect.bottom() - (from - d), rect.left() + to,
                                rect.bottom() - (to - d)));
        }
        painter_.setPen(QPen(theme_[Role::Line], 0.8));
        painter_.drawLines(lines);
    }

    void drawRow(const GanttRow& row, double top) {
        const double y = top + (kRowHeight - kBlockHeight) / 2;
        label(rowLabel(row), top, kRowHeight, std::ranges::binary_search(marks_.units, row.unit),
              row.shared);
        if (const auto idle = block(0, gantt_.cycles, y, kBlockHeight))
            hatch(*idle);
        for (const GanttBlock& call : row.blocks) {
            const auto rect = block(call.from, call.to, y, kBlockHeight);
            if (!rect)
                continue;
            const QColor colour = categoryColour(static_cast<std::size_t>(call.number));
            painter_.fillRect(*rect, colour);
            if (rect->width() > 4) {
                painter_.setPen(QPen(theme_[Role::Background], 1));
                painter_.drawLine(rect->topRight(), rect->bottomRight());
            }
            const QString text = QString::number(call.number);
            painter_.setFont(font(12));
            if (QFontMetricsF(painter_.font()).horizontalAdvance(text) + 4 <= rect->width()) {
                painter_.setPen(inkOn(colour));
                painter_.drawText(*rect, Qt::AlignCenter, text);
            }
            mark(call.call, *rect);
        }
    }

    void drawLane(const GanttLane& lane, double top) {
        const double y = top + (kLaneHeight - kLaneBlock) / 2;
        label(laneLabel(lane), top, kLaneHeight,
              std::ranges::binary_search(marks_.calls, lane.call), false);
        for (const GanttBlock& part : lane.blocks)
            if (const auto rect = block(part.from, part.to, y, kLaneBlock)) {
                painter_.fillRect(*rect, categoryColour(static_cast<std::size_t>(lane.number)));
                mark(lane.call, *rect);
            }
    }

    void mark(design::CallId call, const QRectF& rect) {
        if (!std::ranges::binary_search(marks_.calls, call))
            return;
        painter_.setPen(QPen(theme_[Role::Selected], 2.2));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRect(rect.adjusted(-1, -1, 1, 1));
    }

    QPainter& painter_;
    const Gantt& gantt_;
    const GanttView& view_;
    const Theme& theme_;
    const GanttMarks& marks_;
};

} // namespace

double GanttView::x(double at) const {
    const double width = size.width() - labelWidth - kRight;
    return labelWidth + (at - from) / std::max(1e-9, to - from) * width;
}

double GanttView::cycle(double at) const {
    const double width = std::max(1.0, size.width() - labelWidth - kRight);
    return from + (at - labelWidth) / width * (to - from);
}

namespace {

/// When the calls of a design run, by call.
using CallBlocks = std::vector<std::vector<GanttBlock>>;

GanttBlock blockOf(const design::DesignCall& call, double from, double to) {
    return {call.id, static_cast<int>(call.id.index()), from, to};
}

CallBlocks stepsOf(const design::Design& design, const design::Timetable& timetable) {
    std::map<std::string, std::size_t> callOf;
    for (const design::DesignCall& call : design.calls)
        callOf.emplace(call.layer, call.id.index());
    CallBlocks blocks(design.calls.size());
    for (const design::TimedStep& step : timetable.steps)
        if (const auto call = callOf.find(step.name); !step.isTransfer() && call != callOf.end())
            blocks[call->second].push_back(blockOf(design.calls[call->second],
                                                   static_cast<double>(step.begin),
                                                   static_cast<double>(step.end)));
    return blocks;
}

CallBlocks oneBehindAnother(const design::Design& design) {
    CallBlocks blocks;
    for (const design::DesignCall& call : design.calls) {
        const auto from = static_cast<double>(call.start);
        blocks.push_back({blockOf(call, from, from + static_cast<double>(call.cycles))});
    }
    return blocks;
}

/// No unit has two calls at once, and none ends behind the run.
bool mayBe(const design::Design& design, const CallBlocks& blocks) {
    std::map<design::UnitId, double> ends;
    for (const design::DesignCall& call : design.calls)
        for (const GanttBlock& block : blocks[call.id.index()]) {
            double& end = ends[call.unit];
            if (block.from < end || block.to > static_cast<double>(design.cycles))
                return false;
            end = block.to;
        }
    return true;
}

CallBlocks sideBySide(const design::Design& design) {
    std::map<design::UnitId, double> ends;
    CallBlocks blocks;
    for (const design::DesignCall& call : design.calls) {
        double& end = ends[call.unit];
        blocks.push_back({blockOf(call, end, end + static_cast<double>(call.cycles))});
        end = blocks.back().back().to;
    }
    return blocks;
}

QString ganttTitle(const design::Design& design, const Gantt& gantt) {
    std::size_t shared = 0;
    for (const design::DesignUnit& unit : design.units)
        shared += unit.shared ? 1 : 0;
    const auto counted = [](std::size_t n, const char* word) {
        return QStringLiteral("%1 %2%3").arg(n).arg(QLatin1String(word), n == 1 ? u"" : u"s");
    };
    return QStringLiteral("%1 → %2, %3 shared · %4 cycles")
        .arg(counted(gantt.lanes.size(), "call site"), counted(gantt.rows.size(), "unit"))
        .arg(shared)
        .arg(grouped(design.cycles));
}

} // namespace

Gantt ganttOf(const SnapshotIndex& index) {
    if (index.design() != nullptr)
        return ganttOf(*index.design(), index.snapshot().timetable.get());
    Gantt gantt;
    gantt.message = QStringLiteral("No design yet.\nUnits and their calls appear here when "
                                   "extraction has found one.");
    return gantt;
}

Gantt ganttOf(const design::Design& design, const design::Timetable* timetable) {
    Gantt gantt;
    gantt.cycles = static_cast<double>(design.cycles);
    for (const design::DesignUnit& unit : design.units)
        gantt.rows.push_back(
            {unit.id, QString::fromStdString(unit.name), unit.busy, unit.shared, {}});
    const bool timed = timetable != nullptr && !timetable->steps.empty();
    CallBlocks blocks = timed ? stepsOf(design, *timetable) : oneBehindAnother(design);
    const bool known = timed || mayBe(design, blocks);
    if (!known)
        blocks = sideBySide(design);
    for (const design::DesignCall& call : design.calls) {
        if (call.unit.index() >= gantt.rows.size())
            continue; // of a file that names no such unit
        const std::vector<GanttBlock>& own = blocks[call.id.index()];
        std::vector<GanttBlock>& row = gantt.rows[call.unit.index()].blocks;
        row.insert(row.end(), own.begin(), own.end());
        gantt.lanes.push_back({call.id, static_cast<int>(call.id.index()),
                               QString::fromStdString(call.layer), call.unit, own});
        for (const GanttBlock& block : own)
            gantt.cycles = std::max(gantt.cycles, block.to);
    }
    for (GanttRow& row : gantt.rows)
        std::ranges::stable_sort(row.blocks, {}, &GanttBlock::from);
    gantt.title = ganttTitle(design, gantt);
    if (!known)
        gantt.title += QStringLiteral(" · how long, not when: units work beside one another");
    return gantt;
}

double ganttHeight(const Gantt& gantt) {
    return gantt.rows.empty() ? 120 : laneTop(gantt, gantt.lanes.size()) + kBottom;
}

double ganttLabelWidth(const Gantt& gantt) {
    const QFontMetricsF metrics(font(12, true));
    double width = 90;
    for (const GanttRow& row : gantt.rows)
        width = std::max(width, metrics.horizontalAdvance(rowLabel(row)) + 24);
    for (const GanttLane& lane : gantt.lanes)
        width = std::max(width, metrics.horizontalAdvance(laneLabel(lane)) + 24);
    return std::min(width, kMaxLabel);
}

void paintGantt(QPainter& painter, const Gantt& gantt, const GanttView& view, const Theme& theme,
                const GanttMarks& marks) {
    Painter(painter, gantt, view, theme, marks).run();
}

Subject ganttAt(const Gantt& gantt, const GanttView& view, QPointF pixel) {
    const double cycle = view.cycle(pixel.x());
    const double slack = (view.to - view.from) / std::max(1.0, view.size.width()) * 2;
    for (std::size_t k = 0; k < gantt.rows.size(); ++k) {
        if (pixel.y() < rowTop(k) || pixel.y() >= rowTop(k) + kRowHeight)
            continue;
        if (pixel.x() >= view.labelWidth)
            for (const GanttBlock& block : gantt.rows[k].blocks)
                if (cycle >= block.from - slack && cycle <= block.to + slack)
                    return block.call;
        return gantt.rows[k].unit;
    }
    for (std::size_t k = 0; k < gantt.lanes.size(); ++k)
        if (pixel.y() >= laneTop(gantt, k) && pixel.y() < laneTop(gantt, k) + kLaneHeight)
            return gantt.lanes[k].call;
    return {};
}

QString ganttText(const Gantt& gantt) {
    if (gantt.rows.empty())
        return QStringLiteral("no design\n");
    QString text = gantt.title + QLatin1Char('\n');
    for (const GanttRow& row : gantt.rows) {
        text += rowLabel(row) + QLatin1Char(':');
        for (const GanttBlock& block : row.blocks)
            text += QStringLiteral(" %1[%2..%3]")
                        .arg(block.number)
                        .arg(std::llround(block.from))
                        .arg(std::llround(block.to));
        text += QLatin1Char('\n');
    }
    for (const GanttLane& lane : gantt.lanes)
        text += laneLabel(lane) + QLatin1Char('\n');
    return text;
}

} // namespace marquetry::widgets
