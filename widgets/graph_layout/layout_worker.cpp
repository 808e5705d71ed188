#include "widgets/graph_layout/layout_worker.h"

#include "widgets/graph_layout/cluster_graph.h"

#include <QtEndian>

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace marquetry::widgets {

namespace {

constexpr double kPointsPerInch = 72;
constexpr std::size_t kRow = 3;     ///< nodes of a cluster that lie side by side
constexpr std::size_t kColumns = 2; ///< of a cluster with more

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4f", value);
    return text;
}

/// Graphviz takes non-const strings everywhere and copies them.
void set(void* object, const char* name, const std::string& value) {
    std::string attribute = name;
    std::string text = value;
    std::string standard;
    agsafeset(object, attribute.data(), text.data(), standard.data());
}

class DotLayout {
public:
    DotLayout(GVC_t* context, const ClusterGraph& input)
        : context_(context), input_(input), loops_(input.edges.size(), false) {}
    DotLayout(const DotLayout&) = delete;
    DotLayout& operator=(const DotLayout&) = delete;
    ~DotLayout() { agclose(graph_); }

    ClusterDrawing run() {
        ClusterDrawing drawing;
        drawing.ticket = input_.ticket;
        build();
        char engine[] = "dot";
        if (gvLayout(context_, graph_, engine) != 0) {
            drawing.error = QStringLiteral("dot refused the graph");
            return drawing;
        }
        read(drawing);
        gvFreeLayout(context_, graph_);
        return drawing;
    }

private:
    void build() {
        for (const auto& [name, value] : {std::pair{"compound", "true"},
                                          {"rankdir", "TB"},
                                          {"nodesep", "0.3"},
                                          {"ranksep", "0.75"},
                                          {"splines", "spline"},
                                          {"nslimit", "40"},
                                          {"nslimit1", "40"}})
            set(graph_, name, value);
        addClusters();
        addNodes();
        addEdges();
    }

    void addClusters() {
        for (std::uint32_t c = 0; c < input_.clusters; ++c) {
            std::string name = "cluster_" + std::to_string(c);
            clusters_.push_back(agsubg(graph_, name.data(), 1));
            set(clusters_.back(), "margin", number(kClusterMargin));
        }
        first_.assign(input_.clusters, nullptr);
        members_.resize(input_.clusters);
    }

    void addNodes() {
        for (std::size_t k = 0; k < input_.nodes.size(); ++k) {
            const ClusterNode& node = input_.nodes[k];
            std::string name = "n" + std::to_string(k);
            Agnode_t* made = agnode(clusters_[node.cluster], name.data(), 1);
            set(made, "shape", "box");
            set(made, "fixedsize", "true");
            set(made, "label", "");
            set(made, "width", number(node.size.width() / kPointsPerInch));
            set(made, "height", number(node.size.height() / kPointsPerInch));
            nodes_.push_back(made);
            if (first_[node.cluster] == nullptr)
                first_[node.cluster] = made;
            members_[node.cluster].push_back(made);
        }
        for (const auto& members : members_)
            stack(members);
    }

    /// Classes of many e-nodes become blocks of a few columns: invisible edges hold the rows apart.
    void stack(const std::vector<Agnode_t*>& members) {
        const std::size_t columns = members.size() <= kRow ? members.size() : kColumns;
        for (std::size_t k = columns; k < members.size(); ++k) {
            std::string name = "stack" + std::to_string(AGSEQ(members[k]));
            Agedge_t* made = agedge(graph_, members[k - columns], members[k], name.data(), 1);
            set(made, "style", "invis");
            set(made, "weight", "4");
        }
    }

    /// dot complains about an edge into the cluster its tail lies in, and draws nothing useful:
    /// such an edge is left out here and drawn as a loop by read().
    void addEdges() {
        for (std::size_t k = 0; k < input_.edges.size(); ++k) {
            const ClusterEdge& edge = input_.edges[k];
            Agedge_t* made = nullptr;
            loops_[k] = input_.nodes[edge.from].cluster == edge.to;
            if (!loops_[k] && first_[edge.to] != nullptr) {
                std::string name = "e" + std::to_string(k);
                made = agedge(graph_, nodes_[edge.from], first_[edge.to], name.data(), 1);
                set(made, "lhead", "cluster_" + std::to_string(edge.to));
                set(made, "weight", std::to_string(static_cast<int>(edge.weight)));
            }
            edges_.push_back(made);
        }
    }

    QPointF place(pointf point) const { return {point.x, top_ - point.y}; }

    void read(ClusterDrawing& drawing) {
        top_ = GD_bb(graph_).UR.y;
        for (Agnode_t* node : nodes_)
            drawing.nodes.push_back(place(ND_coord(node)));
        for (std::uint32_t c = 0; c < input_.clusters; ++c) {
            const boxf box = GD_bb(clusters_[c]);
            drawing.clusters.push_back(
                first_[c] == nullptr
                    ? QRectF()
                    : QRectF(place(pointf{box.LL.x, box.UR.y}), place(pointf{box.UR.x, box.LL.y})));
        }
        for (std::size_t k = 0; k < edges_.size(); ++k)
            drawing.edges.push_back(edgePoints(k));
    }

    QPolygonF edgePoints(std::size_t index) const {
        const ClusterNode& node = input_.nodes[input_.edges[index].from];
        if (loops_[index]) {
            const QPointF foot = place(ND_coord(nodes_[input_.edges[index].from])) +
                                 QPointF(node.size.width() / 2, node.size.height() / 4);
            return QPolygonF(
                {foot, foot + QPointF(12, -4), foot + QPointF(12, 12), foot + QPointF(2, 5)});
        }
        QPolygonF points;
        const splines* curve = edges_[index] == nullptr ? nullptr : ED_spl(edges_[index]);
        if (curve == nullptr || curve->size == 0)
            return points;
        const bezier& piece = curve->list[0];
        for (int k = 0; k < piece.size; ++k)
            points.append(place(piece.list[k]));
        // dot ends the curve where its own arrow head begins; ours is drawn at the last point.
        if (piece.eflag != 0 && !points.isEmpty())
            points.last() = place(piece.ep);
        return points;
    }

    GVC_t* context_;
    const ClusterGraph& input_;
    char name_[10] = "focus";
    Agraph_t* graph_ = agopen(name_, Agdirected, nullptr);
    std::vector<Agraph_t*> clusters_;
    std::vector<Agnode_t*> nodes_;
    std::vector<Agnode_t*> first_;
    std::vector<std::vector<Agnode_t*>> members_; ///< by cluster
    std::vector<Agedge_t*> edges_;
    std::vector<bool> loops_;
    double top_ = 0;
};

bool readAll(char* into, std::size_t bytes) {
    return std::fread(into, 1, bytes, stdin) == bytes;
}

enum class Received { Message, End, Broken };

Received receive(QByteArray& payload) {
    char prefix[4];
    const std::size_t got = std::fread(prefix, 1, sizeof prefix, stdin);
    if (got == 0)
        return Received::End;
    const auto length = qFromBigEndian<quint32>(prefix);
    if (got != sizeof prefix || length > kMaxMessage)
        return Received::Broken;
    payload.resize(static_cast<qsizetype>(length));
    return readAll(payload.data(), length) ? Received::Message : Received::Broken;
}

} // namespace

int runLayoutWorker() {
    GVC_t* context = gvContext();
    QByteArray payload;
    for (;;) {
        const Received received = receive(payload);
        if (received == Received::End)
            return 0; // the context lives as long as the process: freeing it is unsafe
        const auto graph =
            received == Received::Message ? decodeGraph(payload) : std::optional<ClusterGraph>();
        if (!graph) {
            std::fputs("layout worker: malformed message\n", stderr);
            return 2;
        }
        const QByteArray answer = framed(encode(DotLayout(context, *graph).run()));
        std::fwrite(answer.constData(), 1, static_cast<std::size_t>(answer.size()), stdout);
        std::fflush(stdout);
    }
}

} // namespace marquetry::widgets
