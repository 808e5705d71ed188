// Kinds of storage: which buffers a stored value may have, on random programs, and that a buffer
// changes nothing.
#include "tests/support/programs.h"

#include "engine/egraph/saturate.h"
#include "engine/rules/lowering.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace marquetry {

namespace {

using Kinds = std::set<std::string>;

struct Stored {
    rules::Lowered lowered;
    /// By the name of the operator that makes the value.
    std::map<std::string, Kinds> kinds;
};

Stored storeAll(const std::string& text, rules::LoweringParams params = {}) {
    auto lowered = rules::lower(test::programOf(text), params);
    ENGINE_ASSERT(lowered.has_value(), "the program lowers");
    egraph::EGraph& egraph = *lowered->egraph;
    std::erase_if(lowered->rewrites, [](const auto& rule) { return rule.group != "storage"; });
    const auto result = egraph::saturate(egraph, lowered->rewrites, {});
    EXPECT_EQ(result.outcome, egraph::StopReason::Saturated);
    EXPECT_TRUE(egraph.conflicts().empty());
    Stored stored;
    for (const egraph::EClassId id : egraph.eclasses()) {
        if (egraph.language().sortName(egraph.sort(id)) != "stored")
            continue;
        const egraph::EClassId value = egraph.children(egraph.enodes(id)[0])[0];
        // ⟦buf⟧ is the identity: the class has its value's type, and so does every sibling.
        EXPECT_EQ(egraph.fact(id), egraph.fact(value));
        Kinds& kinds = stored.kinds[egraph.language().name(egraph.op(egraph.enodes(value)[0]))];
        for (const egraph::ENodeId node : egraph.enodes(id)) {
            EXPECT_EQ(egraph.find(egraph.children(node)[0]), egraph.find(value));
            kinds.insert(egraph.language().name(egraph.op(node)).substr(4));
        }
    }
    stored.lowered = *std::move(lowered);
    return stored;
}

Kinds kinds(std::int64_t bits, bool weight, bool streams) {
    Kinds expected = {"bram"};
    if (weight)
        expected.insert("external");
    if (bits <= 1024)
        expected.insert("register");
    if (bits <= 32768)
        expected.insert("lutram");
    if (streams)
        expected.insert("stream");
    return expected;
}

std::string number(std::int64_t value) {
    return std::to_string(value);
}

} // namespace

// Widths around every limit, random between.
TEST(StorageKinds, FollowSizeUseAndOrder) {
    SplitMix64 rng(11);
    const std::int64_t edges[] = {1, 127, 128, 129, 4095, 4096, 4097};
    rules::LoweringParams params;
    params.lanes = 8;
    for (int k = 0; k < 240 && !::testing::Test::HasFailure(); ++k) {
        const std::int64_t n = k < 7 ? edges[k] : rng.range(1, 5000);
        const std::int64_t m = k < 7 ? 1 : rng.range(1, 40);
        const std::int64_t h = rng.range(1, 6);
        const std::int64_t c = rng.range(1, 16);
        const bool second = rng.range(0, 1) == 1;
        const std::string text =
            "design d { input x : i8[" + number(n) + "] = zeros; input i : i8[" + number(h) +
            ", 2, " + number(c) + "] = zeros; weight w : i8[" + number(m) + ", " + number(n) +
            "] = zeros; let p = relu(i); output a = mv(w, x); output b = leaky(relu(p), num: 1, "
            "shift: 1);" +
            (second ? " output e = p;" : "") + " }";
        const Stored stored = storeAll(text, params);
        EXPECT_EQ(stored.kinds.at("input x"), kinds(8 * n, false, false)) << text;
        EXPECT_EQ(stored.kinds.at("weight w"), kinds(8 * n * m, true, false)) << text;
        // The image comes pixel by pixel, the pass reads it word by word of the channels.
        EXPECT_EQ(stored.kinds.at("input i"), kinds(16 * h * c, false, c <= 8)) << text;
        EXPECT_EQ(stored.kinds.at("call a"), kinds(32 * m, false, false)) << text;
        // p is stored for its own sake: an output and a pass read it.
        if (second) {
            EXPECT_EQ(stored.kinds.at("relu p"), kinds(16 * h * c, false, false)) << text;
        }
    }
}

TEST(StorageKinds, StreamBetweenPassesButNotIntoPoolsOrBranches) {
    const std::string head = "design d { input i : i8[8, 8, 16] = zeros; ";
    rules::LoweringParams params;
    params.lanes = 8;
    const auto streams = [&](const std::string& rest, const std::string& value) {
        return storeAll(head + rest + " }", params).kinds.at(value).contains("stream");
    };
    // Three activations do not fit one write-back: the third is a pass of its own.
    EXPECT_TRUE(streams("let p = relu(relu(i)); output y = relu(p);", "relu p"));
    // A pool reads its windows, not rows.
    EXPECT_FALSE(streams("let p = relu(relu(i)); output y = maxpool(relu(p), size: 2);", "relu p"));
    // Two readers.
    EXPECT_FALSE(streams("let p = relu(relu(i)); output y = relu(p); output z = p;", "relu p"));
}

TEST(StorageKinds, ArePublishedForExternalWeightsOnly) {
    rules::LoweringParams params;
    params.policy = rules::Policy::Published;
    const Stored stored =
        storeAll("design d { input x : i8[8] = zeros; weight w : i8[2, 8] = zeros;"
                 " output y = mv(w, x); }",
                 params);
    EXPECT_EQ(stored.kinds.at("input x"), Kinds{"bram"});
    EXPECT_EQ(stored.kinds.at("weight w"), (Kinds{"bram", "external"}));
}

} // namespace marquetry
