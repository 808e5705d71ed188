#include "widgets/schedule/queue_lanes.h"

#include "engine/design/timetable_table.h"
#include "widgets/text/number_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>

namespace marquetry::widgets {

namespace {

constexpr double kLegend = 26;
constexpr double kLaneAxis = 22;
constexpr double kLane = 44;
constexpr double kBlock = 26;
constexpr double kWayBelow = 3; ///< from a block to the line of the way
constexpr double kWay = 4;
constexpr double kEdge = 14;
constexpr double kTickGap = 100; ///< pixels between ticks, about
constexpr double kLeastBlock = 1.5;

QFont laneFont(int pixels, bool bold = false) {
    QFont made = textFont(10);
    made.setPixelSize(pixels);
    made.setBold(bold);
    return made;
}

double laneTop(std::size_t lane) {
    return kLegend + kLaneAxis + static_cast<double>(lane) * kLane;
}

QString laneLabel(const QueueLane& lane) {
    return QStringLiteral("%1  %2 %").arg(lane.name).arg(100 * lane.busy, 0, 'f', 1);
}

class LanesMaker {
public:
    explicit LanesMaker(const design::Timetable& timetable) : timetable_(timetable) {}

    QueueLanes run() {
        made_.cycles = static_cast<double>(timetable_.cycles);
        made_.places.resize(timetable_.steps.size());
        addQueue(design::Queue::Calls);
        addLane("joined calls", [](const design::TimedStep& step) { return isJoined(step); });
        for (std::size_t k = 0; k + indexOf(design::Queue::Second) < design::kMostQueues; ++k)
            addQueue(design::queueBeside(k));
        addQueue(design::Queue::Transfers);
        if (listRuns())
            addWaits();
        for (QueueLane& lane : made_.lanes) {
            double busy = 0;
            for (const LaneBlock& block : lane.blocks)
                busy += block.end - block.begin;
            lane.busy = busy / std::max(1.0, made_.cycles);
        }
        if (!listRuns())
            markFullest();
        return std::move(made_);
    }

private:
    static bool isJoined(const design::TimedStep& step) { return step.joinedAfter.has_value(); }

    void addQueue(design::Queue queue) {
        addLane(queueName(queue), [queue](const design::TimedStep& step) {
            return step.queue == queue && !isJoined(step);
        });
    }

    template <class IsIn>
    void addLane(const std::string& name, IsIn isIn) {
        QueueLane lane;
        lane.name = QString::fromStdString(name);
        for (std::size_t s = 0; s < timetable_.steps.size(); ++s)
            if (isIn(timetable_.steps[s])) {
                made_.places[s] = {made_.lanes.size(), lane.blocks.size()};
                lane.blocks.push_back(blockOf(s));
            }
        if (!lane.blocks.empty())
            made_.lanes.push_back(std::move(lane));
    }

    /// The list has steps of its own. One that only hands steps over waits for a queue nearly all
    /// the time, whatever the queues do.
    bool listRuns() const {
        return std::ranges::any_of(timetable_.steps, [](const design::TimedStep& step) {
            return step.queue == design::Queue::Calls;
        });
    }

    void markFullest() {
        const auto fullest = std::ranges::max_element(made_.lanes, {}, &QueueLane::busy);
        if (fullest != made_.lanes.end())
            fullest->fullest = true;
    }

    void addWaits() {
        QueueLane lane;
        lane.name = QStringLiteral("waits");
        lane.waits = true;
        for (std::size_t s = 0; s < timetable_.steps.size(); ++s)
            if (const design::TimedStep& step = timetable_.steps[s]; step.queueWaits() > 0) {
                LaneBlock block = blockOf(s);
                block.begin = static_cast<double>(step.turn);
                block.end = static_cast<double>(step.begin);
                block.criticalFrom = block.criticalTo = 0;
                lane.blocks.push_back(std::move(block));
            }
        if (!lane.blocks.empty())
            made_.lanes.push_back(std::move(lane));
    }

    /// Of a joined one the clocks in which both run may be those of the one before: then the last
    /// ones are its.
    LaneBlock blockOf(std::size_t s) {
        const design::TimedStep& step = timetable_.steps[s];
        LaneBlock block;
        block.step = s;
        block.name = QString::fromStdString(step.name);
        block.colour = colours_.try_emplace(step.name, colours_.size()).first->second;
        block.begin = static_cast<double>(step.begin);
        block.end = static_cast<double>(step.end);
        block.awaited = step.awaited;
        const auto critical = static_cast<double>(step.critical);
        block.criticalFrom = step.joinedAfter ? block.end - critical : block.begin;
        block.criticalTo = block.criticalFrom + critical;
        return block;
    }

    const design::Timetable& timetable_;
    QueueLanes made_;
    std::map<std::string, std::size_t> colours_;
};

class LanesPainter {
public:
    LanesPainter(QPainter& painter, const QueueLanes& lanes, const LanesView& view,
                 const Theme& theme, const LaneMarks& marks)
        : painter_(painter), lanes_(lanes), view_(view), theme_(theme), marks_(marks) {}

    void run() {
        painter_.save();
        painter_.fillRect(QRectF(QPointF(0, 0), view_.size), theme_[Role::Background]);
        painter_.setRenderHint(QPainter::Antialiasing);
        if (lanes_.lanes.empty()) {
            drawMessage();
        } else {
            drawLegend();
            drawAxis();
            for (std::size_t k = 0; k < lanes_.lanes.size(); ++k)
                drawLane(lanes_.lanes[k], laneTop(k));
            drawAwaited();
        }
        painter_.restore();
    }

private:
    double right() const { return view_.size.width() - kEdge; }

    void drawMessage() {
        painter_.setFont(laneFont(13));
        painter_.setPen(theme_[Role::Muted]);
        painter_.drawText(QRectF(QPointF(0, 0), view_.size).adjusted(24, 12, -24, -12),
                          Qt::AlignCenter | Qt::TextWordWrap, lanes_.message);
    }

    void drawLegend() {
        painter_.setFont(laneFont(12));
        const QFontMetricsF metrics(painter_.font());
        double x = 12;
        const auto entry = [&](const QString& text, auto draw) {
            draw(QRectF(x, 9, 18, 11));
            painter_.setPen(theme_[Role::Ink]);
            painter_.drawText(QRectF(x + 24, 5, right() - x - 24, 18),
                              Qt::AlignLeft | Qt::AlignVCenter,
                              metrics.elidedText(text, Qt::ElideRight, right() - x - 24));
            x += 24 + metrics.horizontalAdvance(text) + 22;
        };
        entry(QStringLiteral("a step, in the colour of its layer"),
              [&](const QRectF& rect) { painter_.fillRect(rect, categoryColour(0)); });
        entry(QStringLiteral("the run waits for it"), [&](const QRectF& rect) {
            painter_.fillRect(QRectF(rect.left(), rect.center().y() - kWay / 2, rect.width(), kWay),
                              theme_[Role::Ink]);
        });
        if (lanes_.lanes.back().waits)
            entry(QStringLiteral("a step waits for a queue"), [&](const QRectF& rect) {
                drawHatch(painter_, rect, Rising, theme_[Role::Muted]);
            });
    }

    void drawAxis() {
        const double width = right() - view_.labelWidth;
        const double step =
            tickStep((view_.time.to - view_.time.from) * kTickGap / std::max(1.0, width));
        painter_.setFont(laneFont(11));
        const double first = std::ceil(view_.time.from / step) * step;
        for (double clock = first; clock <= view_.time.to; clock += step) {
            const double x = view_.x(clock);
            painter_.setPen(QPen(theme_[Role::Grid], 1));
            painter_.drawLine(QPointF(x, laneTop(0)), QPointF(x, laneTop(lanes_.lanes.size())));
            painter_.setPen(theme_[Role::Muted]);
            painter_.drawText(QRectF(x - 60, kLegend, 120, kLaneAxis - 4), Qt::AlignCenter,
                              grouped(std::llround(clock)));
        }
        painter_.setPen(theme_[Role::Muted]);
        painter_.drawText(QRectF(0, kLegend, view_.labelWidth - 64, kLaneAxis - 4),
                          Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("clocks"));
    }

    void drawLane(const QueueLane& lane, double top) {
        painter_.setFont(laneFont(12));
        painter_.setPen(theme_[Role::Ink]);
        const QRectF place(8, top, view_.labelWidth - 20, kBlock + 8);
        painter_.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                          QFontMetricsF(painter_.font())
                              .elidedText(laneLabel(lane), Qt::ElideMiddle, place.width()));
        painter_.save();
        painter_.setClipRect(
            QRectF(view_.labelWidth, top, std::max(0.0, right() - view_.labelWidth + 1), kLane));
        for (const LaneBlock& block : lane.blocks)
            if (block.end >= view_.time.from && block.begin <= view_.time.to)
                drawBlock(lane, block, top);
        painter_.restore();
    }

    void drawBlock(const QueueLane& lane, const LaneBlock& block, double top) {
        const QRectF rect = rectOf(block, top);
        if (lane.waits) {
            drawHatch(painter_, rect, Rising, theme_[Role::Muted]);
            painter_.setPen(QPen(theme_[Role::Muted], 1));
            painter_.setBrush(Qt::NoBrush);
            painter_.drawRect(rect);
        } else {
            painter_.fillRect(rect, categoryColour(block.colour));
            writeName(block, rect);
        }
        if (block.criticalTo > block.criticalFrom)
            painter_.fillRect(
                QRectF(QPointF(view_.x(block.criticalFrom), rect.bottom() + kWayBelow),
                       QPointF(std::max(view_.x(block.criticalTo), view_.x(block.criticalFrom) + 1),
                               rect.bottom() + kWayBelow + kWay)),
                theme_[Role::Ink]);
        mark(block, rect);
    }

    QRectF rectOf(const LaneBlock& block, double top) const {
        const double left = view_.x(block.begin);
        const double width = std::max(kLeastBlock, view_.x(block.end) - left);
        return {left, top + 4, width, kBlock};
    }

    /// The name, or else the number, where all of it is seen.
    void writeName(const LaneBlock& block, const QRectF& rect) {
        if (rect.width() > 4) {
            painter_.setPen(QPen(theme_[Role::Background], 1));
            painter_.drawLine(rect.topRight(), rect.bottomRight());
        }
        const QRectF seen = rect.intersected(
            QRectF(view_.labelWidth, rect.top(), right() - view_.labelWidth, rect.height()));
        painter_.setFont(laneFont(12));
        const QFontMetricsF metrics(painter_.font());
        for (const QString& text : {block.name, QString::number(block.step)})
            if (metrics.horizontalAdvance(text) + 6 <= seen.width()) {
                painter_.setPen(inkOn(categoryColour(block.colour)));
                painter_.drawText(seen, Qt::AlignCenter, text);
                return;
            }
    }

    void mark(const LaneBlock& block, const QRectF& rect) {
        const bool at = marks_.at == block.step;
        if (!at && !std::ranges::binary_search(marks_.steps, block.step))
            return;
        painter_.setPen(QPen(theme_[Role::Selected], at ? 3 : 1.6));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRect(rect.adjusted(-1, -1, 1, 1));
    }

    /// From the step that lets the one at hand begin to it.
    void drawAwaited() {
        if (!marks_.at || *marks_.at >= lanes_.places.size())
            return;
        const LanePlace& to = lanes_.places[*marks_.at];
        const LaneBlock& block = lanes_.lanes[to.lane].blocks[to.block];
        if (!block.awaited)
            return;
        const LanePlace& from = lanes_.places[*block.awaited];
        if (from.lane == to.lane)
            return;
        painter_.save();
        painter_.setClipRect(QRectF(view_.labelWidth, 0,
                                    std::max(0.0, right() - view_.labelWidth + 1),
                                    view_.size.height()));
        painter_.setPen(QPen(theme_[Role::Selected], 2, Qt::DashLine));
        const double x = view_.x(block.begin);
        painter_.drawLine(QPointF(x, laneTop(from.lane) + 4 + kBlock / 2),
                          QPointF(x, laneTop(to.lane) + 4 + kBlock / 2));
        painter_.restore();
    }

    QPainter& painter_;
    const QueueLanes& lanes_;
    const LanesView& view_;
    const Theme& theme_;
    const LaneMarks& marks_;
};

} // namespace

double LanesView::x(double at) const {
    const double width = size.width() - labelWidth - kEdge;
    return labelWidth + (at - time.from) / std::max(1e-9, time.to - time.from) * width;
}

double LanesView::clock(double at) const {
    const double width = std::max(1.0, size.width() - labelWidth - kEdge);
    return time.from + (at - labelWidth) / width * (time.to - time.from);
}

QueueLanes lanesOf(const design::Timetable* timetable) {
    if (timetable != nullptr && timetable->missing.empty())
        return LanesMaker(*timetable).run();
    QueueLanes none;
    none.message = timetable == nullptr
                       ? QStringLiteral("No design yet.\nThe steps of its schedule appear here "
                                        "when extraction has found one.")
                       : QString::fromStdString(timetable->missing);
    return none;
}

double lanesHeight(const QueueLanes& lanes) {
    return lanes.lanes.empty() ? 120 : laneTop(lanes.lanes.size()) + 6;
}

double lanesLabelWidth(const QueueLanes& lanes) {
    const QFontMetricsF metrics(laneFont(12));
    double width = 90;
    for (const QueueLane& lane : lanes.lanes)
        width = std::max(width, metrics.horizontalAdvance(laneLabel(lane)) + 26);
    return width;
}

void paintLanes(QPainter& painter, const QueueLanes& lanes, const LanesView& view,
                const Theme& theme, const LaneMarks& marks) {
    LanesPainter(painter, lanes, view, theme, marks).run();
}

std::optional<std::size_t> stepAt(const QueueLanes& lanes, const LanesView& view, QPointF pixel) {
    constexpr double kNear = 2; ///< pixels beside a block that is hardly seen
    for (std::size_t k = 0; k < lanes.lanes.size(); ++k) {
        if (pixel.y() < laneTop(k) || pixel.y() >= laneTop(k) + kLane)
            continue;
        for (const LaneBlock& block : lanes.lanes[k].blocks)
            if (pixel.x() >= std::min(view.x(block.begin), view.x(block.end) - kNear) &&
                pixel.x() <= std::max(view.x(block.end), view.x(block.begin) + kNear))
                return block.step;
    }
    return std::nullopt;
}

std::optional<std::size_t> stepBeside(const QueueLanes& lanes, std::size_t step, int by) {
    const LanePlace place = lanes.places[step];
    const auto wanted = static_cast<std::ptrdiff_t>(place.lane) + by;
    if (wanted < 0 || wanted >= static_cast<std::ptrdiff_t>(lanes.lanes.size()) ||
        lanes.lanes[static_cast<std::size_t>(wanted)].waits)
        return std::nullopt;
    const double at = lanes.lanes[place.lane].blocks[place.block].begin;
    const auto& blocks = lanes.lanes[static_cast<std::size_t>(wanted)].blocks;
    return std::ranges::min_element(
               blocks, {}, [&](const LaneBlock& block) { return std::abs(block.begin - at); })
        ->step;
}

} // namespace marquetry::widgets
