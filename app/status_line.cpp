#include "app/status_line.h"

#include "engine/session/setup.h"
#include "widgets/progress/progress_view.h"
#include "widgets/streams/circuit_rows.h"
#include "widgets/text/number_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::app {

using session::Phase;
using widgets::grouped;

QString cyclesText(std::int64_t cycles) {
    const QString text = widgets::scaled(static_cast<double>(cycles));
    return text.contains(u' ') ? text + QObject::tr("cycles") : text + QObject::tr(" cycles");
}

namespace {

/// Of a file that has memories only.
QString banksText(const session::Snapshot& s) {
    const session::MemoryItem& item = s.memories[s.memory];
    QStringList parts{QString::fromStdString(item.program->name)};
    if (item.detail)
        parts << QString::fromStdString(item.detail->priced.scheme.text());
    if (item.plan && item.plan->found.minBanks > 0)
        parts << (item.plan->found.proved() ? QObject::tr("fewest %1 banks, proven")
                                            : QObject::tr("fewest %1 banks, not proven"))
                     .arg(item.plan->found.minBanks);
    for (const Diagnostic& reason : item.failure)
        parts << QString::fromStdString(reason.message);
    return parts.join(QStringLiteral(" · "));
}

QString circuitText(const session::Snapshot& s) {
    const session::StreamItem& item = s.streams[s.stream];
    QStringList parts{QString::fromStdString(item.program->name)};
    if (item.schedule) {
        const device::Resources& area = item.schedule->front[item.chosen].area;
        parts << widgets::rateText(item.rates[item.rate])
              << widgets::areaText(area, item.schedule->front[item.chosen].delay);
    }
    for (const Diagnostic& reason : item.failure)
        parts << QString::fromStdString(reason.message);
    return parts.join(QStringLiteral(" · "));
}

/// Within what no design is below the bound.
QString boundScope(const session::Snapshot& s) {
    QStringList parts;
    if (s.outcome != egraph::StopReason::Saturated)
        parts << QObject::tr("the e-graph so far");
    std::vector<std::string> without = s.settings.without;
    // What the MILP, the published costs and runs of several frames do not know.
    const bool joins = s.settings.method == design::SearchMethod::Pool &&
                       s.settings.cost == design::CostModel::Cycles;
    const bool streams = joins && s.settings.batch.value_or(1) == 1;
    if (!joins && session::isOn(s.settings, "overlap"))
        without.emplace_back("overlap");
    if (!streams && session::isOn(s.settings, "streams"))
        without.emplace_back("streams");
    if (parts.isEmpty() && without.empty())
        parts << QObject::tr("all rules");
    for (const std::string& group : without)
        parts << QObject::tr("no %1").arg(QString::fromStdString(group));
    const auto pins = std::ranges::count(s.pins, true, &design::Pin::enabled);
    if (pins > 0)
        parts << (pins == 1 ? QObject::tr("1 pin") : QObject::tr("%1 pins").arg(pins));
    for (const auto& [resource, limit] : s.settings.limits)
        parts << QObject::tr("%1 ≤ %2").arg(QString::fromStdString(resource),
                                            widgets::amount(limit));
    if (s.settings.limits.empty())
        parts << QObject::tr("the device's limits");
    return parts.join(QStringLiteral(", "));
}

/// The fastest of the points that fit, where that is not the design at hand.
std::optional<design::DesignPoint> fasterThanChosen(const session::Snapshot& s) {
    const auto perFrame = [](std::int64_t cycles, std::int64_t frames) {
        return static_cast<double>(cycles) / static_cast<double>(frames);
    };
    double best = perFrame(s.design->cycles, s.design->frames);
    std::optional<design::DesignPoint> fastest;
    for (const design::DesignPoint& point : s.points)
        if (point.feasible && perFrame(point.cycles, point.frames) < best) {
            best = perFrame(point.cycles, point.frames);
            fastest = point;
        }
    return fastest;
}

void addDesign(const session::Snapshot& s, QStringList& parts) {
    const bool chosen = s.foundBy == session::FoundBy::Choice;
    parts << (chosen ? QObject::tr("chosen %1") : QObject::tr("best %1"))
                 .arg(s.design->frames == 1
                          ? cyclesText(s.design->cycles)
                          : widgets::frameCyclesText(s.design->cycles, s.design->frames));
    if (const auto fastest = chosen ? fasterThanChosen(s) : std::nullopt)
        parts << QObject::tr("fastest %1")
                     .arg(widgets::frameCyclesText(fastest->cycles, fastest->frames));
    if (s.lowerBound > 0)
        parts
            << (s.design->frames == 1 ? QObject::tr("bound %1 (%2)")
                                      : QObject::tr("bound %1 a run (%2)"))
                   .arg(cyclesText(s.lowerBound), boundScope(s))
            << QObject::tr("gap %1 %").arg(QString::number(100 * s.gap, 'f', s.gap < 0.1 ? 1 : 0));
}

/// What is known, whatever went wrong.
QString answersText(const session::Snapshot& s) {
    if (s.phase == Phase::Empty || s.phase == Phase::Invalid)
        return widgets::phaseText(s.phase);
    if (!s.program && s.phase == Phase::Loaded)
        return !s.hasMemoryItems() ? circuitText(s) : banksText(s);
    QStringList parts{widgets::phaseText(s.phase)};
    if (!s.iterations.empty())
        parts << QObject::tr("iteration %1").arg(s.iterations.back().index);
    if (s.egraph)
        parts << QObject::tr("%1 e-nodes")
                     .arg(grouped(static_cast<std::int64_t>(s.egraph->enodeCount())));
    else if (!s.iterations.empty())
        parts << QObject::tr("%1 e-nodes")
                     .arg(grouped(static_cast<std::int64_t>(s.iterations.back().enodes)));
    if (s.extracting)
        parts << QObject::tr("%1 s, %2 pools")
                     .arg(QString::number(s.extracting->seconds, 'f', 1),
                          grouped(static_cast<std::int64_t>(s.extracting->poolsTried)));
    if (s.design)
        addDesign(s, parts);
    else if (!s.infeasible.empty())
        parts << QObject::tr("no design fits: %1")
                     .arg(QString::fromStdString(s.infeasible.front().message));
    return parts.join(QStringLiteral(" · "));
}

} // namespace

QString statusLine(const session::Snapshot& s) {
    if (s.failure.empty())
        return answersText(s);
    return QString::fromStdString(s.failure.front().message) + QStringLiteral(" · ") +
           answersText(s);
}

} // namespace marquetry::app
