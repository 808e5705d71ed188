#include "tests/egraph/math_language.h"
#include "tests/oracles/replay.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace marquetry::egraph {
namespace {

Moment momentOf(const Iteration& iteration) {
    return {iteration.totalEnodes, iteration.unions};
}

TEST(Replay, GivesTheCountsOfEveryIteration) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    SaturationParams params;
    params.maxIterations = 8;
    const auto result = saturate(g, mathMicroRules(g.language()), params);
    const auto view = g.view();
    for (const Iteration& iteration : result.iterations) {
        const PastGraph past = replay(*view, momentOf(iteration));
        EXPECT_EQ(past.enodeCount, iteration.enodes) << iteration.index;
        EXPECT_EQ(past.eclassCount, iteration.eclasses) << iteration.index;
    }
}

TEST(Replay, AgreesWithViewsTakenAtTheTime) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    const auto rules = mathMicroRules(g.language());
    Saturation saturation(g, rules, {});
    std::vector<std::shared_ptr<const FrozenEGraph>> views;
    for (int k = 0; k < 6; ++k) {
        views.push_back(g.view());
        saturation.step({});
    }
    const auto last = g.view();
    for (const auto& view : views) {
        const PastGraph past = replay(*last, momentOf(*view));
        EXPECT_EQ(past.enodeCount, view->enodeCount());
        for (std::size_t i = 0; i < view->totalEnodes(); ++i) {
            ASSERT_EQ(past.eclassOf[i], view->eclassOf(ENodeId{i}));
            ASSERT_EQ(past.live[i] != 0, view->live(ENodeId{i}));
        }
    }
    const Delta delta = deltaBetween(momentOf(*views[2]), momentOf(*views[3]));
    EXPECT_EQ(delta.firstEnode.index(), views[2]->totalEnodes());
    EXPECT_EQ(delta.endUnion, views[3]->unionCount());
    EXPECT_GT(recordBytes(momentOf(*last)), recordBytes(momentOf(*views[2])));
}

/// Adds up everything a reader can see, so that a page that changed under it shows.
std::size_t digest(const FrozenEGraph& view) {
    std::size_t sum = view.enodeCount();
    for (EClassId id : view.eclasses())
        for (ENodeId n : view.enodes(id)) {
            sum = sum * 31 + n.value() + view.op(n).value() + view.origin(n).root.value();
            for (EClassId child : view.children(n))
                sum = sum * 31 + view.find(child).value();
            for (Param p : view.params(n))
                sum = sum * 31 + static_cast<std::size_t>(p);
        }
    for (const UnionEntry entry : view.unionLog())
        sum = sum * 31 + entry.left.value();
    return sum;
}

TEST(ViewThreads, ReadersSeeStillPicturesWhileSaturationGoesOn) {
    std::mutex mutex;
    std::vector<std::pair<std::shared_ptr<const FrozenEGraph>, std::size_t>> shown;
    std::atomic<bool> done = false;
    std::atomic<std::size_t> looked = 0;
    std::jthread reader([&] {
        for (std::size_t k = 0; !done || k == 0; ++k) {
            std::shared_ptr<const FrozenEGraph> view;
            std::size_t expected = 0;
            {
                const std::scoped_lock lock(mutex);
                if (shown.empty())
                    continue;
                std::tie(view, expected) = shown[k % shown.size()];
            }
            ASSERT_EQ(digest(*view), expected);
            ++looked;
        }
    });
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    const auto rules = mathMicroRules(g.language());
    Saturation saturation(g, rules, {});
    for (int k = 0; k < 8; ++k) {
        const auto view = g.view();
        const std::size_t expected = digest(*view);
        {
            const std::scoped_lock lock(mutex);
            shown.emplace_back(view, expected);
        }
        saturation.step({});
    }
    while (looked < 8)
        std::this_thread::yield();
    done = true;
}

} // namespace
} // namespace marquetry::egraph
