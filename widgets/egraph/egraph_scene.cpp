#include "widgets/egraph/egraph_scene.h"

#include "widgets/graph_layout/layered_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <limits>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

constexpr double kFocusFont = 12;    ///< pixels
constexpr double kOverviewFont = 11; ///< pixels
constexpr double kBoxHeight = 30;
constexpr double kBlockHeight = 24;
constexpr double kStubHeight = 17;
constexpr qsizetype kMaxLabel = 30;
constexpr double kChosenWeight = 8;

QFontMetricsF metrics(double pixels, bool bold) {
    QFont font = textFont(10);
    font.setPixelSize(static_cast<int>(pixels));
    font.setBold(bold);
    return QFontMetricsF(font);
}

QString cut(const QString& text) {
    if (text.size() <= kMaxLabel)
        return text;
    const qsizetype half = kMaxLabel / 2 - 1;
    return text.left(half) + QChar(u'…') + text.right(half);
}

Role tintOf(const egraph::FrozenEGraph& view, EClassId eclass) {
    const std::string& sort = view.language().sortName(view.sort(eclass));
    return sort == "unit" ? Role::UnitTint : sort == "stored" ? Role::StoredTint : Role::ValueTint;
}

QString stubText(std::size_t hidden) {
    return QStringLiteral("+%1").arg(hidden);
}

/// Texts and widths of blocks, measured once per operator and count.
class BlockTexts {
public:
    struct Entry {
        QString text;
        double width = 0;
    };

    const Entry& of(const egraph::FrozenEGraph& view, ENodeId head, std::size_t enodes) {
        const auto key = std::pair(view.op(head), enodes);
        const auto [found, isNew] = entries_.try_emplace(key);
        if (isNew) {
            QString text = cut(QString::fromStdString(view.opName(head)));
            if (enodes > 1)
                text += QStringLiteral(" +%1").arg(enodes - 1);
            found->second = {text, metrics_.horizontalAdvance(text) + 18};
        }
        return found->second;
    }

private:
    QFontMetricsF metrics_ = metrics(kOverviewFont, true);
    std::map<std::pair<egraph::OpId, std::size_t>, Entry> entries_;
};

class OverviewBuilder {
public:
    OverviewBuilder(const SnapshotIndex& index, const std::map<EClassId, double>& lastX,
                    const EGraphFilter& filter)
        : index_(index), view_(*index.egraph()), part_(index, filter), lastX_(lastX) {}

    Overview run() {
        scene_->fontSize = kOverviewFont;
        addBlocks();
        addEdges();
        const LayeredResult layout = layeredLayout(graph_);
        for (std::size_t k = 0; k < scene_->boxes.size(); ++k) {
            SceneBox& box = scene_->boxes[k];
            box.rect.moveCenter(layout.centres[k]);
            overview_.x.emplace_hint(overview_.x.end(), part_.eclasses()[k], layout.centres[k].x());
        }
        drawEdges();
        overview_.scene = scene_;
        overview_.enodes = part_.enodeCount();
        return std::move(overview_);
    }

private:
    void addBlocks() {
        BlockTexts texts;
        place_.resize(view_.totalEnodes(), 0);
        for (const EClassId id : part_.eclasses()) {
            place_[id.index()] = static_cast<std::uint32_t>(scene_->boxes.size());
            const std::vector<ENodeId> members = part_.enodes(id);
            const auto taken =
                std::ranges::find_if(members, [&](ENodeId n) { return index_.chosen(n); });
            const bool chosen = taken != members.end();
            const ENodeId head = chosen ? *taken : members.front();
            const BlockTexts::Entry& entry = texts.of(view_, head, members.size());
            SceneBox box;
            box.rect = QRectF(0, 0, entry.width, kBlockHeight);
            box.text = entry.text;
            box.fill = chosen ? Role::Chosen : tintOf(view_, id);
            box.line = chosen ? Role::ChosenLine : Role::Line;
            box.ink = chosen ? Role::ChosenInk : Role::Ink;
            box.bold = chosen;
            box.lineWidth = chosen ? 1.6 : 0.8;
            if (index_.shared(id)) {
                box.line = Role::Shared;
                box.dash = Dash::Dashed;
                box.lineWidth = 3;
            }
            box.badge = index_.pinned(id) ||
                        std::ranges::any_of(members, [&](ENodeId n) { return index_.pinned(n); });
            box.key = keyOf(id);
            scene_->boxes.push_back(std::move(box));
            graph_.sizes.push_back(QSizeF(entry.width, kBlockHeight));
            const auto last = lastX_.find(id);
            graph_.previousX.push_back(
                last == lastX_.end() ? std::numeric_limits<double>::quiet_NaN() : last->second);
        }
    }

    void addEdges() {
        for (const EClassId id : part_.eclasses())
            for (const ENodeId node : part_.enodes(id))
                for (const EClassId child : view_.children(node))
                    if (child != id && part_.shows(child))
                        graph_.edges.emplace_back(place_[id.index()], place_[child.index()]);
        std::ranges::sort(graph_.edges);
        graph_.edges.erase(std::unique(graph_.edges.begin(), graph_.edges.end()),
                           graph_.edges.end());
    }

    bool chosenEdge(const BlockEdge& edge) const {
        const EClassId from = part_.eclasses()[edge.first];
        const EClassId to = part_.eclasses()[edge.second];
        if (!index_.chosen(from) || !index_.chosen(to))
            return false;
        return std::ranges::any_of(view_.enodes(from), [&](ENodeId node) {
            return index_.chosen(node) &&
                   std::ranges::find(view_.children(node), to) != view_.children(node).end();
        });
    }

    /// Short edges come later than long ones, so that they win when not all can be drawn.
    void drawEdges() {
        for (const BlockEdge& edge : graph_.edges) {
            const QRectF& from = scene_->boxes[edge.first].rect;
            const QRectF& to = scene_->boxes[edge.second].rect;
            SceneEdge line;
            line.points = QPolygonF(
                {QPointF(from.center().x(), from.bottom()), QPointF(to.center().x(), to.top())});
            line.width = 0.8;
            if (chosenEdge(edge)) {
                line.line = Role::ChosenLine;
                line.width = 2.6;
            }
            scene_->edges.push_back(std::move(line));
        }
        const auto rank = [](const SceneEdge& edge) {
            const QPointF way = edge.points[1] - edge.points[0];
            return std::pair(edge.line == Role::ChosenLine, -way.manhattanLength());
        };
        std::ranges::stable_sort(scene_->edges, {}, rank);
    }

    const SnapshotIndex& index_;
    const egraph::FrozenEGraph& view_;
    const ShownPart part_;
    const std::map<EClassId, double>& lastX_;
    std::shared_ptr<Scene> scene_ = std::make_shared<Scene>();
    LayeredGraph graph_;
    std::vector<std::uint32_t> place_; ///< block by class id
    Overview overview_;
};

SceneBox frameOf(const SnapshotIndex& index, EClassId id, const QRectF& rect) {
    SceneBox frame;
    frame.rect = rect;
    frame.radius = 9;
    frame.fill = Role::Raised;
    frame.dash = Dash::Dotted;
    frame.lineWidth = 1.2;
    frame.caption = QStringLiteral("c%1").arg(id.value());
    if (const std::string name = index.unitName(id); !name.empty())
        frame.caption += QStringLiteral(" · ") + QString::fromStdString(name);
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

/// A tab on the lower edge of the frame.
SceneBox stubBox(const FocusClass& eclass, const QRectF& frame, const QFontMetricsF& measure) {
    SceneBox box;
    box.text = stubText(eclass.hidden);
    const QSizeF size(measure.horizontalAdvance(box.text) + 10, kStubHeight);
    box.rect = QRectF(frame.bottomRight() - QPointF(size.width() - 10, size.height() / 2), size);
    box.line = Role::Muted;
    box.ink = Role::Muted;
    box.dash = Dash::Dotted;
    box.key = eclass.id.value() | kStubBit;
    return box;
}

} // namespace

Subject subjectOf(std::uint32_t key) {
    if (key == kNoKey)
        return {};
    if ((key & kClassBit) != 0)
        return EClassId{static_cast<std::uint32_t>(key & ~kStubBit)};
    return ENodeId{key};
}

QString enodeLabel(const egraph::FrozenEGraph& view, ENodeId node) {
    return cut(QString::fromStdString(termName(view, node)));
}

Overview overviewScene(const SnapshotIndex& index, const std::map<EClassId, double>& lastX,
                       const EGraphFilter& filter) {
    return OverviewBuilder(index, lastX, filter).run();
}

ClusterGraph clusterGraph(const SnapshotIndex& index, const Focus& focus) {
    ClusterGraph graph;
    graph.clusters = static_cast<std::uint32_t>(focus.classes.size());
    const QFontMetricsF measure = metrics(kFocusFont, true);
    const auto add = [&](const QString& text, std::size_t cluster) {
        graph.nodes.push_back({QSizeF(measure.horizontalAdvance(text) + 22, kBoxHeight),
                               static_cast<std::uint32_t>(cluster)});
    };
    for (std::size_t c = 0; c < focus.classes.size(); ++c)
        for (const ENodeId node : focus.classes[c].shown)
            add(enodeLabel(*index.egraph(), node), c);
    for (const FocusEdge& edge : focus.edges)
        graph.edges.push_back({static_cast<std::uint32_t>(edge.from),
                               static_cast<std::uint32_t>(edge.to),
                               edge.chosen ? kChosenWeight : 1});
    return graph;
}

std::shared_ptr<const Scene> focusScene(const SnapshotIndex& index, const Focus& focus,
                                        const ClusterDrawing& drawing) {
    auto scene = std::make_shared<Scene>();
    scene->fontSize = kFocusFont;
    const ClusterGraph graph = clusterGraph(index, focus);
    std::size_t number = 0;
    for (std::size_t c = 0; c < focus.classes.size(); ++c) {
        scene->frames.push_back(frameOf(index, focus.classes[c].id, drawing.clusters[c]));
        for (const ENodeId node : focus.classes[c].shown) {
            scene->boxes.push_back(
                enodeBox(index, node, drawing.nodes[number], graph.nodes[number].size));
            ++number;
        }
    }
    const QFontMetricsF measure = metrics(kFocusFont, false);
    for (std::size_t c = 0; c < focus.classes.size(); ++c)
        if (focus.classes[c].hidden > 0)
            scene->boxes.push_back(stubBox(focus.classes[c], drawing.clusters[c], measure));
    for (const bool chosen : {false, true})
        for (std::size_t e = 0; e < focus.edges.size(); ++e)
            if (focus.edges[e].chosen == chosen)
                scene->edges.push_back({drawing.edges[e], chosen ? Role::ChosenLine : Role::Line,
                                        chosen ? 2.6 : 1.1, true});
    return scene;
}

} // namespace marquetry::widgets
