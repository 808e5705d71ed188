#include "widgets/egraph/overview_scene.h"

#include "widgets/canvas/scene_painter.h"
#include "widgets/egraph/labels.h"
#include "widgets/egraph/subject_key.h"
#include "widgets/graph_layout/layered_layout.h"
#include "widgets/text/number_text.h"

#include <algorithm>
#include <limits>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

constexpr double kOverviewFont = 11;                        ///< pixels
constexpr double kReadable = kSmallestText / kOverviewFont; ///< scale

class OverviewBuilder {
public:
    OverviewBuilder(const SnapshotIndex& index, OverviewMemory& memory, const EGraphFilter& filter)
        : index_(index), view_(*index.egraph()), part_(index, filter), memory_(memory) {}

    Overview run() {
        scene_->fontSize = kOverviewFont;
        addBlocks();
        addEdges();
        const std::vector<OverviewGroup> groups = overviewGroups(index_);
        if (groups.empty())
            placeInLayers();
        else
            placeInGroups(groups);
        drawEdges(groups.empty() ? 0 : kReadable);
        return {scene_, part_.enodeCount(), part_.eclasses().size()};
    }

private:
    void addBlocks() {
        place_.resize(view_.totalEnodes(), 0);
        for (const EClassId id : part_.eclasses()) {
            place_[id.index()] = static_cast<std::uint32_t>(scene_->boxes.size());
            const std::vector<ENodeId> members = part_.enodes(id);
            const bool chosen =
                std::ranges::any_of(members, [&](ENodeId n) { return index_.chosen(n); });
            SceneBox box;
            box.rect = QRectF(QPointF(), kCell);
            box.text = eclassLabel(index_, id, members);
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
        }
    }

    void addEdges() {
        for (const EClassId id : part_.eclasses())
            for (const ENodeId node : part_.enodes(id))
                for (const EClassId child : view_.children(node))
                    if (child != id && part_.shows(child))
                        edges_.emplace_back(place_[id.index()], place_[child.index()]);
        std::ranges::sort(edges_);
        edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    }

    void placeInGroups(const std::vector<OverviewGroup>& groups) {
        memory_.places.follow(groups);
        for (std::size_t k = 0; k < scene_->boxes.size(); ++k)
            scene_->boxes[k].rect = memory_.places.cell(part_.eclasses()[k]);
        for (std::size_t k = 0; k < groups.size(); ++k) {
            const auto shown = std::ranges::count_if(groups[k].classes,
                                                     [&](EClassId id) { return part_.shows(id); });
            if (shown == 0)
                continue;
            SceneBox frame;
            frame.rect = memory_.places.groups()[k].frame;
            frame.fill = Role::Raised;
            frame.key = static_cast<std::uint32_t>(k) | kGroupBit;
            frame.line = groups[k].written ? Role::Line : Role::None;
            frame.title = QString::fromStdString(groups[k].name);
            if (!groups[k].written)
                frame.title += QObject::tr(" by rules");
            frame.title += QStringLiteral(" · ") + grouped(shown);
            scene_->frames.push_back(std::move(frame));
        }
    }

    void placeInLayers() {
        LayeredGraph graph;
        graph.edges = edges_;
        graph.sizes.assign(scene_->boxes.size(), kCell);
        for (const EClassId id : part_.eclasses()) {
            const auto last = memory_.x.find(id);
            graph.previousX.push_back(
                last == memory_.x.end() ? std::numeric_limits<double>::quiet_NaN() : last->second);
        }
        const LayeredResult layout = layeredLayout(graph);
        memory_.x.clear();
        for (std::size_t k = 0; k < scene_->boxes.size(); ++k) {
            scene_->boxes[k].rect.moveCenter(layout.centres[k]);
            memory_.x.emplace_hint(memory_.x.end(), part_.eclasses()[k], layout.centres[k].x());
        }
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
    void drawEdges(double fromScale) {
        for (const BlockEdge& edge : edges_) {
            const QRectF& from = scene_->boxes[edge.first].rect;
            const QRectF& to = scene_->boxes[edge.second].rect;
            const bool down = from.center().y() <= to.center().y();
            SceneEdge line;
            line.points = QPolygonF({QPointF(from.center().x(), down ? from.bottom() : from.top()),
                                     QPointF(to.center().x(), down ? to.top() : to.bottom())});
            line.width = 0.8;
            line.fromScale = fromScale;
            line.arrow = fromScale == 0; // heads would lie on the names of close blocks
            if (chosenEdge(edge)) {
                line.line = Role::ChosenLine;
                line.width = 2.6;
                line.fromScale = 0;
                line.arrow = true;
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
    OverviewMemory& memory_;
    std::shared_ptr<Scene> scene_ = std::make_shared<Scene>();
    std::vector<BlockEdge> edges_;     ///< between blocks, each once
    std::vector<std::uint32_t> place_; ///< block by class id
};

} // namespace

Overview overviewScene(const SnapshotIndex& index, OverviewMemory& memory,
                       const EGraphFilter& filter) {
    return OverviewBuilder(index, memory, filter).run();
}

} // namespace marquetry::widgets
