#include "engine/egraph/union_history.h"
#include "engine/support/rng.h"
#include "tests/egraph/math_language.h"

#include <algorithm>
#include <numeric>

namespace marquetry::egraph {
namespace {

/// What is equal after each union, by relabelling.
class Replay {
public:
    explicit Replay(const EGraph& g) : log_(g.unionLog().begin(), g.unionLog().end()) {
        std::vector<std::size_t> label(g.totalEnodes());
        std::iota(label.begin(), label.end(), 0);
        labels_.push_back(label);
        for (const UnionEntry& entry : log_) {
            const std::size_t from = label[entry.right.index()], to = label[entry.left.index()];
            std::ranges::replace(label, from, to);
            labels_.push_back(label);
        }
    }
    bool equalAt(ENodeId a, ENodeId b, std::size_t time) const {
        return labels_[time][a.index()] == labels_[time][b.index()];
    }
    std::size_t times() const { return labels_.size(); }

private:
    std::vector<UnionEntry> log_;
    std::vector<std::vector<std::size_t>> labels_;
};

TEST(UnionHistory, AgreesWithAReplayOfTheLog) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        EGraph g(mathLanguage());
        addMathMicroTerms(g);
        SaturationParams params;
        params.maxIterations = seed;
        saturate(g, mathMicroRules(g.language()), params);
        const UnionHistory history(g);
        const Replay replay(g);
        SplitMix64 rng(seed);
        const auto draw = [&](std::size_t n) {
            return static_cast<std::size_t>(rng.range(0, static_cast<std::int64_t>(n) - 1));
        };
        for (int k = 0; k < 2000; ++k) {
            const auto time = static_cast<UnionHistory::Time>(draw(replay.times()));
            const ENodeId a{draw(g.totalEnodes())};
            // Half of the partners come from the same class.
            const auto equal = history.equalTo(a, UnionHistory::kNever);
            const ENodeId b =
                k % 2 == 0 ? equal[draw(equal.size())] : ENodeId{draw(g.totalEnodes())};
            ASSERT_EQ(history.equalAt(a, b, time), replay.equalAt(a, b, time));
            std::vector<ENodeId> then = history.equalTo(a, time), expected;
            std::ranges::sort(then);
            for (std::size_t i = 0; i < g.totalEnodes(); ++i)
                if (replay.equalAt(a, ENodeId{i}, time))
                    expected.push_back(ENodeId{i});
            ASSERT_EQ(then, expected);
        }
    }
}

TEST(UnionHistory, APathIsAChainOfUnionsMadeBeforeTheTwoAreEqual) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    SaturationParams params;
    params.maxIterations = 6;
    saturate(g, mathMicroRules(g.language()), params);
    const UnionHistory history(g);
    for (std::size_t i = 0; i < g.totalEnodes(); ++i) {
        const ENodeId a{i}, b{g.eclassOf(a).value()};
        const auto path = history.path(a, b);
        ASSERT_EQ(path.size(), history.pathLength(a, b));
        ENodeId at = a;
        UnionHistory::Time latest = 0;
        for (const UnionHistory::Edge& edge : path) {
            ASSERT_EQ(edge.from, at);
            at = edge.to;
            const UnionEntry& entry = g.unionLog()[edge.entry];
            ASSERT_EQ(std::minmax(entry.left, entry.right), std::minmax(edge.from, edge.to));
            latest = std::max(latest, edge.entry + 1);
        }
        ASSERT_EQ(at, b);
        ASSERT_EQ(history.joinTime(a, b), latest);
        ASSERT_EQ(history.edgeBetween(a, b).has_value(), path.size() == 1);
    }
    EXPECT_EQ(history.joinTime(ENodeId{0}, ENodeId{1}), UnionHistory::kNever);
}

} // namespace
} // namespace marquetry::egraph
