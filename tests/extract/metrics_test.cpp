// Metrics against an enumeration that knows no e-graph, and background/engineir.md, "Golden
// numbers".
#include "tests/support/programs.h"

#include "engine/egraph/saturate.h"
#include "engine/extract/count.h"
#include "engine/extract/metrics.h"
#include "engine/extract/toy_front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace marquetry {

using extract::measure;
using extract::MetricPoint;
using extract::Metrics;

namespace {

/// EngineIR's example by hand: a unit of w, or a loop of n or n instances over the schedules of
/// w/n.
struct ToyTerm {
    std::string normal; ///< the constructors, outermost first
    int width = 0;
    int copies = 1;
    double control = 0;
    double latency = 1;
};

std::vector<ToyTerm> toyTerms(int width) {
    std::vector<ToyTerm> terms = {{"", width, 1, 0, 1}};
    for (int n = 2; n <= width; ++n) {
        if (width % n != 0)
            continue;
        for (const ToyTerm& inner : toyTerms(width / n)) {
            terms.push_back({"F" + inner.normal, inner.width, inner.copies, inner.control + 1,
                             n * inner.latency + 1});
            terms.push_back({"P" + inner.normal, inner.width, n * inner.copies, n * inner.control,
                             inner.latency});
        }
    }
    return terms;
}

bool isNormal(const ToyTerm& term) {
    return term.normal.find("FF") == std::string::npos &&
           term.normal.find("PP") == std::string::npos;
}

MetricPoint pointOf(const ToyTerm& term) {
    return {term.copies * (term.width + 4.0) + term.control, term.latency};
}

/// By comparing every pair.
std::vector<MetricPoint> slowFront(const std::set<MetricPoint>& points) {
    std::vector<MetricPoint> front;
    for (const MetricPoint& point : points)
        if (std::ranges::none_of(points, [&](const MetricPoint& other) {
                return other != point && other.area <= point.area && other.latency <= point.latency;
            }))
            front.push_back(point);
    return front;
}

rules::Lowered saturated(const std::string& text, const std::vector<std::string>& without,
                         rules::Policy policy = rules::Policy::Toy) {
    rules::LoweringParams params;
    params.policy = policy;
    params.without = without;
    auto lowered = rules::lower(test::programOf(text), params);
    ENGINE_ASSERT(lowered.has_value(), "the program lowers");
    const auto result = egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    ENGINE_ASSERT(result.outcome == egraph::StopReason::Saturated, "the toy saturates");
    return *std::move(lowered);
}

const std::vector<std::string> kPlain = {"storage", "padding", "partial", "fusion", "skeletons"};
/// Without a pass of its own for every operator.
const std::vector<std::string> kFused = {"storage", "padding", "partial", "skeletons"};

std::string reluProgram(int width) {
    return "design d { input x : i8[" + std::to_string(width) + "] = zeros; output y = relu(x); }";
}

struct Golden {
    int width;
    std::size_t classes;
    std::size_t enodes;
    std::size_t terms;
    std::size_t normalForms;
    std::size_t unitSets;
    std::size_t front;
};

class GoldenRelu : public ::testing::TestWithParam<Golden> {};

} // namespace

TEST_P(GoldenRelu, AgreesWithTheReferenceAndWithEnumeration) {
    const Golden& golden = GetParam();
    const auto lowered = saturated(reluProgram(golden.width), kPlain);
    const Metrics metrics = measure(lowered, {});
    EXPECT_EQ(metrics.unitEclasses, golden.classes);
    EXPECT_EQ(metrics.unitEnodes, golden.enodes);
    EXPECT_TRUE(metrics.complete);
    EXPECT_FALSE(metrics.terms.bounded);

    const auto terms = toyTerms(golden.width);
    std::size_t normal = 0;
    std::size_t good = 0;
    std::set<std::pair<int, int>> hardware;
    std::set<MetricPoint> points;
    for (const ToyTerm& term : terms) {
        hardware.emplace(term.width, term.copies);
        points.insert(pointOf(term));
        normal += isNormal(term) ? 1 : 0;
    }
    const auto front = slowFront(points);
    EXPECT_EQ(terms.size(), golden.terms);
    EXPECT_EQ(metrics.terms.terms, std::to_string(terms.size()));
    EXPECT_EQ(normal, golden.normalForms);
    EXPECT_EQ(metrics.normalForms, std::to_string(normal));
    EXPECT_EQ(hardware.size(), golden.unitSets);
    EXPECT_EQ(metrics.unitSets, static_cast<double>(hardware.size()));
    EXPECT_TRUE(metrics.unitSetsExact);
    EXPECT_EQ(front.size(), golden.front);
    EXPECT_EQ(metrics.front, front);
    EXPECT_TRUE(metrics.frontExact);

    for (const ToyTerm& term : terms)
        if (isNormal(term))
            good += std::ranges::any_of(front, [&](const MetricPoint& best) {
                return pointOf(term).area <= 1.25 * best.area &&
                       pointOf(term).latency <= 1.25 * best.latency;
            });
    const double density = static_cast<double>(good) / static_cast<double>(normal);
    const double deviation = std::sqrt(density * (1 - density) / 1000);
    EXPECT_EQ(metrics.samples, 1000U);
    EXPECT_NEAR(metrics.density, density, 4 * deviation);
}

INSTANTIATE_TEST_SUITE_P(EngineIr, GoldenRelu,
                         ::testing::Values(Golden{16, 5, 25, 81, 31, 15, 5},
                                           Golden{64, 7, 49, 729, 127, 28, 7},
                                           Golden{128, 8, 64, 2187, 255, 36, 8}),
                         [](const auto& golden) {
                             return "Relu" + std::to_string(golden.param.width);
                         });

TEST(Metrics, HaveTheFrontOfRelu128) {
    const Metrics metrics = measure(saturated(reluProgram(128), kPlain), {});
    const std::vector<MetricPoint> front = {{6, 129}, {7, 65}, {9, 33}, {13, 17},
                                            {21, 9},  {37, 5}, {69, 3}, {132, 1}};
    EXPECT_EQ(metrics.front, front);
}

// background/engineir.md, "Golden numbers": relu64;relu128, where one unit may serve both.
TEST(Metrics, PayForASharedUnitOnce) {
    const auto lowered = saturated("design d { input x : i8[64] = zeros; input z : i8[128] = zeros;"
                                   " output y = relu(x); output w = relu(z); }",
                                   kPlain);
    const Metrics metrics = measure(lowered, {});
    const std::vector<MetricPoint> front = {{7, 194}, {8, 98}, {10, 50}, {14, 26},
                                            {22, 14}, {38, 8}, {69, 4},  {136, 2}};
    EXPECT_EQ(metrics.front, front);
    EXPECT_TRUE(metrics.frontExact);
    EXPECT_EQ(metrics.terms.terms, std::to_string(729 * 2187));

    // Every pair of terms; per hardware and control only the fastest matters.
    using Key = std::tuple<int, int, double>;
    const auto fastest = [](int width) {
        std::map<Key, double> best;
        for (const ToyTerm& term : toyTerms(width)) {
            auto [entry, added] =
                best.try_emplace({term.width, term.copies, term.control}, term.latency);
            entry->second = std::min(entry->second, term.latency);
        }
        return best;
    };
    std::set<MetricPoint> points;
    std::set<std::map<int, int>> hardware;
    for (const auto& [a, latencyA] : fastest(64))
        for (const auto& [b, latencyB] : fastest(128)) {
            std::map<int, int> copies = {{std::get<0>(a), std::get<1>(a)}};
            int& other = copies[std::get<0>(b)];
            other = std::max(other, std::get<1>(b));
            double area = std::get<2>(a) + std::get<2>(b);
            for (const auto& [width, count] : copies)
                area += count * (width + 4.0);
            points.insert({area, latencyA + latencyB});
            hardware.insert(copies);
        }
    EXPECT_EQ(slowFront(points), front);
    EXPECT_EQ(metrics.unitSets, static_cast<double>(hardware.size()));
}

namespace {

/// Chains of at most `height` terms, one by one.
std::size_t walk(const egraph::EGraph& egraph, egraph::EClassId eclass, int height) {
    std::size_t chains = 0;
    for (egraph::ENodeId node : egraph.enodes(egraph.find(eclass))) {
        const auto children = egraph.children(node);
        if (children.empty())
            ++chains;
        else if (height > 1)
            chains += walk(egraph, children[0], height - 1);
    }
    return height > 0 ? chains : 0;
}

const std::string kTwoProducts =
    "design d { input x : i8[12] = zeros; weight a : i8[6, 12] = zeros;"
    " weight b : i8[4, 6] = zeros;"
    " output y = mv(b, requant(mv(a, x), shift: 3)); }";

} // namespace

TEST(ChainCounts, CountWhatAWalkFindsWithAndWithoutCycles) {
    const std::string conv = "design d { input x : i8[6, 6, 4] = zeros;"
                             " weight w : i8[6, 3, 3, 4] = zeros; output y = conv(x, w); }";
    for (const std::string& text : {kTwoProducts, conv})
        for (const auto& without : {kPlain, std::vector<std::string>{}})
            for (const rules::Policy policy :
                 {rules::Policy::Toy, rules::Policy::Cycles, rules::Policy::Published}) {
                const auto lowered = saturated(text, without, policy);
                const auto graph = extract::buildUnitGraph(lowered);
                const auto chains = buildChains(graph, extract::Forms::All);
                const extract::ChainCounts counts(chains);
                extract::BigInt product = 1;
                for (std::size_t c = 0; c < lowered.calls.size(); ++c) {
                    const auto found =
                        walk(*lowered.egraph, lowered.calls[c].unit, chains.maxHeight);
                    EXPECT_EQ(counts.count(chains.roots[c]), found);
                    product *= found;
                }
                EXPECT_EQ(counts.program(), product);
                EXPECT_EQ(extract::countTerms(lowered)->terms, product.str());
            }
}

TEST(ChainCounts, SampleEveryChainAlike) {
    const auto lowered = saturated(reluProgram(16), kPlain);
    const auto graph = extract::buildUnitGraph(lowered);
    const auto chains = buildChains(graph, extract::Forms::Normal);
    const extract::ChainCounts counts(chains);
    SplitMix64 rng(3);
    std::map<std::string, int> seen;
    constexpr int kDraws = 31 * 400;
    for (int k = 0; k < kDraws; ++k) {
        std::string text;
        for (const extract::ParentEdge& edge : counts.sample(chains.roots[0], rng))
            text += std::to_string(graph.node(edge).id.value()) + " ";
        ++seen[text];
    }
    EXPECT_EQ(seen.size(), 31U);
    double chiSquare = 0;
    for (const auto& [text, times] : seen)
        chiSquare += (times - 400.0) * (times - 400.0) / 400.0;
    EXPECT_LT(chiSquare, 59.7); // 30 degrees of freedom, 0.1 %
}

TEST(Metrics, CutLargeSpacesAndSaySo) {
    const auto lowered = saturated(kTwoProducts, kFused);
    const Metrics whole = measure(lowered, {});
    EXPECT_TRUE(whole.unitSetsExact);
    EXPECT_TRUE(whole.frontExact);
    extract::MeasureParams params;
    params.maxSets = 20;
    const Metrics cut = measure(lowered, params);
    EXPECT_TRUE(cut.complete);
    EXPECT_FALSE(cut.unitSetsExact);
    EXPECT_GE(cut.unitSets, 20);
    EXPECT_FALSE(cut.frontExact);
    ASSERT_FALSE(cut.front.empty());
    // What is left are designs that exist: none beats the whole front.
    for (const MetricPoint& point : cut.front)
        EXPECT_TRUE(std::ranges::any_of(whole.front, [&](const MetricPoint& best) {
            return best.area <= point.area && best.latency <= point.latency;
        }));
}

TEST(Metrics, EndWhenStopped) {
    const auto lowered = saturated(reluProgram(128), kPlain);
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(measure(lowered, {}, source.get_token()).complete);
    EXPECT_EQ(extract::countTerms(lowered, source.get_token()), std::nullopt);
}

TEST(Metrics, AreDeterministicForASeed) {
    const auto lowered = saturated(kTwoProducts, {});
    const Metrics a = measure(lowered, {});
    const Metrics b = measure(lowered, {});
    EXPECT_EQ(a.density, b.density);
    EXPECT_EQ(a.front, b.front);
    EXPECT_EQ(a.unitSets, b.unitSets);
}

TEST(Hypervolume, IsTheAreaUnderTheReferenceInLogarithms) {
    EXPECT_EQ(extract::hypervolume({}), 0);
    const double one = std::log(1.1);
    EXPECT_NEAR(extract::hypervolume({{5, 7}}), one * one, 1e-12);
    // Two points by hand: (2, 8) and (4, 2), reference (4.4, 8.8).
    const double expected =
        std::log(4.4 / 2) * std::log(8.8 / 8) + std::log(4.4 / 4) * std::log(8.0 / 2);
    EXPECT_NEAR(extract::hypervolume({{2, 8}, {4, 2}}), expected, 1e-12);
    EXPECT_TRUE(std::isfinite(extract::hypervolume({{0, 3}, {1, 1}})));
}

TEST(Chao1, AddsWhatWasSeenOnceAndTwice) {
    EXPECT_EQ(extract::chao1({5, 3, 3}), 3);
    EXPECT_EQ(extract::chao1({1, 1, 1, 2}), 4 + 9.0 / 2);
    EXPECT_EQ(extract::chao1({1, 1, 1}), 3 + 3);
}

} // namespace marquetry
