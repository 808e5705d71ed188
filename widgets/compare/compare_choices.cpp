#include "widgets/compare/compare_choices.h"

#include "widgets/text/number_text.h"

#include <QObject>

#include <algorithm>

namespace marquetry::widgets {

namespace {

ShownDesign shownBy(const session::Snapshot& snapshot) {
    const auto bound = static_cast<double>(snapshot.lowerBound);
    if (snapshot.design)
        return {snapshot.design, snapshot.ledger, bound > 0 ? std::optional(bound) : std::nullopt,
                snapshot.program};
    const bool held = snapshot.heldAtHand && snapshot.held;
    return held
               ? ShownDesign{snapshot.held->design, snapshot.ledger, std::nullopt, snapshot.program}
               : ShownDesign{};
}

QString shortWords(std::int64_t cycles, std::int64_t frames, double dsp) {
    return QObject::tr("%1, %2 DSP").arg(frameCyclesText(cycles, frames), amount(dsp));
}

CompareChoice choiceOf(const QString& name, const ShownDesign& shown) {
    const design::Design& design = *shown.design;
    return {name,
            QObject::tr("%1: %2").arg(
                name, shortWords(design.cycles, design.frames, design.resources.dsp)),
            shown,
            std::nullopt,
            {}};
}

CompareChoice choiceOf(const QString& name, const design::DesignPoint& point) {
    return {name,
            QObject::tr("%1: %2").arg(name,
                                      shortWords(point.cycles, point.frames, point.resources.dsp)),
            {},
            point,
            {}};
}

} // namespace

bool CompareChoices::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    const std::string of = snapshot->file + '\n' + snapshot->item;
    begunAnew_ = !snapshot_ || of != of_;
    if (begunAnew_) {
        atHand_ = {};
        shown_.clear();
        kept_.clear();
        of_ = of;
    }
    snapshot_ = snapshot;
    ShownDesign shown = shownBy(*snapshot);
    if (shown.design == atHand_.design) {
        const bool bound = shown.bound != atHand_.bound;
        atHand_ = std::move(shown);
        return begunAnew_ || bound;
    }
    if (atHand_.design)
        remember(atHand_);
    atHand_ = std::move(shown);
    return true;
}

void CompareChoices::remember(const ShownDesign& shown) {
    std::erase_if(shown_, [&](const ShownDesign& each) { return each.design == shown.design; });
    shown_.insert(shown_.begin(), shown);
    if (shown_.size() > kMostKept)
        shown_.pop_back();
}

/// While nothing is at hand, the one before is still that.
ShownDesign CompareChoices::before() const {
    for (const ShownDesign& each : shown_)
        if (each.design != atHand_.design)
            return each;
    return {};
}

void CompareChoices::keep(Kept kept) {
    std::erase_if(kept_, [&](const Kept& each) {
        return each.file.path == kept.file.path &&
               (each.file.isFile() || each.shown.design == kept.shown.design);
    });
    kept_.insert(kept_.begin(), std::move(kept));
    if (kept_.size() > kMostKept)
        kept_.pop_back();
}

void CompareChoices::keep() {
    if (atHand_.design)
        keep({atHand_, {}});
}

void CompareChoices::keep(const FileOrigin& file, const ShownDesign& shown) {
    if (shown.design)
        keep({shown, file});
}

std::vector<CompareChoice> CompareChoices::all() const {
    std::vector<CompareChoice> choices;
    for (const ShownDesign& shown : shown_)
        if (shown.design != atHand_.design)
            choices.push_back(choiceOf(QObject::tr("shown before"), shown));
    for (const Kept& kept : kept_) {
        choices.push_back(
            choiceOf(kept.file.isFile() ? kept.file.title() : QObject::tr("kept"), kept.shown));
        choices.back().file = kept.file;
    }
    std::vector<design::DesignPoint> front;
    if (snapshot_)
        for (const design::DesignPoint& point : snapshot_->points)
            if (point.onFront && point.feasible)
                front.push_back(point);
    std::ranges::stable_sort(front, {}, &design::DesignPoint::cyclesPerFrame);
    for (std::size_t k = 0; k < front.size(); ++k)
        choices.push_back(
            choiceOf(k == 0 ? QObject::tr("fastest") : QObject::tr("of the front"), front[k]));
    return choices;
}

bool CompareChoices::isFound(const design::Design& design) const {
    return snapshot_ &&
           std::ranges::any_of(snapshot_->points, [&](const design::DesignPoint& point) {
               return point.cycles == design.cycles && point.frames == design.frames &&
                      point.resources == design.resources;
           });
}

bool samePoint(const session::PickedDesign& one, const design::DesignPoint& other) {
    return one.cycles == other.cycles && one.frames == other.frames &&
           one.resources == other.resources && one.label == other.label &&
           one.lanes == other.lanes && one.groupedChannels == other.groupedChannels;
}

bool samePoint(const design::DesignPoint& one, const design::DesignPoint& other) {
    return samePoint(session::PickedDesign{one.cycles, one.frames, one.resources, one.label,
                                           one.lanes, one.groupedChannels},
                     other);
}

QString designWords(const ShownDesign& shown) {
    const design::Design& design = *shown.design;
    constexpr std::size_t kBlockRam = 1; // after DSP
    const bool known = shown.ledger && shown.ledger->resources.size() > kBlockRam;
    QString text = QObject::tr("%1, %2 DSP, %3 %4 on %5")
                       .arg(frameCyclesText(design.cycles, design.frames),
                            amount(design.resources.dsp), amount(design.resources.bram),
                            known ? QString::fromStdString(shown.ledger->resources[kBlockRam].name)
                                  : QObject::tr("block RAM"),
                            QString::fromStdString(design.device));
    if (design.clockMhz > 0)
        text += QObject::tr(" at %1 MHz").arg(amount(design.clockMhz));
    QStringList limits;
    if (shown.ledger)
        for (const design::LedgerResource& resource : shown.ledger->resources)
            if (resource.limit != resource.device)
                limits << QObject::tr("%1 of %2 %3")
                              .arg(amount(resource.limit), amount(resource.device),
                                   QString::fromStdString(resource.name));
    return limits.isEmpty() ? text : text + QObject::tr(", within ") + limits.join(u", ");
}

} // namespace marquetry::widgets
