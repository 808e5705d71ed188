#include "widgets/text/number_text.h"

#include <QObject>

#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr char16_t kGroupSpace = u'\u202F';

QString significant(double value) {
    const double magnitude = std::fabs(value);
    const int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2;
    QString text = QString::number(value, 'f', decimals);
    if (decimals > 0) {
        while (text.endsWith(u'0'))
            text.chop(1);
        if (text.endsWith(u'.'))
            text.chop(1);
    }
    return text;
}

} // namespace

QString grouped(std::int64_t value) {
    QString digits = QString::number(value);
    const qsizetype first = value < 0 ? 1 : 0;
    for (qsizetype at = digits.size() - 3; at > first; at -= 3)
        digits.insert(at, QChar(kGroupSpace));
    return digits;
}

QString scaled(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude >= 1e11)
        return significant(value / 1e12) + QStringLiteral(" T");
    if (magnitude >= 1e8)
        return significant(value / 1e9) + QStringLiteral(" G");
    if (magnitude >= 1e5)
        return significant(value / 1e6) + QStringLiteral(" M");
    if (magnitude >= 1e3)
        return significant(value / 1e3) + QStringLiteral(" k");
    return significant(value);
}

QString amount(double value) {
    const double whole = std::round(value);
    if (std::fabs(value - whole) < 0.005)
        return grouped(static_cast<std::int64_t>(whole));
    return QString::number(value, 'f', 2);
}

QString frameCyclesText(std::int64_t cycles, std::int64_t frames) {
    if (frames == 1)
        return QObject::tr("%1 cycles").arg(grouped(cycles));
    return QObject::tr("%1 cycles a frame, in runs of %2")
        .arg(amount(static_cast<double>(cycles) / static_cast<double>(frames)))
        .arg(frames);
}

} // namespace marquetry::widgets
