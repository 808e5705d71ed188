#include "widgets/pareto/pareto_history.h"

#include "widgets/text/number_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace marquetry::widgets {

namespace {

bool sameConstraints(const EarlierFront& front, const session::Settings& settings,
                     const std::vector<design::Pin>& pins) {
    return front.settings == settings && front.pins == pins;
}

bool hasEnded(const session::Snapshot& snapshot) {
    using session::Phase;
    const bool resting = snapshot.phase == Phase::Ready || snapshot.phase == Phase::Writing;
    return resting && snapshot.outcome && !snapshot.points.empty();
}

EarlierFront frontOf(const session::Snapshot& snapshot) {
    EarlierFront front{snapshot.settings, snapshot.pins, {}};
    std::ranges::copy_if(snapshot.points, std::back_inserter(front.points),
                         [](const design::DesignPoint& point) { return point.onFront; });
    return front;
}

} // namespace

bool ParetoHistory::follow(const session::Snapshot& snapshot) {
    const std::string program =
        snapshot.program ? snapshot.file + '\n' + snapshot.program->name : std::string();
    bool changed = false;
    if (program != program_) {
        program_ = program;
        latest_.reset();
        changed = !earlier_.empty();
        earlier_.clear();
    }
    if (latest_ && !sameConstraints(*latest_, snapshot.settings, snapshot.pins)) {
        earlier_.push_back(*std::exchange(latest_, std::nullopt));
        if (earlier_.size() > kMostFronts)
            earlier_.pop_front();
        changed = true;
    }
    changed |= std::erase_if(earlier_, [&](const EarlierFront& front) {
                   return sameConstraints(front, snapshot.settings, snapshot.pins);
               }) > 0;
    if (hasEnded(snapshot))
        latest_ = frontOf(snapshot);
    return changed;
}

QString settingsThen(const EarlierFront& then, const session::Snapshot& now) {
    const session::Settings& old = then.settings;
    const session::Settings& settings = now.settings;
    QStringList words;
    if (old.device != settings.device)
        words << QString::fromStdString(old.device);
    for (const char* const name : {"dsp", "bram", "lut", "ff", "cycles"}) {
        const auto was = old.limits.find(name);
        const auto is = settings.limits.find(name);
        const bool had = was != old.limits.end();
        const bool has = is != settings.limits.end();
        if (had && (!has || was->second != is->second))
            words << QStringLiteral("%1 ≤ %2").arg(QLatin1String(name), amount(was->second));
        else if (!had && has)
            words << QObject::tr("any %1").arg(QLatin1String(name));
    }
    if (old.objective != settings.objective)
        words << QString::fromLatin1(toString(old.objective));
    if (old.batch != settings.batch)
        words << (old.batch ? QObject::tr("runs of %1").arg(*old.batch) : QObject::tr("any runs"));
    if (old.cost != settings.cost)
        words << QString::fromStdString(toString(old.cost));
    for (const std::string& name : old.without)
        if (std::ranges::find(settings.without, name) == settings.without.end())
            words << QObject::tr("no %1").arg(QString::fromStdString(name));
    for (const std::string& name : settings.without)
        if (std::ranges::find(old.without, name) == old.without.end())
            words << QObject::tr("with %1").arg(QString::fromStdString(name));
    if (then.pins != now.pins) {
        const auto pins = std::ranges::count(then.pins, true, &design::Pin::enabled);
        words << (pins == 0   ? QObject::tr("no pins")
                  : pins == 1 ? QObject::tr("1 pin")
                              : QObject::tr("%1 pins").arg(pins));
    }
    return words.isEmpty() ? QObject::tr("other stops of the search")
                           : words.join(QStringLiteral(", "));
}

} // namespace marquetry::widgets
