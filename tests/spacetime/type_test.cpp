// Space-time types: metrics, slots, normal form, drawings, the types for a throughput.
#include "engine/spacetime/drawing.h"
#include "engine/spacetime/layer_shape.h"
#include "engine/spacetime/output_types.h"
#include "engine/spacetime/wave.h"
#include "tests/spacetime/byte_type.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace marquetry::spacetime {
namespace {

TEST(SeqType, DivisorsAscend) {
    for (std::int64_t n = 1; n <= 1000; ++n) {
        std::vector<std::int64_t> expected;
        for (std::int64_t d = 1; d <= n; ++d) {
            if (n % d == 0)
                expected.push_back(d);
        }
        EXPECT_EQ(divisors(n), expected) << n;
    }
    EXPECT_EQ(divisors(std::int64_t{1} << 40).size(), 41U);
    EXPECT_EQ(divisors(963761198400).size(), 6720U); // 2^6 · 3^4 · 5^2 · 7 · 11 · 13 · 17 · 19 · 23
    EXPECT_EQ(divisors(1000003), (std::vector<std::int64_t>{1, 1000003}));
}

TEST(SeqType, MetricsOfALayer) {
    const SeqType t = tseq(4, 2, sseq(3, tseq(1, 1, kByte)));
    EXPECT_EQ(toString(t), "TSeq 4 2 (SSeq 3 (TSeq 1 1 u8))");
    EXPECT_EQ(clocks(t), 12);
    EXPECT_EQ(validClocks(t), 4);
    EXPECT_EQ(lanes(t), 3);
    EXPECT_EQ(atomCount(t), 12);
    EXPECT_EQ(bitsPerClock(t), 24);
    EXPECT_EQ(bitsTotal(t), 96);
    EXPECT_EQ(throughput(t), (Throughput{1, 1}));
    EXPECT_EQ(toString(erase(t)), "Seq 4 Seq 3 Seq 1 u8");
}

TEST(SeqType, ATupleIsOneElement) {
    const SeqType t = tseq(2, 1, stuple(3, kByte));
    EXPECT_EQ(throughput(t), (Throughput{2, 3}));
    EXPECT_EQ(atomCount(t), 6);
    EXPECT_EQ(bitsPerClock(t), 24);
}

TEST(SeqType, TheNormalFormOfTheReference) {
    EXPECT_EQ(normalize(sseq(1, tseq(1, 0, stuple(1, kByte)))), kByte);
    EXPECT_EQ(normalize(sseq(2, stuple(3, kByte))), sseq(6, kByte));
    EXPECT_EQ(normalize(tseq(3, 2, tseq(4, 0, kByte))), tseq(12, 8, kByte));
    EXPECT_EQ(normalize(tseq(3, 0, tseq(4, 1, kByte))), tseq(3, 0, tseq(4, 1, kByte)));
    EXPECT_EQ(normalize(tseq(1, 2, tseq(4, 1, kByte))), tseq(4, 11, kByte));
    EXPECT_FALSE(equivalent(sseq(2, tseq(2, 0, kByte)), tseq(2, 0, sseq(2, kByte))));
}

/// Which element is in each slot, by the definition of the layers: an element's clocks follow each
/// other in a TSeq, its lanes lie next to each other otherwise.
using Slot = std::pair<std::int64_t, std::int64_t>;
void place(const SeqType& type, Slot at, std::vector<Slot>& slots) {
    if (type.is(SeqType::Kind::Atom)) {
        slots.push_back(at);
        return;
    }
    for (std::int64_t k = 0; k < type.length; ++k) {
        const SeqType& e = type.element();
        place(e,
              type.is(SeqType::Kind::TSeq) ? Slot{at.first + k * clocks(e), at.second}
                                           : Slot{at.first, at.second + k * lanes(e)},
              slots);
    }
}

std::vector<Slot> slotsOf(const SeqType& type) {
    std::vector<Slot> slots;
    place(type, {0, 0}, slots);
    return slots;
}

/// All types of at most three layers with small numbers.
std::vector<SeqType> smallTypes() {
    std::vector<SeqType> all = {kByte};
    std::size_t from = 0;
    for (int layer = 0; layer < 3; ++layer) {
        const std::size_t until = all.size();
        for (; from < until; ++from) {
            const SeqType inner = all[from];
            for (const std::int64_t n : {1, 2, 3}) {
                all.push_back(sseq(n, inner));
                all.push_back(stuple(n, inner));
                for (const std::int64_t idle : {0, 1, 2})
                    all.push_back(tseq(n, idle, inner));
            }
        }
    }
    return all;
}

TEST(SeqType, SameNormalFormExactlyIfSameSlots) {
    std::map<std::pair<std::int64_t, std::vector<Slot>>, std::string> formOfSlots;
    std::set<std::string> forms;
    for (const SeqType& type : smallTypes()) {
        const SeqType form = normalize(type);
        ASSERT_EQ(slotsOf(form), slotsOf(type)) << toString(type);
        ASSERT_EQ(clocks(form), clocks(type)) << toString(type);
        ASSERT_EQ(normalize(form), form) << toString(type);
        const auto [known, fresh] =
            formOfSlots.emplace(std::pair(clocks(type), slotsOf(type)), toString(form));
        ASSERT_EQ(known->second, toString(form)) << toString(type);
        forms.insert(toString(form));
    }
    EXPECT_EQ(forms.size(), formOfSlots.size());
}

TEST(Wave, ElementsLieInTheirSlots) {
    for (const SeqType& type : smallTypes()) {
        const std::int64_t size = atomCount(type);
        Slots words;
        for (std::int64_t k = 0; k < size; ++k)
            words.push_back(100 + k);
        Slots expected(static_cast<std::size_t>(clocks(type) * lanes(type)), kInvalid);
        const std::vector<Slot> slots = slotsOf(type);
        for (std::size_t k = 0; k < slots.size(); ++k)
            expected[static_cast<std::size_t>(slots[k].first * lanes(type) + slots[k].second)] =
                words[k];
        ASSERT_EQ(toWave(type, words), expected) << toString(type);
        ASSERT_EQ(fromWave(type, expected), words) << toString(type);
        for (std::int64_t c = 0; c < clocks(type); ++c) {
            for (std::int64_t l = 0; l < lanes(type); ++l) {
                const std::int64_t word = expected[static_cast<std::size_t>(c * lanes(type) + l)];
                ASSERT_EQ(elementAt(type, c, l), word == kInvalid ? -1 : word - 100);
            }
        }
    }
}

TEST(Wave, LeavesOfPairsStayTogether) {
    const SeqType pairs =
        sseq(2, tseq(2, 1, atomType(ir::pairOf(ir::fixedStream(), ir::fixedStream()))));
    EXPECT_EQ(toWave(pairs, {1, 2, 3, 4, 5, 6, 7, 8}),
              (Slots{1, 2, 5, 6, 3, 4, 7, 8, kInvalid, kInvalid, kInvalid, kInvalid}));
}

TEST(Drawing, TwoTypesNextToEachOther) {
    EXPECT_EQ(drawBoth(tseq(2, 1, sseq(2, kByte)), tseq(3, 0, kByte)),
              (std::vector<std::string>{"found                 expected",
                                        "TSeq 2 1 (SSeq 2 u8)  TSeq 3 0 u8",
                                        "lane 0  0 2 .         lane 0  0 1 2", "lane 1  1 3 ."}));
    const std::vector<std::string> big = draw(sseq(20, tseq(30, 0, kByte)));
    EXPECT_EQ(big.size(), 2U + kDrawnLanes);
    EXPECT_EQ(big[1], "lane 0  0   1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  …");
}

std::set<std::string> names(const std::vector<SeqType>& types) {
    std::set<std::string> all;
    for (const SeqType& type : types)
        all.insert(toString(type));
    return all;
}

TEST(OutputTypes, TheSixOfThePaper) {
    const auto types = outputTypes(ir::seqOf(8, ir::scalarStream(ir::Scalar::U8)), 24);
    EXPECT_EQ(types.size(), 6U);
    const std::set<std::string> six = {
        "TSeq 8 16 (SSeq 1 u8)",   "TSeq 8 16 u8",
        "TSeq 8 0 (TSeq 1 2 u8)",  "TSeq 8 4 (TSeq 1 1 u8)",
        "TSeq 8 16 (TSeq 1 0 u8)", "TSeq 8 16 (TSeq 1 0 (TSeq 1 0 u8))"};
    EXPECT_EQ(names(types), six);
}

TEST(OutputTypes, AllTakeTheTimeAndHoldTheElements) {
    const ir::StreamType type =
        ir::seqOf(6, ir::seqOf(4, ir::tupleOf(2, ir::scalarStream(ir::Scalar::U8))));
    for (const std::int64_t time : {1, 2, 3, 4, 5, 6, 8, 12, 24, 30, 36, 48, 72, 96}) {
        const auto types = outputTypes(type, time);
        EXPECT_FALSE(types.empty()) << time;
        for (const SeqType& found : types) {
            EXPECT_EQ(clocks(found), time);
            EXPECT_EQ(atomCount(found), 48);
            EXPECT_EQ(slotsOf(found).size(), 48U);
        }
    }
}

/// Counts by trying every idle time, as published.
std::size_t publishedCount(std::int64_t n, std::int64_t time) {
    if (time == 1)
        return 1;
    std::size_t count = time >= n ? 2 : 1;
    for (std::int64_t idle = 0; idle <= time - n; ++idle) {
        if (time % (n + idle) != 0)
            continue;
        ++count;
        for (std::int64_t root = 1; root <= time; ++root)
            count += root * root == time / (n + idle) ? 1 : 0;
    }
    return count;
}

TEST(OutputTypes, NoneIsMissedByDivisors) {
    for (std::int64_t n = 1; n <= 12; ++n) {
        for (std::int64_t time = 1; time <= 60; ++time) {
            const auto types = layerTypes(n, time, kByte);
            EXPECT_EQ(types.size(), publishedCount(n, time)) << n << " " << time;
            EXPECT_EQ(names(types).size(), types.size());
        }
    }
}

} // namespace
} // namespace marquetry::spacetime
