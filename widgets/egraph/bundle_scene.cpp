#include "widgets/egraph/bundle_scene.h"

#include "widgets/text/number_text.h"

#include <cmath>

namespace marquetry::widgets {

namespace {

constexpr double kBundleFont = 11; ///< pixels

SceneBox boxOfBundle(const OverviewBundle& bundle, std::size_t place, const QRectF& cell) {
    SceneBox box;
    box.rect = cell;
    box.text = QString::fromStdString(bundle.name) + QStringLiteral(" · ") +
               grouped(static_cast<std::int64_t>(bundle.eclasses));
    box.fill = bundle.chosen ? Role::Chosen : Role::Paper;
    box.line = bundle.shared ? Role::Shared : bundle.chosen ? Role::ChosenLine : Role::Line;
    box.ink = bundle.chosen ? Role::ChosenInk : Role::Ink;
    box.bold = bundle.chosen;
    box.dash = bundle.shared ? Dash::Dashed : Dash::Solid;
    box.lineWidth = bundle.shared ? 3 : bundle.chosen ? 1.6 : 0.8;
    box.badge = bundle.pinned;
    box.key = keyOfBundle(place);
    return box;
}

SceneBox frameOfBundles(const OverviewGroup& group, std::size_t number, const QRectF& place,
                        std::size_t eclasses) {
    SceneBox frame;
    frame.rect = place;
    frame.fill = Role::Raised;
    frame.line = group.written ? Role::Line : Role::None;
    frame.key = static_cast<std::uint32_t>(number) | kGroupBit;
    frame.title = QString::fromStdString(group.name);
    if (!group.written)
        frame.title += QObject::tr(" by rules");
    frame.title += QStringLiteral(" · ") + grouped(static_cast<std::int64_t>(eclasses));
    return frame;
}

SceneEdge lineBetween(const QRectF& from, const QRectF& to, const BundleEdge& edge) {
    const bool down = from.center().y() <= to.center().y();
    SceneEdge line;
    line.points = QPolygonF({QPointF(from.center().x(), down ? from.bottom() : from.top()),
                             QPointF(to.center().x(), down ? to.top() : to.bottom())});
    line.width = 0.8 + 0.5 * std::log10(static_cast<double>(edge.uses));
    line.arrow = edge.chosen;
    if (edge.chosen) {
        line.line = Role::ChosenLine;
        line.width = 2.6;
    }
    return line;
}

} // namespace

BundledOverview bundledOverview(const SnapshotIndex& index, const ShownPart& part,
                                OverviewPlaces& places) {
    BundledOverview overview;
    overview.made = overviewBundles(index, part);
    overview.enodes = part.enodeCount();
    overview.eclasses = part.eclasses().size();
    const std::vector<OverviewBundle>& bundles = overview.made.bundles;
    places.follow(overview.made.groups);
    auto scene = std::make_shared<Scene>();
    scene->fontSize = kBundleFont;
    std::vector<std::size_t> ofGroup(overview.made.groups.size(), 0);
    for (std::size_t place = 0; place < bundles.size(); ++place) {
        const OverviewBundle& bundle = bundles[place];
        ofGroup[bundle.group] += bundle.eclasses;
        if (bundle.eclasses > 0)
            scene->boxes.push_back(boxOfBundle(bundle, place, places.cell(bundle.first)));
    }
    overview.blocks = scene->boxes.size();
    for (std::size_t group = 0; group < ofGroup.size(); ++group)
        if (ofGroup[group] > 0)
            scene->frames.push_back(frameOfBundles(overview.made.groups[group], group,
                                                   places.groups()[group].frame, ofGroup[group]));
    std::size_t drawn = 0;
    std::vector<SceneEdge> chosen;
    for (const BundleEdge& edge : edgesOf(index, part, overview.made)) {
        if (!edge.chosen && drawn >= kMostBundleEdges)
            continue;
        const SceneEdge line = lineBetween(places.cell(bundles[edge.from].first),
                                           places.cell(bundles[edge.to].first), edge);
        (edge.chosen ? chosen : scene->edges).push_back(line);
        drawn += edge.chosen ? 0 : 1;
    }
    // The last ones are on top.
    scene->edges.insert(scene->edges.end(), chosen.begin(), chosen.end());
    overview.scene = std::move(scene);
    return overview;
}

} // namespace marquetry::widgets
