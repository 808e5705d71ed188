#include "tests/support/effort.h"
#include "tests/support/waits.h"
#include "tests/widgets/random_graph.h"
#include "widgets/graph_layout/layout_client.h"
#include "widgets/graph_layout/layout_worker.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <csignal>

namespace marquetry::widgets {
namespace {

/// Points of the Bézier pieces, close together.
std::vector<QPointF> alongCurve(const QPolygonF& curve) {
    std::vector<QPointF> points;
    for (qsizetype k = 0; k + 3 < curve.size(); k += 3)
        for (double t = 0; t <= 1; t += 0.05) {
            const double u = 1 - t;
            points.push_back(u * u * u * curve[k] + 3 * u * u * t * curve[k + 1] +
                             3 * u * t * t * curve[k + 2] + t * t * t * curve[k + 3]);
        }
    return points;
}

ClusterGraph smallGraph() {
    ClusterGraph graph;
    graph.clusters.resize(3);
    graph.nodes = {
        {QSizeF(80, 30), 0}, {QSizeF(60, 30), 1}, {QSizeF(90, 30), 1}, {QSizeF(50, 30), 2}};
    graph.edges = {
        {0, 1, 8}, {1, 2, 1}, {2, 2, 1}, {2, 1, 1}}; // the last one leads into its own cluster
    return graph;
}

TEST(LayeredLayout, PutsEveryEdgeDownwards) {
    const LayeredGraph graph = randomGraph(500, 900);
    const LayeredResult result = layeredLayout(graph);
    for (const auto& [from, to] : graph.edges)
        if (from != to) {
            EXPECT_LT(result.layer[from], result.layer[to]);
            EXPECT_LT(result.centres[from].y(), result.centres[to].y());
        }
}

TEST(LayeredLayout, LeavesNoTwoBlocksOverlapping) {
    const LayeredGraph graph = randomGraph(300, 500);
    const LayeredResult result = layeredLayout(graph);
    for (std::size_t a = 0; a < graph.sizes.size(); ++a)
        for (std::size_t b = a + 1; b < graph.sizes.size(); ++b) {
            const QPointF apart = result.centres[a] - result.centres[b];
            EXPECT_TRUE(std::abs(apart.x()) >= 60 || std::abs(apart.y()) >= 20) << a << " " << b;
        }
}

TEST(LayeredLayout, CondensesCycles) {
    LayeredGraph graph;
    graph.sizes.assign(4, QSizeF(10, 10));
    graph.edges = {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 3}};
    const LayeredResult result = layeredLayout(graph);
    EXPECT_EQ(result.layer, (std::vector<std::uint32_t>{0, 1, 1, 2}));
}

TEST(LayeredLayout, WrapsWideLayersTowardsTheWantedAspect) {
    LayeredGraph graph;
    graph.sizes.assign(2000, QSizeF(40, 20));
    const LayeredResult result = layeredLayout(graph);
    EXPECT_LT(result.bounds.width(), 4 * result.bounds.height());
}

TEST(LayeredLayout, EmptyGraphIsEmpty) {
    EXPECT_TRUE(layeredLayout({}).centres.empty());
}

TEST(LayeredLayout, AHundredThousandBlocksTakeWorkInProportion) {
    const auto effort = [](std::uint32_t blocks) {
        const LayeredGraph graph = randomGraph(blocks, blocks + blocks * 3 / 10);
        return test::leastEffortOf(3,
                                   [&] { EXPECT_EQ(layeredLayout(graph).centres.size(), blocks); });
    };
    // Ten times the blocks; quadratic work would be a hundred times as much.
    EXPECT_LT(effort(100'000), 40 * effort(10'000));
}

TEST(ClusterGraph, SurvivesTheWire) {
    ClusterGraph graph = smallGraph();
    graph.ticket = 42;
    QByteArray buffer = framed(encode(graph)) + framed(encode(graph)).left(9);
    bool broken = false;
    const auto payload = takeFrame(buffer, broken);
    ASSERT_TRUE(payload);
    const auto back = decodeGraph(*payload);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->ticket, 42U);
    EXPECT_EQ(back->nodes[2].size, QSizeF(90, 30));
    EXPECT_EQ(back->edges[0].weight, 8);
    EXPECT_FALSE(takeFrame(buffer, broken));
    EXPECT_FALSE(broken);
}

TEST(ClusterGraph, RejectsMalformedMessages) {
    const QByteArray good = encode(smallGraph());
    for (qsizetype length = 0; length < good.size(); ++length)
        EXPECT_FALSE(decodeGraph(good.left(length))) << length;
    EXPECT_FALSE(decodeGraph(good + "x"));
    ClusterGraph wrong = smallGraph();
    wrong.nodes[0].cluster = 3;
    EXPECT_FALSE(decodeGraph(encode(wrong)));
    wrong = smallGraph();
    wrong.edges[0].from = 9;
    EXPECT_FALSE(decodeGraph(encode(wrong)));
    wrong = smallGraph();
    wrong.clusters[1].header = QSizeF(-1, 2);
    EXPECT_FALSE(decodeGraph(encode(wrong)));
    wrong = smallGraph();
    wrong.wanted = QSizeF(0, 100);
    EXPECT_FALSE(decodeGraph(encode(wrong)));
    wrong = smallGraph();
    wrong.nodes[0].size = QSizeF(-1, 2);
    EXPECT_FALSE(decodeGraph(encode(wrong)));
    QByteArray huge("\xff\xff\xff\xff....", 8);
    bool broken = false;
    EXPECT_FALSE(takeFrame(huge, broken));
    EXPECT_TRUE(broken);
}

TEST(ClusterGraph, QuickDrawingHasAPlaceForEverything) {
    const ClusterDrawing drawing = quickDrawing(smallGraph());
    ASSERT_EQ(drawing.nodes.size(), 4U);
    ASSERT_EQ(drawing.edges.size(), 4U);
    const ClusterGraph graph = smallGraph();
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_TRUE(drawing.clusters[graph.nodes[k].cluster].contains(drawing.nodes[k]));
}

class Client : public ::testing::Test {
protected:
    void use(const char* flag) {
        client.setProgram(QCoreApplication::applicationFilePath(), {QString::fromLatin1(flag)});
    }
    std::string waitForFailure() {
        if (failures.isEmpty())
            test::waitForNext(failures);
        return failures.isEmpty() ? "none" : code;
    }

    LayoutClient client;
    std::string code;
    QSignalSpy drawings{&client, &LayoutClient::finished};
    QSignalSpy failures{&client, &LayoutClient::failed};
    ClusterDrawing last;
    void SetUp() override {
        client.setTimeout(test::kPatienceMs);
        QObject::connect(&client, &LayoutClient::finished,
                         [this](const ClusterDrawing& drawing) { last = drawing; });
        QObject::connect(&client, &LayoutClient::failed,
                         [this](const Diagnostic& diagnostic) { code = diagnostic.code; });
    }
};

TEST_F(Client, DotPlacesNodesInTheirClusters) {
    use(kLayoutWorkerFlag);
    const auto ticket = client.request(smallGraph());
    ASSERT_TRUE(test::waitForNext(drawings)) << code;
    EXPECT_EQ(last.ticket, ticket);
    const ClusterGraph graph = smallGraph();
    for (std::size_t k = 0; k < graph.nodes.size(); ++k)
        EXPECT_TRUE(last.clusters[graph.nodes[k].cluster].contains(last.nodes[k]));
    EXPECT_TRUE(last.nodes[0].y() < last.nodes[1].y() || last.nodes[0].x() < last.nodes[1].x());
    for (const QPolygonF& edge : last.edges)
        EXPECT_EQ(edge.size() % 3, 1);
}

/// Forty layers on one unit, numbered against the order of the list.
ClusterGraph wideGraph(QSizeF wanted) {
    ClusterGraph graph;
    graph.wanted = wanted;
    for (std::uint32_t k = 0; k < 40; ++k) {
        graph.clusters.push_back({QSizeF(60, 20), 8, 40 - k});
        graph.nodes.push_back({QSizeF(120, 26), k});
        graph.edges.push_back({k, 40, 1});
    }
    graph.clusters.push_back({QSizeF(60, 20), 8, 99});
    graph.nodes.push_back({QSizeF(120, 26), 40});
    return graph;
}

double scaleOf(const ClusterDrawing& drawing, QSizeF wanted) {
    QRectF bounds;
    for (const QRectF& cluster : drawing.clusters)
        bounds |= cluster;
    return std::min(wanted.width() / bounds.width(), wanted.height() / bounds.height());
}

TEST_F(Client, DotWrapsWhatLiesSideBySideToThePicture) {
    use(kLayoutWorkerFlag);
    const QSizeF wanted(1000, 600);
    client.request(wideGraph(wanted));
    ASSERT_TRUE(test::waitForNext(drawings)) << code;
    // In one column, 40 clusters of 54 pixels would be 2 160 pixels high; in one row, of 136
    // pixels, 5 440 wide.
    EXPECT_GT(scaleOf(last, wanted), 1.25 * 600 / 2160);
    for (std::size_t a = 0; a < last.clusters.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_FALSE(last.clusters[a].intersects(last.clusters[b])) << a << " " << b;
}

TEST_F(Client, DotKeepsTheOrderOfWhatNoEdgeLeadsTo) {
    use(kLayoutWorkerFlag);
    ClusterGraph graph = wideGraph(QSizeF(1000, 600));
    graph.nodes.erase(graph.nodes.begin() + 8, graph.nodes.end() - 1);
    graph.edges.resize(8);
    for (ClusterEdge& edge : graph.edges)
        edge.to = 40;
    client.request(graph);
    ASSERT_TRUE(test::waitForNext(drawings)) << code;
    for (std::size_t k = 1; k < 8; ++k) { // a higher number comes first
        const QPointF before = last.clusters[k].center();
        const QPointF after = last.clusters[k - 1].center();
        EXPECT_TRUE(before.y() < after.y() || before.x() < after.x()) << k;
    }
}

TEST_F(Client, DotLeadsNoEdgeThroughAClusterItDoesNotConcern) {
    use(kLayoutWorkerFlag);
    const ClusterGraph graph = wideGraph(QSizeF(1000, 600));
    client.request(graph);
    ASSERT_TRUE(test::waitForNext(drawings)) << code;
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        for (std::size_t c = 0; c < last.clusters.size(); ++c) {
            if (c == graph.nodes[graph.edges[e].from].cluster || c == graph.edges[e].to)
                continue;
            const QRectF inner = last.clusters[c].adjusted(2, 2, -2, -2);
            for (const QPointF& point : alongCurve(last.edges[e]))
                EXPECT_FALSE(inner.contains(point)) << e << " runs through " << c;
        }
}

TEST_F(Client, KeepsTheWorkerWarm) {
    use(kLayoutWorkerFlag);
    for (int k = 0; k < 5; ++k) {
        client.request(smallGraph());
        ASSERT_TRUE(test::waitForNext(drawings));
    }
    EXPECT_EQ(client.starts(), 1);
    EXPECT_FALSE(client.busy());
}

TEST_F(Client, TheNewestRequestWins) {
    use(kLayoutWorkerFlag);
    client.request(smallGraph());
    client.request(smallGraph());
    const auto newest = client.request(smallGraph());
    ASSERT_TRUE(test::waitForNext(drawings));
    EXPECT_EQ(last.ticket, newest);
    EXPECT_EQ(client.starts(), 3);
    EXPECT_EQ(drawings.size(), 1);
    EXPECT_TRUE(failures.isEmpty());
}

TEST_F(Client, ComesBackAfterTheWorkerIsKilled) {
    use(kLayoutWorkerFlag);
    client.request(smallGraph());
    ASSERT_TRUE(test::waitForNext(drawings));
    ASSERT_EQ(::kill(static_cast<pid_t>(client.processId()), SIGKILL), 0);
    ASSERT_TRUE(test::waitFor([&] { return client.processId() == 0; }));
    EXPECT_TRUE(failures.isEmpty()) << "nobody waited for it";
    client.request(smallGraph());
    EXPECT_TRUE(test::waitForNext(drawings));
}

TEST_F(Client, SaysWhenTheWorkerCrashes) {
    use("--crashing-worker");
    client.request(smallGraph());
    EXPECT_EQ(waitForFailure(), "layout-crash");
    EXPECT_FALSE(client.busy());
}

TEST_F(Client, SaysWhenTheWorkerTalksNonsense) {
    use("--babbling-worker");
    client.request(smallGraph());
    EXPECT_EQ(waitForFailure(), "layout-answer");
}

TEST_F(Client, GivesUpAfterItsTimeout) {
    use("--mute-worker");
    client.setTimeout(200);
    client.request(smallGraph());
    EXPECT_EQ(waitForFailure(), "layout-timeout");
}

TEST_F(Client, SaysWhenThereIsNoWorker) {
    client.setProgram(QStringLiteral("/nowhere/marquetry"), {});
    client.request(smallGraph());
    EXPECT_EQ(waitForFailure(), "layout-start");
}

TEST_F(Client, CancelForgetsTheRequest) {
    use("--mute-worker");
    client.request(smallGraph());
    client.cancel();
    EXPECT_FALSE(client.busy());
    EXPECT_EQ(client.processId(), 0);
    EXPECT_TRUE(failures.isEmpty());
}

} // namespace
} // namespace marquetry::widgets
