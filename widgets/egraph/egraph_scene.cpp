#include "widgets/egraph/egraph_scene.h"

#include "widgets/egraph/labels.h"
#include "widgets/egraph/overview_groups.h"
#include "widgets/egraph/subject_key.h"

#include <algorithm>
#include <map>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

constexpr double kFocusFont = 12; ///< pixels
constexpr double kBoxHeight = 26;
constexpr double kStubHeight = 16;
constexpr double kClassMargin = 8;
constexpr double kChosenWeight = 8;
constexpr qsizetype kNamesOfChain = 5;

QString stubText(std::size_t hidden) {
    return QStringLiteral("+%1").arg(hidden);
}

/// "c12 · Mv 64×576"
QString captionOf(const SnapshotIndex& index, EClassId id) {
    const QString number = QStringLiteral("c%1").arg(id.value());
    const std::string name = index.unitName(id);
    return name.empty() ? number : number + QStringLiteral(" · ") + QString::fromStdString(name);
}

/// "call conv ▸ Conv ▸ TiledMv": operators without their parameters.
QString chainLabel(const SnapshotIndex& index, const Focus& focus,
                   const std::vector<std::size_t>& block) {
    QStringList names;
    for (const std::size_t c : block)
        names << QString::fromStdString(index.egraph()->opName(focus.classes[c].shown.front()));
    if (names.size() > kNamesOfChain)
        names = {names[0], names[1], QStringLiteral("…"), names[names.size() - 2], names.back()};
    return names.join(QStringLiteral(" ▸ "));
}

SceneBox frameOf(const SnapshotIndex& index, EClassId id, const QRectF& rect) {
    SceneBox frame;
    frame.rect = rect;
    frame.radius = 9;
    frame.fill = Role::Raised;
    frame.dash = Dash::Dotted;
    frame.lineWidth = 1.2;
    frame.caption = captionOf(index, id);
    if (index.shared(id)) {
        frame.line = Role::Shared;
        frame.dash = Dash::Dashed;
        frame.lineWidth = 3;
    }
    frame.badge = index.pinned(id);
    frame.key = keyOf(id);
    return frame;
}

SceneBox enodeBox(const SnapshotIndex& index, ENodeId node, QPointF centre, QSizeF size) {
    SceneBox box;
    box.rect = QRectF(centre - QPointF(size.width() / 2, size.height() / 2), size);
    box.text = enodeLabel(*index.egraph(), node);
    box.line = Role::Ink;
    box.key = keyOf(node);
    box.badge = index.pinned(node);
    if (index.chosen(node)) {
        box.fill = Role::Chosen;
        box.line = Role::ChosenLine;
        box.ink = Role::ChosenInk;
        box.lineWidth = 2.6;
        box.bold = true;
    }
    return box;
}

QSizeF stubSize(std::size_t hidden, const QFontMetricsF& measure) {
    return {measure.horizontalAdvance(stubText(hidden)) + 12, kStubHeight};
}

/// A tab in the frame's header.
SceneBox stubBox(const FocusClass& eclass, const QRectF& frame, const QFontMetricsF& measure) {
    SceneBox box;
    box.text = stubText(eclass.hidden);
    const QSizeF size = stubSize(eclass.hidden, measure);
    box.rect = QRectF(frame.topRight() + QPointF(-size.width() - 4, 3), size);
    box.line = Role::Muted;
    box.ink = Role::Muted;
    box.dash = Dash::Dotted;
    box.key = stubKeyOf(eclass.id);
    return box;
}

/// A folded chain: one box, drawn like the e-nodes in it.
SceneBox chainBox(const SnapshotIndex& index, const Focus& focus,
                  const std::vector<std::size_t>& block, const QRectF& rect) {
    SceneBox box =
        enodeBox(index, focus.classes[block.front()].shown.front(), rect.center(), rect.size());
    box.text = chainLabel(index, focus, block);
    box.key = keyOf(focus.classes[block.front()].id);
    const bool chosen = std::ranges::all_of(
        block, [&](std::size_t c) { return index.chosen(focus.classes[c].shown.front()); });
    if (!chosen) {
        box.fill = Role::Paper;
        box.line = Role::Ink;
        box.ink = Role::Ink;
        box.lineWidth = 1;
        box.bold = false;
    }
    return box;
}

/// By class: its place in the program if it has a layer's call, else behind all that have.
std::map<EClassId, std::uint32_t> callOrder(const SnapshotIndex& index) {
    std::map<EClassId, std::uint32_t> order;
    for (const std::string& layer : layersInOrder(index))
        order.emplace(index.egraph()->eclassOf(*index.callNode(layer)),
                      static_cast<std::uint32_t>(order.size()));
    return order;
}

/// By e-node of the focus, in order: the node of the graph that stands for it.
std::vector<std::uint32_t> nodesOf(const Focus& focus) {
    std::vector<std::uint32_t> first(focus.classes.size(), 0);
    std::uint32_t next = 0;
    for (const std::vector<std::size_t>& block : focus.blocks) {
        for (const std::size_t c : block)
            first[c] = next;
        next += block.size() > 1
                    ? 1
                    : static_cast<std::uint32_t>(focus.classes[block.front()].shown.size());
    }
    std::vector<std::uint32_t> nodes;
    for (std::size_t c = 0; c < focus.classes.size(); ++c)
        for (std::uint32_t k = 0; k < focus.classes[c].shown.size(); ++k)
            nodes.push_back(first[c] + k);
    return nodes;
}

/// By class: the cluster that holds it.
std::vector<std::uint32_t> clustersOf(const Focus& focus) {
    std::vector<std::uint32_t> clusters(focus.classes.size(), 0);
    for (std::uint32_t b = 0; b < focus.blocks.size(); ++b)
        for (const std::size_t c : focus.blocks[b])
            clusters[c] = b;
    return clusters;
}

/// The edges that lead from a block to another, or from a class to itself.
template <class Use>
void eachEdge(const Focus& focus, Use use) {
    const std::vector<std::uint32_t> nodes = nodesOf(focus);
    const std::vector<std::uint32_t> clusters = clustersOf(focus);
    std::vector<std::size_t> classOf;
    for (std::size_t c = 0; c < focus.classes.size(); ++c)
        classOf.insert(classOf.end(), focus.classes[c].shown.size(), c);
    for (const FocusEdge& edge : focus.edges)
        if (clusters[classOf[edge.from]] != clusters[edge.to] ||
            focus.blocks[clusters[edge.to]].size() == 1)
            use(nodes[edge.from], clusters[edge.to], edge.chosen);
}

} // namespace

ClusterGraph clusterGraph(const SnapshotIndex& index, const Focus& focus, QSizeF wanted) {
    ClusterGraph graph;
    if (!wanted.isEmpty())
        graph.wanted = wanted;
    const QFontMetricsF measure = letterMetrics(kFocusFont, true);
    const std::map<EClassId, std::uint32_t> order = callOrder(index);
    const auto add = [&](const QString& text) {
        graph.nodes.push_back({QSizeF(measure.horizontalAdvance(text) + 20, kBoxHeight),
                               static_cast<std::uint32_t>(graph.clusters.size() - 1)});
    };
    for (const std::vector<std::size_t>& block : focus.blocks) {
        const FocusClass& first = focus.classes[block.front()];
        auto number = static_cast<std::uint32_t>(order.size() + block.front());
        for (const std::size_t c : block)
            if (const auto place = order.find(focus.classes[c].id); place != order.end())
                number = std::min(number, place->second);
        if (block.size() > 1) {
            graph.clusters.push_back({QSizeF(0, 0), 0, number});
            add(chainLabel(index, focus, block));
            continue;
        }
        double header =
            letterMetrics(kFocusFont, false).horizontalAdvance(captionOf(index, first.id));
        if (first.hidden > 0)
            header += stubSize(first.hidden, measure).width();
        graph.clusters.push_back({QSizeF(header, kCaptionHeight + 4), kClassMargin, number});
        for (const ENodeId node : first.shown)
            add(enodeLabel(*index.egraph(), node));
    }
    eachEdge(focus, [&](std::uint32_t from, std::uint32_t to, bool chosen) {
        graph.edges.push_back({from, to, chosen ? kChosenWeight : 1});
    });
    return graph;
}

std::shared_ptr<const Scene> focusScene(const SnapshotIndex& index, const Focus& focus,
                                        const ClusterDrawing& drawing) {
    auto scene = std::make_shared<Scene>();
    scene->fontSize = kFocusFont;
    const ClusterGraph graph = clusterGraph(index, focus, {});
    const QFontMetricsF measure = letterMetrics(kFocusFont, true);
    std::size_t number = 0;
    for (std::size_t b = 0; b < focus.blocks.size(); ++b) {
        const std::vector<std::size_t>& block = focus.blocks[b];
        if (block.size() > 1) {
            scene->boxes.push_back(chainBox(index, focus, block, drawing.clusters[b]));
            ++number;
            continue;
        }
        const FocusClass& eclass = focus.classes[block.front()];
        scene->frames.push_back(frameOf(index, eclass.id, drawing.clusters[b]));
        if (eclass.hidden > 0) {
            scene->boxes.push_back(stubBox(eclass, drawing.clusters[b], measure));
            scene->frames.back().captionRoom =
                drawing.clusters[b].width() - scene->boxes.back().rect.width();
        }
        for (const ENodeId node : eclass.shown) {
            scene->boxes.push_back(
                enodeBox(index, node, drawing.nodes[number], graph.nodes[number].size));
            ++number;
        }
    }
    std::vector<SceneEdge> chosenEdges;
    std::size_t e = 0;
    eachEdge(focus, [&](std::uint32_t, std::uint32_t, bool chosen) {
        (chosen ? chosenEdges : scene->edges)
            .push_back({drawing.edges[e++], chosen ? Role::ChosenLine : Role::Line,
                        chosen ? 2.6 : 1.1, true});
    });
    scene->edges.insert(scene->edges.end(), chosenEdges.begin(), chosenEdges.end());
    return scene;
}

} // namespace marquetry::widgets
