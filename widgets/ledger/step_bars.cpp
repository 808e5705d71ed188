#include "widgets/ledger/step_bars.h"

#include "engine/design/ledger_share.h"
#include "widgets/canvas/time_axis.h"
#include "widgets/text/number_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace marquetry::widgets {

namespace {

using design::ClockPart;
using design::kClockParts;

constexpr double kLegend = 44; ///< two lines
constexpr double kClockAxis = 22;
constexpr double kLine = 20;
constexpr double kBar = 13;
constexpr double kMargin = 14;
constexpr double kMostLabel = 240;
constexpr double kTicks = 100; ///< pixels between ticks, about

struct PartLook {
    std::size_t colour = 0; ///< widgets::categoryColour
    unsigned hatch = Plain;
};

/// By ClockPart.
constexpr std::array<PartLook, kClockParts> kPartLooks{{
    {2, Plain},
    {3, Rising},
    {1, Plain},
    {4, Across},
    {6, Across | Upright},
    {0, Falling},
    {5, Upright},
    {7, Rising | Falling},
}};

QFont barFont(int pixels) {
    QFont made = textFont(10);
    made.setPixelSize(pixels);
    return made;
}

void drawPiece(QPainter& painter, const QRectF& rect, std::size_t part) {
    const QColor colour = categoryColour(kPartLooks[part].colour);
    painter.fillRect(rect, colour);
    drawHatch(painter, rect, kPartLooks[part].hatch, inkOn(colour));
}

QString partName(std::size_t part) {
    return QString::fromStdString(toString(static_cast<ClockPart>(part)));
}

double lineTop(std::size_t line) {
    return kLegend + kClockAxis + static_cast<double>(line) * kLine;
}

class StepsPainter {
public:
    StepsPainter(QPainter& painter, const StepBars& steps, const StepsView& view,
                 const Theme& theme)
        : painter_(painter), steps_(steps), view_(view), theme_(theme) {}

    void run(const std::string& layer) {
        painter_.save();
        painter_.fillRect(QRectF(QPointF(0, 0), view_.size), theme_[Role::Background]);
        painter_.setRenderHint(QPainter::Antialiasing);
        if (steps_.bars.empty()) {
            painter_.setFont(barFont(13));
            painter_.setPen(theme_[Role::Muted]);
            painter_.drawText(QRectF(QPointF(0, 0), view_.size).adjusted(24, 12, -24, -12),
                              Qt::AlignCenter | Qt::TextWordWrap, steps_.message);
        } else {
            drawLegend();
            drawAxis();
            drawLabels(layer);
            for (const StepBar& bar : steps_.bars)
                drawBar(bar, !layer.empty() && bar.layer == layer);
        }
        painter_.restore();
    }

private:
    double right() const { return view_.size.width() - kMargin; }

    void drawLegend() {
        painter_.setFont(barFont(12));
        const QFontMetricsF metrics(painter_.font());
        double x = 12;
        double y = 6;
        for (std::size_t k = 0; k < kClockParts; ++k) {
            if (steps_.total[k] <= 0)
                continue;
            const QString text = legendText(steps_, static_cast<ClockPart>(k));
            const double width = 20 + metrics.horizontalAdvance(text) + 18;
            if (x + width > right() && x > 12) {
                x = 12;
                y += 18;
            }
            drawPiece(painter_, QRectF(x, y + 2, 14, 12), k);
            painter_.setPen(theme_[Role::Ink]);
            painter_.drawText(QRectF(x + 20, y, width, 16), Qt::AlignLeft | Qt::AlignVCenter, text);
            x += width;
        }
    }

    void drawAxis() {
        const double width = right() - view_.labelWidth;
        const double step = tickStep((view_.to - view_.from) * kTicks / std::max(1.0, width));
        painter_.setFont(barFont(11));
        for (double clock = std::ceil(view_.from / step) * step; clock <= view_.to; clock += step) {
            const double x = view_.x(clock);
            painter_.setPen(QPen(theme_[Role::Grid], 1));
            painter_.drawLine(QPointF(x, kLegend + kClockAxis),
                              QPointF(x, lineTop(steps_.lines.size())));
            painter_.setPen(theme_[Role::Muted]);
            painter_.drawText(QRectF(x - 60, kLegend, 120, kClockAxis - 4), Qt::AlignCenter,
                              grouped(std::llround(clock)));
        }
    }

    void drawLabels(const std::string& layer) {
        std::vector<bool> lit(steps_.lines.size(), false);
        for (const StepBar& bar : steps_.bars)
            lit[bar.line] = lit[bar.line] || (!layer.empty() && bar.layer == layer);
        painter_.setFont(barFont(12));
        const QFontMetricsF metrics(painter_.font());
        for (std::size_t k = 0; k < steps_.lines.size(); ++k) {
            painter_.setPen(theme_[lit[k] ? Role::Selected : Role::Ink]);
            const QRectF place(8, lineTop(k), view_.labelWidth - 20, kLine);
            painter_.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                              metrics.elidedText(steps_.lines[k], Qt::ElideMiddle, place.width()));
        }
    }

    void drawBar(const StepBar& bar, bool lit) {
        const double top = lineTop(bar.line);
        painter_.save();
        painter_.setClipRect(QRectF(view_.labelWidth, top, right() - view_.labelWidth + 1, kLine));
        const double y = top + (kLine - kBar) / 2;
        double at = bar.begin;
        for (std::size_t k = 0; k < kClockParts; ++k) {
            if (bar.parts[k] <= 0)
                continue;
            const double x = view_.x(at);
            at += bar.parts[k];
            drawPiece(painter_, QRectF(QPointF(x, y), QPointF(view_.x(at), y + kBar)), k);
        }
        // A step of a few clocks is still there.
        const double left = view_.x(bar.begin);
        const QRectF whole(left, y, std::max(1.5, view_.x(at) - left), kBar);
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(lit ? QPen(theme_[Role::Selected], 2.2) : QPen(theme_[Role::Line], 0.8));
        // Outlines of narrow neighbours would hide them.
        constexpr double kNarrow = 4;
        if (lit || whole.width() >= kNarrow || steps_.lines.size() == steps_.bars.size())
            painter_.drawRect(whole);
        painter_.restore();
    }

    QPainter& painter_;
    const StepBars& steps_;
    const StepsView& view_;
    const Theme& theme_;
};

} // namespace

double StepBar::clocks() const {
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double StepsView::x(double at) const {
    const double width = size.width() - labelWidth - kMargin;
    return labelWidth + (at - from) / std::max(1e-9, to - from) * width;
}

double StepsView::clock(double at) const {
    const double width = std::max(1.0, size.width() - labelWidth - kMargin);
    return from + (at - labelWidth) / width * (to - from);
}

StepBars stepBarsOf(const design::Ledger* ledger) {
    StepBars steps;
    if (ledger == nullptr || !ledger->missing.empty()) {
        steps.message =
            ledger == nullptr
                ? QStringLiteral("No design yet.\nIts steps appear here when extraction has found "
                                 "one.")
                : QStringLiteral("No steps: %1").arg(QString::fromStdString(ledger->missing));
        return steps;
    }
    steps.cycles = static_cast<double>(ledger->cycles);
    const bool shared = ledger->steps.size() > 2 * ledger->layers.size();
    std::map<QString, std::size_t> lines;
    for (const design::LedgerRow& row : ledger->steps) {
        StepBar bar;
        bar.name = QString::fromStdString(row.name);
        if (row.kind != design::StepKind::Call)
            bar.name = QString::fromStdString(toString(row.kind)) + u' ' + bar.name;
        bar.unit = QString::fromStdString(row.unitName);
        bar.layer = row.isTransfer() ? std::string() : row.name;
        bar.begin = static_cast<double>(row.begin);
        for (std::size_t k = 0; k < kClockParts; ++k) {
            const auto part = static_cast<ClockPart>(k);
            bar.parts[k] = row.clocks.of(part);
            steps.total[k] += bar.parts[k];
            steps.waited[k] += design::criticalOf(row.clocks, part);
        }
        bar.line = shared ? lines.try_emplace(bar.name, steps.lines.size()).first->second
                          : steps.lines.size();
        if (bar.line == steps.lines.size())
            steps.lines.push_back(bar.name);
        steps.bars.push_back(std::move(bar));
    }
    return steps;
}

double stepsHeight(const StepBars& steps) {
    return steps.bars.empty() ? 120 : lineTop(steps.lines.size()) + kMargin;
}

double stepsLabelWidth(const StepBars& steps) {
    const QFontMetricsF metrics(barFont(12));
    double width = 90;
    for (const QString& line : steps.lines)
        width = std::max(width, metrics.horizontalAdvance(line) + 24);
    return std::min(width, kMostLabel);
}

void paintSteps(QPainter& painter, const StepBars& steps, const StepsView& view, const Theme& theme,
                const std::string& layer) {
    StepsPainter(painter, steps, view, theme).run(layer);
}

std::optional<double> heightOf(const StepBars& steps, const std::string& layer) {
    const auto bar = std::ranges::find(steps.bars, layer, &StepBar::layer);
    if (layer.empty() || bar == steps.bars.end())
        return std::nullopt;
    return lineTop(bar->line) + kLine / 2;
}

std::optional<std::size_t> barAt(const StepBars& steps, const StepsView& view, QPointF at) {
    const double clock = view.clock(at.x());
    std::optional<std::size_t> nearest;
    double least = std::numeric_limits<double>::max();
    for (std::size_t k = 0; k < steps.bars.size(); ++k) {
        const StepBar& bar = steps.bars[k];
        const double top = lineTop(bar.line);
        const double beside = std::max({0.0, bar.begin - clock, clock - bar.begin - bar.clocks()});
        if (at.y() < top || at.y() >= top + kLine || beside >= least)
            continue;
        nearest = k;
        least = beside;
    }
    return nearest;
}

QString barText(const StepBar& bar) {
    QStringList lines{
        bar.unit.isEmpty() ? bar.name : QStringLiteral("%1 on %2").arg(bar.name, bar.unit),
        QStringLiteral("%1 clocks from %2")
            .arg(grouped(std::llround(bar.clocks())), grouped(std::llround(bar.begin)))};
    for (std::size_t k = 0; k < kClockParts; ++k)
        if (bar.parts[k] > 0)
            lines << QStringLiteral("%1: %2").arg(partName(k), grouped(std::llround(bar.parts[k])));
    return lines.join(u'\n');
}

QString legendText(const StepBars& steps, ClockPart part) {
    const auto k = static_cast<std::size_t>(part);
    return QStringLiteral("%1 %2 %")
        .arg(partName(k))
        .arg(100 * steps.waited[k] / std::max(1.0, steps.cycles), 0, 'f', 1);
}

QString stepsText(const StepBars& steps) {
    if (steps.bars.empty())
        return QStringLiteral("no steps\n");
    QString text;
    for (const StepBar& bar : steps.bars)
        text += barText(bar).replace(u'\n', QStringLiteral(" | ")) + u'\n';
    return text;
}

} // namespace marquetry::widgets
