#include "widgets/graph_layout/layout_worker.h"

#include "widgets/graph_layout/cluster_graph.h"

#include <QtEndian>

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace marquetry::widgets {

namespace {

constexpr double kPointsPerInch = 72;
constexpr std::size_t kFewSources = 6;  ///< are not worth wrapping
constexpr std::size_t kManyEdges = 300; ///< take dot long

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

/// The clusters that no edge of another leads to, in their order.
std::vector<std::uint32_t> sourcesOf(const ClusterGraph& graph,
                                     const std::vector<ClusterShape>& shapes) {
    std::vector<bool> reached(graph.clusters.size(), false);
    for (const ClusterEdge& edge : graph.edges)
        if (graph.nodes[edge.from].cluster != edge.to)
            reached[edge.to] = true;
    std::vector<std::uint32_t> sources;
    for (std::uint32_t c = 0; c < graph.clusters.size(); ++c)
        if (!reached[c] && !shapes[c].nodes.empty())
            sources.push_back(c);
    std::ranges::stable_sort(sources, {}, [&](std::uint32_t c) { return graph.clusters[c].order; });
    return sources;
}

/// How dot is asked: which way edges lead, and in how many columns (or rows) the clusters lie that
/// no edge leads to.
struct Attempt {
    bool across = true; ///< edges lead from left to right, else downwards
    std::size_t columns = 1;
};

/// Clusters are boxes of fixed size for dot, so that edges go around them with all they hold.
class DotLayout {
public:
    DotLayout(GVC_t* context, const ClusterGraph& input, const std::vector<ClusterShape>& shapes,
              Attempt attempt)
        : context_(context), input_(input), shapes_(shapes), attempt_(attempt) {}
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
        for (const auto& [name, value] : {std::pair{"rankdir", attempt_.across ? "LR" : "TB"},
                                          {"nodesep", "0.14"},
                                          {"ranksep", attempt_.across ? "0.6" : "0.45"},
                                          {"splines", "spline"},
                                          {"nslimit", "40"},
                                          {"nslimit1", "40"}})
            set(graph_, name, value);
        addClusters();
        addEdges();
        addOrder();
    }

    void addClusters() {
        for (std::size_t c = 0; c < shapes_.size(); ++c) {
            clusters_.push_back(nullptr);
            if (shapes_[c].nodes.empty())
                continue;
            std::string name = "c" + std::to_string(c);
            Agnode_t* made = agnode(graph_, name.data(), 1);
            set(made, "shape", "box");
            set(made, "fixedsize", "true");
            set(made, "label", "");
            set(made, "width", number(shapes_[c].size.width() / kPointsPerInch));
            set(made, "height", number(shapes_[c].size.height() / kPointsPerInch));
            clusters_.back() = made;
        }
    }

    std::uint32_t tailOf(const ClusterEdge& edge) const { return input_.nodes[edge.from].cluster; }

    /// Edges within a cluster are drawn as loops by read(); parallel ones are one for dot.
    void addEdges() {
        for (std::size_t k = 0; k < input_.edges.size(); ++k) {
            const ClusterEdge& edge = input_.edges[k];
            Agedge_t* made = nullptr;
            if (tailOf(edge) != edge.to && clusters_[edge.to] != nullptr) {
                Agedge_t*& known = between_[{tailOf(edge), edge.to}];
                if (known == nullptr) {
                    std::string name = "e" + std::to_string(k);
                    known =
                        agedge(graph_, clusters_[tailOf(edge)], clusters_[edge.to], name.data(), 1);
                }
                made = known;
                set(made, "tailport", attempt_.across ? "e" : "s");
                set(made, "headport", attempt_.across ? "w" : "n");
                set(made, "weight", std::to_string(static_cast<int>(edge.weight)));
            }
            edges_.push_back(made);
        }
    }

    /// Invisible edges hold those that no edge leads to in their order, column by column.
    void addOrder() {
        const std::vector<std::uint32_t> sources = sourcesOf(input_, shapes_);
        const std::size_t rows = (sources.size() + attempt_.columns - 1) / attempt_.columns;
        Agraph_t* column = nullptr;
        for (std::size_t k = 0; k < sources.size(); ++k) {
            Agnode_t* node = clusters_[sources[k]];
            std::string name = "order" + std::to_string(k);
            if (k % rows == 0) {
                column = agsubg(graph_, name.data(), 1);
                set(column, "rank", "same");
            }
            agsubnode(column, node, 1);
            const std::size_t before = k % rows == 0 ? k - rows : k - 1;
            if (k == 0)
                continue;
            Agedge_t* made = agedge(graph_, clusters_[sources[before]], node, name.data(), 1);
            set(made, "style", "invis"); // dot orders by edges that have a weight
        }
    }

    QPointF place(pointf point) const { return {point.x, top_ - point.y}; }

    void read(ClusterDrawing& drawing) {
        top_ = GD_bb(graph_).UR.y;
        drawing.nodes.resize(input_.nodes.size());
        for (std::size_t c = 0; c < shapes_.size(); ++c) {
            drawing.clusters.emplace_back();
            if (clusters_[c] == nullptr)
                continue;
            const QSizeF size = shapes_[c].size;
            const QPointF corner =
                place(ND_coord(clusters_[c])) - QPointF(size.width() / 2, size.height() / 2);
            drawing.clusters.back() = QRectF(corner, size);
            for (std::size_t k = 0; k < shapes_[c].nodes.size(); ++k)
                drawing.nodes[shapes_[c].nodes[k]] = corner + shapes_[c].centres[k];
        }
        for (std::size_t k = 0; k < edges_.size(); ++k)
            drawing.edges.push_back(edgePoints(drawing, k));
    }

    QPolygonF edgePoints(const ClusterDrawing& drawing, std::size_t index) const {
        const ClusterEdge& edge = input_.edges[index];
        const QSizeF half = input_.nodes[edge.from].size / 2;
        const QPointF centre = drawing.nodes[edge.from];
        if (tailOf(edge) == edge.to) {
            const QPointF foot = centre + QPointF(half.width(), half.height() / 2);
            return QPolygonF(
                {foot, foot + QPointF(12, -4), foot + QPointF(12, 8), foot + QPointF(2, 3)});
        }
        const splines* curve = edges_[index] == nullptr ? nullptr : ED_spl(edges_[index]);
        if (curve == nullptr || curve->size == 0)
            return {};
        const bezier& piece = curve->list[0];
        QPolygonF points;
        for (int k = 0; k < piece.size; ++k)
            points.append(place(piece.list[k]));
        // dot ends the curve where its own arrow head begins; ours is drawn at the last point.
        if (piece.eflag != 0)
            points.last() = place(piece.ep);
        return fromNode(centre, half, points);
    }

    /// From the node's border on to where the curve leaves the cluster's.
    QPolygonF fromNode(QPointF centre, QSizeF half, const QPolygonF& curve) const {
        const QPointF start =
            centre + (attempt_.across ? QPointF(half.width(), 0) : QPointF(0, half.height()));
        const QPointF way = curve.first() - start;
        const QPointF bend = (attempt_.across ? QPointF(way.x(), 0) : QPointF(0, way.y())) / 2;
        QPolygonF points({start, start + bend, curve.first() - bend});
        points += curve;
        return points;
    }

    GVC_t* context_;
    const ClusterGraph& input_;
    const std::vector<ClusterShape>& shapes_;
    const Attempt attempt_;
    char name_[10] = "focus";
    Agraph_t* graph_ = agopen(name_, Agdirected, nullptr);
    std::vector<Agnode_t*> clusters_; ///< null without nodes
    std::map<std::pair<std::uint32_t, std::uint32_t>, Agedge_t*> between_;
    std::vector<Agedge_t*> edges_; ///< null for a loop
    double top_ = 0;
};

/// How large the drawing can be shown: 1 is its own size.
double scaleIn(const ClusterDrawing& drawing, QSizeF wanted) {
    QRectF bounds;
    for (const QRectF& cluster : drawing.clusters)
        bounds |= cluster;
    for (const QPolygonF& edge : drawing.edges)
        bounds |= edge.boundingRect();
    return bounds.isEmpty() ? 1
                            : std::min({1.0, wanted.width() / bounds.width(),
                                        wanted.height() / bounds.height()});
}

/// The layout that can be shown largest; the first of several.
ClusterDrawing layOut(GVC_t* context, const ClusterGraph& graph) {
    const std::vector<ClusterShape> shapes = clusterShapes(graph);
    const std::size_t sources = sourcesOf(graph, shapes).size();
    ClusterDrawing best;
    double largest = 0;
    for (const std::size_t columns : {1, 2, 3})
        for (const bool across : {true, false}) {
            if (columns > 1 && (sources < kFewSources || graph.edges.size() > kManyEdges))
                continue;
            ClusterDrawing drawing = DotLayout(context, graph, shapes, {across, columns}).run();
            const double scale = scaleIn(drawing, graph.wanted);
            if (!drawing.error.isEmpty())
                return drawing;
            if (scale <= largest)
                continue;
            largest = scale;
            best = std::move(drawing);
            if (largest >= 1)
                return best;
        }
    return best;
}

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
        const QByteArray answer = framed(encode(layOut(context, *graph)));
        std::fwrite(answer.constData(), 1, static_cast<std::size_t>(answer.size()), stdout);
        std::fflush(stdout);
    }
}

} // namespace marquetry::widgets
