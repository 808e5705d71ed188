#include "widgets/progress/metric_rows.h"

#include <QObject>

namespace marquetry::widgets {

namespace {

constexpr int kLongestNumber = 12; // digits, then a power of ten

QString termsText(const extract::TermCount& terms) {
    const QString digits = QString::fromStdString(terms.terms);
    QString text = digits.size() <= kLongestNumber
                       ? digits
                       : QStringLiteral("10^%1").arg(terms.log10Terms, 0, 'f', 1);
    return terms.bounded ? QStringLiteral("≥ ") + text : text;
}

QString digitsText(const std::string& digits) {
    const QString text = QString::fromStdString(digits);
    return text.size() <= kLongestNumber
               ? text
               : QStringLiteral("%1.%2e%3").arg(text[0]).arg(text[1]).arg(text.size() - 1);
}

} // namespace

std::vector<MetricRow> metricRows(const session::Snapshot& snapshot) {
    std::vector<MetricRow> rows;
    if (!snapshot.terms.empty())
        rows.push_back({QStringLiteral("M1 terms"), termsText(snapshot.terms.back()),
                        QObject::tr("chains of the calls, multiplied; not designs")});
    if (!snapshot.metrics)
        return rows;
    const extract::Metrics& metrics = *snapshot.metrics;
    const QString outdated =
        snapshot.metricsOutdated ? QObject::tr(" (measured before the last change)") : QString();
    const auto add = [&](const QString& name, const QString& value, const QString& meaning) {
        rows.push_back({name, value, meaning + outdated});
    };
    add(QStringLiteral("M2 normal forms"), digitsText(metrics.normalForms),
        QObject::tr("terms without a loop directly under its like"));
    add(QStringLiteral("M3 unit sets"),
        (metrics.unitSetsExact ? QString() : QStringLiteral("≈ ")) +
            QString::number(metrics.unitSets, 'g', 6),
        QObject::tr("distinct hardware"));
    add(QStringLiteral("M6 front"), QString::number(metrics.front.size()),
        QObject::tr("undominated pairs of area and latency"));
    add(QStringLiteral("M7 hypervolume"), QString::number(metrics.hypervolume, 'g', 4),
        QObject::tr("of the front, both axes logarithmic"));
    add(QStringLiteral("M8 density"), QString::number(metrics.density, 'g', 3),
        QObject::tr("part of %1 sampled designs that is near the front").arg(metrics.samples));
    return rows;
}

} // namespace marquetry::widgets
