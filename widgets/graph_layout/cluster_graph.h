// The focus graph and its drawing: what goes to the layout worker and what comes back.
//
// Nodes of fixed size lie in clusters (e-classes), in rows below a header; an edge goes from a node
// to a cluster and ends at the cluster's border. Sizes and places are scene units, y downwards;
// node and cluster indices are positions in their lists. A drawing has one entry per node, cluster
// and edge of its graph; edges are 1 + 3k points (cubic Bézier pieces) or 2 (a straight line).
// `wanted` is the picture's size: of several layouts the one is taken that can be shown largest
// there. Clusters that no edge leads to lie in their `order`, in columns from left to right or in
// rows downwards.
//
// On the wire (worker's stdin and stdout): a 32-bit big-endian length, then a QDataStream payload
// that starts with kLayoutMagic. Errors: decode returns nullopt for anything malformed — wrong
// magic, indices out of range, non-finite or negative sizes, trailing bytes.
// Thread rule: values.
#pragma once

#include <QByteArray>
#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::widgets {

struct ClusterNode {
    QSizeF size;
    std::uint32_t cluster = 0;
};

struct Cluster {
    QSizeF header{0, 0}; ///< room above the nodes, within the border
    double margin = 10;  ///< between nodes and border
    std::uint32_t order = 0;
};

struct ClusterEdge {
    std::uint32_t from = 0; ///< node
    std::uint32_t to = 0;   ///< cluster
    double weight = 1;      ///< heavier edges are straighter
};

struct ClusterGraph {
    std::uint64_t ticket = 0;
    QSizeF wanted{1400, 900};
    std::vector<Cluster> clusters;
    std::vector<ClusterNode> nodes;
    std::vector<ClusterEdge> edges;
};

struct ClusterDrawing {
    std::uint64_t ticket = 0;
    QString error;                ///< empty when the layout succeeded
    std::vector<QPointF> nodes;   ///< centres
    std::vector<QRectF> clusters; ///< null for a cluster without nodes
    std::vector<QPolygonF> edges;
};

/// A cluster as it is drawn, wherever that is.
struct ClusterShape {
    QSizeF size;                      ///< empty for a cluster without nodes
    std::vector<std::uint32_t> nodes; ///< in rows
    std::vector<QPointF> centres;     ///< of the nodes, from the top left corner
};
std::vector<ClusterShape> clusterShapes(const ClusterGraph& graph);

inline constexpr quint32 kLayoutMagic = 0x4D514C32; // "MQL2"
inline constexpr quint32 kMaxMessage = 64U << 20;   ///< bytes

QByteArray encode(const ClusterGraph& graph);
QByteArray encode(const ClusterDrawing& drawing);
std::optional<ClusterGraph> decodeGraph(const QByteArray& payload);
std::optional<ClusterDrawing> decodeDrawing(const QByteArray& payload);

/// With the length in front.
QByteArray framed(const QByteArray& payload);
/// Takes the first whole message out of `buffer`; nullopt when it is not there yet.
/// `broken` is set when the length cannot be right.
std::optional<QByteArray> takeFrame(QByteArray& buffer, bool& broken);

/// A drawing of our own, at once and without Graphviz: clusters in layers, nodes in a row, straight
/// edges. Shown until the worker answers, and when it cannot.
ClusterDrawing quickDrawing(const ClusterGraph& graph);

} // namespace marquetry::widgets
