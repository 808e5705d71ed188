#include "app/status_line.h"

#include "widgets/progress/progress_view.h"
#include "widgets/streams/circuit_rows.h"
#include "widgets/text/number_text.h"

#include <QObject>
#include <QStringList>

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
    if (s.design) {
        parts << QObject::tr("best %1").arg(cyclesText(s.design->cycles));
        if (s.design->frames > 1)
            parts << QObject::tr("runs of %1 frames").arg(s.design->frames);
        if (s.lowerBound > 0)
            parts << QObject::tr("bound %1").arg(cyclesText(s.lowerBound))
                  << QObject::tr("gap %1 %")
                         .arg(QString::number(100 * s.gap, 'f', s.gap < 0.1 ? 1 : 0));
    } else if (!s.infeasible.empty()) {
        parts << QObject::tr("no design fits: %1")
                     .arg(QString::fromStdString(s.infeasible.front().message));
    }
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
