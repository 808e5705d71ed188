#include "widgets/graph_layout/cluster_graph.h"

#include "widgets/graph_layout/layered_layout.h"

#include <QDataStream>
#include <QIODevice>
#include <QtEndian>

#include <algorithm>
#include <cmath>
#include <set>

namespace marquetry::widgets {

namespace {

constexpr double kNodeGap = 6;
constexpr double kFewNodes = 6; ///< that lie in one column
constexpr double kRowsPerColumn = 3;

template <class Writer>
QByteArray written(Writer&& writer) {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_0);
    stream << kLayoutMagic;
    writer(stream);
    return bytes;
}

bool usable(const QSizeF& size) {
    return std::isfinite(size.width()) && std::isfinite(size.height()) && size.width() > 0 &&
           size.height() > 0 && size.width() < 1e5 && size.height() < 1e5;
}

/// A count that the rest of the message can hold at `bytes` each.
bool readCount(QDataStream& stream, quint32& count, qint64 bytes) {
    stream >> count;
    return stream.status() == QDataStream::Ok &&
           static_cast<qint64>(count) * bytes <= stream.device()->bytesAvailable();
}

bool complete(const QDataStream& stream) {
    return stream.status() == QDataStream::Ok && stream.atEnd();
}

bool readMagic(QDataStream& stream) {
    stream.setVersion(QDataStream::Qt_6_0);
    quint32 magic = 0;
    stream >> magic;
    return magic == kLayoutMagic;
}

/// Where a straight edge from `from` enters a rectangle.
QPointF entry(QPointF from, const QRectF& rect) {
    const QPointF to = rect.center();
    const QPointF way = from - to;
    const double sx = way.x() == 0 ? 1e9 : rect.width() / 2 / std::fabs(way.x());
    const double sy = way.y() == 0 ? 1e9 : rect.height() / 2 / std::fabs(way.y());
    return to + way * std::min({sx, sy, 1.0});
}

/// Nodes row by row below the header; a cluster of many has several columns of equal width.
void stack(const ClusterGraph& graph, const Cluster& cluster, ClusterShape& shape) {
    if (shape.nodes.empty())
        return;
    QSizeF cell(0, 0);
    for (const std::uint32_t k : shape.nodes)
        cell = cell.expandedTo(graph.nodes[k].size);
    const auto count = static_cast<double>(shape.nodes.size());
    const double columns = count <= kFewNodes ? 1 : std::ceil(std::sqrt(count / kRowsPerColumn));
    const double rows = std::ceil(count / columns);
    const QSizeF inner(columns * (cell.width() + kNodeGap) - kNodeGap,
                       rows * (cell.height() + kNodeGap) - kNodeGap);
    const double width = std::max(inner.width(), cluster.header.width());
    const double top = std::max(cluster.margin, cluster.header.height());
    shape.size = {width + 2 * cluster.margin, top + inner.height() + cluster.margin};
    const QPointF first(cluster.margin + (width - inner.width()) / 2 + cell.width() / 2,
                        top + cell.height() / 2);
    for (double k = 0; k < count; ++k)
        shape.centres.push_back(first +
                                QPointF(std::fmod(k, columns) * (cell.width() + kNodeGap),
                                        std::floor(k / columns) * (cell.height() + kNodeGap)));
}

} // namespace

QByteArray encode(const ClusterGraph& graph) {
    return written([&](QDataStream& out) {
        out << static_cast<quint64>(graph.ticket) << graph.wanted;
        out << static_cast<quint32>(graph.clusters.size());
        for (const Cluster& cluster : graph.clusters)
            out << cluster.header << cluster.margin << static_cast<quint32>(cluster.order);
        out << static_cast<quint32>(graph.nodes.size());
        for (const ClusterNode& node : graph.nodes)
            out << node.size << static_cast<quint32>(node.cluster);
        out << static_cast<quint32>(graph.edges.size());
        for (const ClusterEdge& edge : graph.edges)
            out << static_cast<quint32>(edge.from) << static_cast<quint32>(edge.to) << edge.weight;
    });
}

QByteArray encode(const ClusterDrawing& drawing) {
    return written([&](QDataStream& out) {
        out << static_cast<quint64>(drawing.ticket) << drawing.error;
        out << static_cast<quint32>(drawing.nodes.size());
        for (const QPointF& centre : drawing.nodes)
            out << centre;
        out << static_cast<quint32>(drawing.clusters.size());
        for (const QRectF& rect : drawing.clusters)
            out << rect;
        out << static_cast<quint32>(drawing.edges.size());
        for (const QPolygonF& edge : drawing.edges)
            out << edge;
    });
}

std::optional<ClusterGraph> decodeGraph(const QByteArray& payload) {
    QDataStream in(payload);
    ClusterGraph graph;
    quint64 ticket = 0;
    quint32 count = 0;
    if (!readMagic(in))
        return std::nullopt;
    in >> ticket >> graph.wanted;
    graph.ticket = ticket;
    if (!usable(graph.wanted) || !readCount(in, count, 28))
        return std::nullopt;
    graph.clusters.resize(count);
    for (Cluster& cluster : graph.clusters) {
        in >> cluster.header >> cluster.margin >> cluster.order;
        if (!usable(cluster.header + QSizeF(1, 1)) || cluster.header.width() < 0 ||
            cluster.header.height() < 0 || !(cluster.margin >= 0 && cluster.margin < 1e3))
            return std::nullopt;
    }
    if (!readCount(in, count, 20))
        return std::nullopt;
    graph.nodes.resize(count);
    for (ClusterNode& node : graph.nodes) {
        in >> node.size >> node.cluster;
        if (node.cluster >= graph.clusters.size() || !usable(node.size))
            return std::nullopt;
    }
    if (!readCount(in, count, 16))
        return std::nullopt;
    graph.edges.resize(count);
    for (ClusterEdge& edge : graph.edges) {
        in >> edge.from >> edge.to >> edge.weight;
        if (edge.from >= graph.nodes.size() || edge.to >= graph.clusters.size() ||
            !(edge.weight >= 0 && edge.weight < 1e4))
            return std::nullopt;
    }
    return complete(in) ? std::optional(std::move(graph)) : std::nullopt;
}

std::optional<ClusterDrawing> decodeDrawing(const QByteArray& payload) {
    QDataStream in(payload);
    ClusterDrawing drawing;
    quint64 ticket = 0;
    quint32 count = 0;
    if (!readMagic(in))
        return std::nullopt;
    in >> ticket >> drawing.error;
    drawing.ticket = ticket;
    if (!readCount(in, count, 16))
        return std::nullopt;
    drawing.nodes.resize(count);
    for (QPointF& centre : drawing.nodes)
        in >> centre;
    if (!readCount(in, count, 32))
        return std::nullopt;
    drawing.clusters.resize(count);
    for (QRectF& rect : drawing.clusters)
        in >> rect;
    if (!readCount(in, count, 4))
        return std::nullopt;
    drawing.edges.resize(count);
    for (QPolygonF& edge : drawing.edges)
        in >> edge;
    return complete(in) ? std::optional(std::move(drawing)) : std::nullopt;
}

QByteArray framed(const QByteArray& payload) {
    QByteArray message(4, '\0');
    qToBigEndian(static_cast<quint32>(payload.size()), message.data());
    return message + payload;
}

std::optional<QByteArray> takeFrame(QByteArray& buffer, bool& broken) {
    if (buffer.size() < 4)
        return std::nullopt;
    const auto length = qFromBigEndian<quint32>(buffer.constData());
    broken = length > kMaxMessage;
    if (broken || buffer.size() < 4 + static_cast<qsizetype>(length))
        return std::nullopt;
    const QByteArray payload = buffer.mid(4, length);
    buffer.remove(0, 4 + static_cast<qsizetype>(length));
    return payload;
}

std::vector<ClusterShape> clusterShapes(const ClusterGraph& graph) {
    std::vector<ClusterShape> shapes(graph.clusters.size());
    for (std::uint32_t k = 0; k < graph.nodes.size(); ++k)
        shapes[graph.nodes[k].cluster].nodes.push_back(k);
    for (std::size_t c = 0; c < shapes.size(); ++c)
        stack(graph, graph.clusters[c], shapes[c]);
    return shapes;
}

ClusterDrawing quickDrawing(const ClusterGraph& graph) {
    const std::vector<ClusterShape> shapes = clusterShapes(graph);
    LayeredGraph blocks;
    for (const ClusterShape& shape : shapes)
        blocks.sizes.push_back(shape.size);
    std::set<BlockEdge> pairs;
    for (const ClusterEdge& edge : graph.edges)
        pairs.emplace(graph.nodes[edge.from].cluster, edge.to);
    blocks.edges.assign(pairs.begin(), pairs.end());
    const LayeredResult layout =
        layeredLayout(blocks, {.columnGap = 24,
                               .rowGap = 54,
                               .wrapGap = 26,
                               .aspect = graph.wanted.width() / graph.wanted.height()});
    ClusterDrawing drawing;
    drawing.ticket = graph.ticket;
    drawing.nodes.resize(graph.nodes.size());
    for (std::size_t c = 0; c < shapes.size(); ++c) {
        const QSizeF size = shapes[c].size;
        const QPointF corner = layout.centres[c] - QPointF(size.width() / 2, size.height() / 2);
        drawing.clusters.push_back(size.isEmpty() ? QRectF() : QRectF(corner, size));
        for (std::size_t k = 0; k < shapes[c].nodes.size(); ++k)
            drawing.nodes[shapes[c].nodes[k]] = corner + shapes[c].centres[k];
    }
    for (const ClusterEdge& edge : graph.edges) {
        const QPointF from =
            drawing.nodes[edge.from] + QPointF(0, graph.nodes[edge.from].size.height() / 2);
        drawing.edges.push_back(QPolygonF({from, entry(from, drawing.clusters[edge.to])}));
    }
    return drawing;
}

} // namespace marquetry::widgets
