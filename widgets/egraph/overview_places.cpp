#include "widgets/egraph/overview_places.h"

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;

constexpr QSizeF kGap{8, 6};        ///< between cells
constexpr double kGroupMargin = 10; ///< of a frame, around its cells
constexpr double kTitleRoom = 26;   ///< above them
constexpr double kFrameGap = 16;
constexpr double kAspect = 1.6; ///< wanted width ÷ height, of a group and of the whole
constexpr double kGrowth = 1.5; ///< cells of a family ÷ those that it needs now
constexpr double kByRules = 3;  ///< area in the end ÷ that of what is written, to begin with
constexpr std::size_t kFewCells = 6;

constexpr QSizeF kPitch{kCell.width() + kGap.width(), kCell.height() + kGap.height()};

QSizeF frameSize(std::size_t columns, std::size_t cells) {
    const std::size_t rows = (cells + columns - 1) / columns;
    return {static_cast<double>(columns) * kPitch.width() - kGap.width() + 2 * kGroupMargin,
            static_cast<double>(rows) * kPitch.height() - kGap.height() + kGroupMargin +
                kTitleRoom};
}

OverviewPlaces::Group roomFor(const OverviewGroup& from) {
    OverviewPlaces::Group group{from.name, from.written};
    const auto cells = static_cast<double>(from.classes.size());
    group.capacity = from.written ? from.classes.size()
                                  : std::max(kFewCells, static_cast<std::size_t>(kGrowth * cells));
    const double ratio = kAspect * kPitch.height() / kPitch.width();
    group.columns = static_cast<std::size_t>(
        std::max(1.0, std::round(std::sqrt(static_cast<double>(group.capacity) * ratio))));
    group.frame = QRectF(QPointF(), frameSize(group.columns, group.capacity));
    return group;
}

/// Of the rows of groups: what gives the whole its aspect, with room for what rules will make.
double widthFor(const std::vector<OverviewGroup>& groups) {
    double area = 0;
    double written = 0;
    double widest = 0;
    for (const OverviewGroup& group : groups) {
        const QSizeF size = roomFor(group).frame.size() + QSizeF(kFrameGap, kFrameGap);
        area += size.width() * size.height();
        written += group.written ? size.width() * size.height() : 0;
        widest = std::max(widest, size.width());
    }
    return std::max(widest, std::sqrt(kAspect * std::max(area, kByRules * written)));
}

} // namespace

void OverviewPlaces::follow(const std::vector<OverviewGroup>& groups) {
    std::size_t kept = 0;
    while (kept < groups_.size() && kept < groups.size() && fits(groups[kept], kept))
        ++kept;
    if (kept < groups_.size()) {
        const bool ofProgram =
            groups_[kept].written || (kept < groups.size() && groups[kept].written);
        restart(ofProgram
                    ? 0
                    : static_cast<std::size_t>(std::ranges::count_if(groups_, &Group::written)));
    } else if (kept < groups.size() && groups[kept].written) {
        restart(0);
    }
    if (groups_.empty())
        width_ = widthFor(groups);
    for (std::size_t k = groups_.size(); k < groups.size(); ++k)
        groups_.push_back(roomFor(groups[k]));
    for (std::size_t k = 0; k < groups.size(); ++k)
        fill(groups[k], k);
    arrange();
}

bool OverviewPlaces::fits(const OverviewGroup& group, std::size_t number) const {
    if (group.name != groups_[number].name || group.written != groups_[number].written)
        return false;
    const auto isNew = [&](EClassId id) {
        const auto found = places_.find(id);
        return found == places_.end() || found->second.group != number;
    };
    const auto more = static_cast<std::size_t>(std::ranges::count_if(group.classes, isNew));
    return groups_[number].used + more <= groups_[number].capacity;
}

/// Forgets the groups from a number on.
void OverviewPlaces::restart(std::size_t from) {
    groups_.resize(from);
    std::erase_if(places_, [&](const auto& entry) { return entry.second.group >= from; });
}

void OverviewPlaces::fill(const OverviewGroup& from, std::size_t number) {
    Group& group = groups_[number];
    for (const EClassId id : from.classes) {
        const auto [place, isNew] = places_.try_emplace(id, Place{number, group.used});
        if (!isNew && place->second.group == number)
            continue;
        place->second = {number, group.used};
        ++group.used;
    }
}

/// Side by side in rows that are as high as the highest room in them: nothing moves what is before
/// it. A frame is around the cells in use.
void OverviewPlaces::arrange() {
    QPointF corner(0, 0);
    double below = 0;
    for (std::size_t k = 0; k < groups_.size(); ++k) {
        Group& group = groups_[k];
        const QSizeF room = frameSize(group.columns, group.capacity);
        const bool first = k > 0 && groups_[k - 1].written != group.written;
        if (first || corner.x() + room.width() > width_)
            corner = {0, below};
        group.frame = QRectF(corner, frameSize(group.columns, group.used));
        corner.rx() += room.width() + kFrameGap;
        below = std::max(below, corner.y() + room.height() + kFrameGap);
    }
}

QRectF OverviewPlaces::cell(EClassId id) const {
    const auto found = places_.find(id);
    if (found == places_.end())
        return {};
    const Group& group = groups_[found->second.group];
    const auto column = static_cast<double>(found->second.cell % group.columns);
    const auto row = static_cast<double>(found->second.cell / group.columns);
    return {group.frame.topLeft() +
                QPointF(kGroupMargin + column * kPitch.width(), kTitleRoom + row * kPitch.height()),
            kCell};
}

} // namespace marquetry::widgets
