#include "widgets/schedule/step_details.h"

#include "engine/design/timetable_table.h"
#include "widgets/text/number_text.h"

#include <QObject>
#include <QStringList>

namespace marquetry::widgets {

namespace {

using design::TimedStep;
using design::Timetable;

QString escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

QString runsText(const TimedStep& step) {
    QString text = QObject::tr("clocks %1 to %2: %3")
                       .arg(grouped(step.begin), grouped(step.end), grouped(step.clocks()));
    text += step.critical > 0
                ? QObject::tr("; the run waits for %1 of them").arg(grouped(step.critical))
                : QObject::tr("; the run does not wait for it");
    if (step.memoryWaits > 0)
        text +=
            QObject::tr("; external memory keeps it waiting for %1").arg(grouped(step.memoryWaits));
    return text;
}

QString waitText(const TimedStep& step) {
    return step.queueWaits() > 0 ? QObject::tr("its turn came at clock %1, so it waited for %2")
                                       .arg(grouped(step.turn), grouped(step.queueWaits()))
                                 : QString();
}

QString whatText(const Timetable& timetable, std::size_t step) {
    const TimedStep& timed = timetable.steps[step];
    QString text = QString::fromStdString(stepText(timetable, step));
    if (timed.unit)
        text += QObject::tr(" on unit %1").arg(QString::fromStdString(timed.unitName));
    return text;
}

/// The nest, a line deeper for each loop.
QString loopsHtml(const std::vector<design::TimedLoop>& loops) {
    if (loops.empty())
        return QObject::tr("one iteration");
    QStringList lines;
    for (const design::TimedLoop& loop : loops)
        lines << QStringLiteral("&nbsp;&nbsp;").repeated(lines.size()) +
                     QObject::tr("for %1 %2").arg(grouped(loop.count), escaped(loop.over));
    return lines.join(QStringLiteral("<br>"));
}

QString placesHtml(const std::vector<design::StepPlace>& places) {
    QStringList lines;
    for (const design::StepPlace& place : places)
        lines << escaped(placeText(place));
    return lines.join(QStringLiteral("<br>"));
}

QString tokensHtml(const Timetable& timetable, const TimedStep& step) {
    QStringList lines;
    for (const design::StepToken& token : step.tokens)
        lines << QObject::tr("<a href=\"step:%1\">%2</a>, which ended at clock %3")
                     .arg(token.step)
                     .arg(escaped(stepText(timetable, token.step)),
                          grouped(timetable.steps[token.step].end));
    return lines.join(QStringLiteral("<br>"));
}

QString beginsHtml(const Timetable& timetable, std::size_t step) {
    const TimedStep& timed = timetable.steps[step];
    if (!timed.awaited)
        return QObject::tr("at the start of the run");
    QString text = QStringLiteral("<a href=\"step:%1\">%2</a>")
                       .arg(*timed.awaited)
                       .arg(escaped(beginText(timetable, step)));
    if (const QString wait = waitText(timed); !wait.isEmpty())
        text += QStringLiteral("; ") + wait;
    return text;
}

} // namespace

QString stepTip(const Timetable& timetable, std::size_t step) {
    const TimedStep& timed = timetable.steps[step];
    QStringList lines{whatText(timetable, step), runsText(timed)};
    if (timed.awaited)
        lines << QObject::tr("begins %1").arg(QString::fromStdString(beginText(timetable, step)));
    if (const QString wait = waitText(timed); !wait.isEmpty())
        lines << wait;
    if (!timed.loops.empty())
        lines << QObject::tr("loops %1").arg(QString::fromStdString(loopCounts(timed.loops)));
    return lines.join(u'\n');
}

QString stepHtml(const Timetable& timetable, std::size_t step) {
    const TimedStep& timed = timetable.steps[step];
    QString html =
        QStringLiteral("<b>%1</b> (%2)")
            .arg(whatText(timetable, step).toHtmlEscaped(), escaped(queueName(timed.queue)));
    const auto paragraph = [&](const QString& title, const QString& text) {
        if (!text.isEmpty())
            html += QStringLiteral("<p style=\"margin:6px 0 0 0\"><b>%1</b><br>%2</p>")
                        .arg(title, text);
    };
    paragraph(QObject::tr("Runs"), runsText(timed));
    paragraph(QObject::tr("Begins"), beginsHtml(timetable, step));
    paragraph(QObject::tr("Awaits in queues"), tokensHtml(timetable, timed));
    paragraph(QObject::tr("Loops"), loopsHtml(timed.loops));
    paragraph(QObject::tr("Reads"), placesHtml(timed.reads));
    paragraph(QObject::tr("Writes"), placesHtml(timed.writes));
    return html;
}

std::optional<std::size_t> linkedStep(const Timetable& timetable, const QString& link) {
    bool number = false;
    const qulonglong step =
        link.startsWith(QLatin1String("step:")) ? link.mid(5).toULongLong(&number) : 0;
    return number && step < timetable.steps.size() ? std::optional<std::size_t>(step)
                                                   : std::nullopt;
}

} // namespace marquetry::widgets
