// Two designs side by side: what is matched with what, signs, and what is not compared.
#include "engine/design/compare.h"
#include "engine/design/comparison_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace marquetry::design {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A design made by hand, with the ledger of its layers.
struct Made {
    Design design;
    Ledger ledger;

    Made() {
        design.program = ledger.program = "net";
        design.device = "chip";
        design.macs = 1000;
        design.clockMhz = 100;
        ledger.resources = {{"DSP", 0, 64, 64, {}}, {"M20K", 0, 10, 10, {}}};
    }

    Made& unit(const std::string& name, std::int64_t parallel, std::int64_t lanes) {
        DesignUnit made;
        made.id = UnitId{design.units.size()};
        made.name = name;
        made.parallelism = parallel;
        made.lanes = lanes;
        made.multipliers = parallel * lanes;
        made.resources.dsp = static_cast<double>(made.multipliers);
        design.resources += made.resources;
        design.units.push_back(std::move(made));
        return *this;
    }

    /// Of the unit made last; in the ledger with a clock more, of moves.
    Made& layer(const std::string& name, std::int64_t cycles, std::int64_t waiting = 0) {
        DesignUnit& unit = design.units.back();
        DesignCall call;
        call.id = CallId{design.calls.size()};
        call.layer = name;
        call.unit = unit.id;
        call.cycles = cycles;
        unit.callSites.push_back(call.id);
        design.calls.push_back(std::move(call));
        LedgerRow row;
        row.name = name;
        row.unit = unit.id;
        row.unitName = unit.name;
        row.clocks.taking = cycles - waiting;
        row.clocks.waiting = waiting;
        row.clocks.move = 1;
        row.bound = waiting > cycles / 2 ? ClockPart::Waiting : ClockPart::Multiplying;
        return add(std::move(row));
    }

    /// Of the layer made last.
    Made& weights(bool external) {
        ledger.layers.back().weights = LedgerWeights{external, 4, 8, "as the test says"};
        return *this;
    }

    Made& buffer(const std::string& name, BufferKind kind, std::int64_t words, std::int64_t width,
                 bool weights = false) {
        DesignBuffer made;
        made.id = BufferId{design.buffers.size()};
        made.name = name;
        made.weights = weights;
        made.kind = kind;
        made.words = words;
        made.width = width;
        made.bram = kind == BufferKind::BlockRam ? 1 : 0;
        design.buffers.push_back(std::move(made));
        return *this;
    }

    Made& transfer(const std::string& name, StepKind kind, std::int64_t cycles) {
        LedgerRow row;
        row.name = name;
        row.kind = kind;
        row.clocks.transfer = cycles;
        row.bound = ClockPart::Transfer;
        return add(std::move(row));
    }

    ComparedDesign as(const std::string& name) const { return {name, design, ledger}; }

private:
    Made& add(LedgerRow row) {
        ledger.total += row.clocks;
        design.cycles = ledger.cycles = ledger.total.cycles();
        ledger.layers.push_back(std::move(row));
        return *this;
    }
};

Made usual() {
    return Made()
        .unit("Mv 8×8", 4, 8)
        .transfer("x", StepKind::Load, 10)
        .layer("a", 100)
        .layer("b", 200, 150)
        .transfer("b", StepKind::Store, 5);
}

std::vector<std::string> namesOf(const Comparison& comparison) {
    std::vector<std::string> names;
    for (const ComparedLayer& layer : comparison.layers)
        names.push_back(layer.name + " " + toString(layer.kind) + " " +
                        holdersOf(layer.a.has_value(), layer.b.has_value()));
    return names;
}

const ComparedFigure& figureOf(const Comparison& comparison, const std::string& key) {
    const auto figure = std::ranges::find(comparison.figures, key, &ComparedFigure::key);
    EXPECT_NE(figure, comparison.figures.end()) << key;
    return *figure;
}

Comparison compared(const Made& a, const Made& b) {
    const auto comparison = compareDesigns(a.as("first"), b.as("second"));
    EXPECT_TRUE(comparison.has_value());
    return comparison ? *comparison : Comparison();
}

TEST(CompareDesigns, WithItselfHasNoDifference) {
    const Made one = usual();
    const Comparison comparison = compared(one, one);
    EXPECT_EQ(comparison.wordsA, comparison.wordsB);
    EXPECT_TRUE(comparison.notes.empty());
    for (const ComparisonRows rows : {ComparisonRows::Figures, ComparisonRows::Layers})
        for (std::size_t row = 0; row < comparisonRowCount(comparison, rows); ++row)
            EXPECT_EQ(favouredOf(comparison, rows, row), Favoured::Neither) << row;
    for (const ComparedFigure& figure : comparison.figures)
        EXPECT_EQ(figure.value.difference(), 0) << figure.key;
    for (const ComparedLayer& layer : comparison.layers)
        EXPECT_EQ(layer.a, layer.b);
    ASSERT_EQ(comparison.units.size(), 1U);
    EXPECT_EQ(comparison.units[0].a, comparison.units[0].b);
}

TEST(CompareDesigns, DifferencesAreOfTheSecond) {
    const Made b = Made()
                       .unit("Mv 8×8", 2, 8)
                       .transfer("x", StepKind::Load, 10)
                       .layer("a", 180)
                       .layer("b", 90)
                       .transfer("b", StepKind::Store, 5);
    const Comparison comparison = compared(usual(), b);
    const ComparedFigure& cycles = figureOf(comparison, "cycles");
    EXPECT_EQ(cycles.value.a, 317);
    EXPECT_EQ(cycles.value.b, 287);
    EXPECT_EQ(cycles.value.difference(), -30);
    EXPECT_EQ(figureOf(comparison, "dsp").value.difference(), -16);
    EXPECT_EQ(figureOf(comparison, "waiting").value.difference(), -150);
    EXPECT_EQ(figureOf(comparison, "waiting").value.ratio(), 0);
    EXPECT_EQ(figureOf(comparison, "transfer").value.ratio(), 1);
    EXPECT_EQ(figureOf(comparison, "external_weights").value.ratio(), std::nullopt);
    EXPECT_EQ(figureOf(comparison, "bram").measure, "M20K");
    EXPECT_EQ(favouredOf(comparison, ComparisonRows::Figures, 0), Favoured::B);
    EXPECT_EQ(favouredOf(comparison, ComparisonRows::Layers, 1), Favoured::A);
    EXPECT_EQ(favouredOf(comparison, ComparisonRows::Layers, 2), Favoured::B);
    EXPECT_EQ(comparison.layers[1].a->cycles, 101);
    EXPECT_EQ(comparison.layers[2].a->bound, "memory");
    EXPECT_EQ(comparison.layers[2].b->bound, "compute");
    EXPECT_EQ(comparison.wordsA, "317 cycles, 32 DSP, 0 M20K on chip at 100 MHz");
    const std::string text = comparisonText(comparison);
    EXPECT_THAT(text, HasSubstr("A: 317 cycles, 32 DSP, 0 M20K on chip at 100 MHz (first)\n"));
    EXPECT_THAT(text, HasSubstr("+80"));
    EXPECT_THAT(text, HasSubstr("-30"));
}

TEST(CompareDesigns, ForthAndBackAreOpposite) {
    const Made a = usual();
    const Made b = Made().unit("Mv 8×8", 4, 8).layer("a", 90).unit("Mv 4×4", 1, 4).layer("c", 7);
    const Comparison forth = compared(a, b);
    const Comparison back = compared(b, a);
    ASSERT_EQ(forth.figures.size(), back.figures.size());
    for (std::size_t k = 0; k < forth.figures.size(); ++k) {
        EXPECT_EQ(forth.figures[k].value.a, back.figures[k].value.b);
        EXPECT_EQ(forth.figures[k].value.b, back.figures[k].value.a);
    }
    EXPECT_EQ(forth.layers.size(), back.layers.size());
    for (const ComparedLayer& layer : forth.layers) {
        const auto other = std::ranges::find_if(back.layers, [&](const ComparedLayer& each) {
            return each.name == layer.name && each.kind == layer.kind;
        });
        ASSERT_NE(other, back.layers.end()) << layer.name;
        EXPECT_EQ(layer.a, other->b);
        EXPECT_EQ(layer.b, other->a);
    }
}

TEST(CompareDesigns, LayersOfOneAloneStandWhereTheyRun) {
    const Made a = Made().unit("Mv 8×8", 4, 8).layer("a", 1).layer("c", 1).layer("d", 1);
    const Made b = Made()
                       .unit("Mv 8×8", 4, 8)
                       .layer("first", 1)
                       .layer("a", 1)
                       .layer("b", 1)
                       .layer("b2", 1)
                       .layer("d", 1)
                       .layer("last", 1);
    EXPECT_THAT(namesOf(compared(a, b)),
                ElementsAre("first call only B", "a call both", "b call only B", "b2 call only B",
                            "c call only A", "d call both", "last call only B"));
}

TEST(CompareDesigns, PortsAreNoLayers) {
    const Comparison comparison = compared(usual(), usual());
    EXPECT_THAT(namesOf(comparison),
                ElementsAre("x load both", "a call both", "b call both", "b store both"));
}

TEST(CompareDesigns, UnitsAreMatchedWhereTheHardwareIsEqual) {
    const Made a = Made()
                       .unit("Mv 8×8", 4, 8)
                       .layer("a", 1)
                       .unit("Mv 8×8 #2", 4, 8)
                       .layer("b", 1)
                       .unit("Mv 4×4", 2, 4)
                       .layer("c", 1);
    const Made b =
        Made().unit("Mv 4×4", 1, 4).layer("a", 1).unit("Mv 8×8", 4, 8).layer("b", 1).layer("c", 1);
    std::vector<std::string> units;
    for (const ComparedUnit& unit : compared(a, b).units)
        units.push_back(unit.name + " " + std::to_string(unit.multipliers) + " " +
                        holdersOf(unit.a.has_value(), unit.b.has_value()));
    EXPECT_THAT(units, ElementsAre("Mv 8×8 32 both", "Mv 8×8 32 only A", "Mv 4×4 8 only A",
                                   "Mv 4×4 4 only B"));
}

TEST(CompareDesigns, LayersOfOneNameAreMatchedInTheirOrder) {
    Made a = Made().unit("Mv 8×8", 4, 8).layer("a", 10).layer("a", 20).layer("b", 5);
    Made b = Made().unit("Mv 8×8", 4, 8).layer("a", 11).layer("b", 5).layer("a", 21).layer("a", 31);
    for (Made* const each : {&a, &b})
        each->ledger.missing = "nobody builds it";
    std::vector<std::string> layers;
    for (const ComparedLayer& layer : compared(a, b).layers)
        layers.push_back(layer.name + " " + std::to_string(layer.a ? layer.a->cycles : 0) + " " +
                         std::to_string(layer.b ? layer.b->cycles : 0));
    EXPECT_THAT(layers, ElementsAre("a 10 11", "a 20 21", "a 0 31", "b 5 5"));
}

TEST(CompareDesigns, LayersHaveTheirShareAndThePlaceOfTheirWeights) {
    const Made a = Made()
                       .unit("Mv 8×8", 4, 8)
                       .transfer("x", StepKind::Load, 10)
                       .layer("a", 59)
                       .weights(false)
                       .layer("b", 29)
                       .weights(true);
    const Made b = Made().unit("Mv 8×8", 4, 8).transfer("x", StepKind::Load, 10).layer("a", 29);
    const Comparison comparison = compared(a, b);
    ASSERT_EQ(comparison.layers.size(), 3U);
    EXPECT_EQ(comparison.layers[1].a->share, 60);
    EXPECT_EQ(comparison.layers[1].b->share, 75);
    double all = 0;
    for (const ComparedLayer& layer : comparison.layers)
        all += layer.a->share;
    EXPECT_DOUBLE_EQ(all, 100);
    EXPECT_EQ(comparison.layers[0].a->external, std::nullopt);
    EXPECT_EQ(comparison.layers[1].a->external, false);
    EXPECT_EQ(comparison.layers[1].b->external, std::nullopt);
    EXPECT_EQ(comparison.layers[2].a->external, true);
    const std::string csv = comparisonCsv(comparison, ComparisonRows::Layers);
    EXPECT_THAT(csv, HasSubstr("\"a\",\"call\",60,30,-30,0.5,\"compute\",\"compute\",\"Mv 8×8\","
                               "\"Mv 8×8\",60,75,\"on chip\",,\"B\",\"both\"\n"));
}

TEST(CompareDesigns, BuffersAreMatchedByNameAndOrder) {
    const Made a = usual()
                       .buffer("slot1", BufferKind::LutRam, 16, 8)
                       .buffer("w", BufferKind::BlockRam, 100, 32, true)
                       .buffer("slot0", BufferKind::BlockRam, 64, 8)
                       .buffer("w", BufferKind::BlockRam, 200, 32, true);
    const Made b = usual()
                       .buffer("w", BufferKind::External, 50, 64, true)
                       .buffer("w", BufferKind::BlockRam, 100, 64, true)
                       .buffer("w", BufferKind::LutRam, 7, 8)
                       .buffer("slot0", BufferKind::BlockRam, 96, 8);
    const Comparison comparison = compared(a, b);
    std::vector<std::string> buffers;
    for (const ComparedBuffer& buffer : comparison.buffers)
        buffers.push_back(buffer.name + (buffer.weights ? " weights " : " ") +
                          holdersOf(buffer.a.has_value(), buffer.b.has_value()) + " " +
                          std::to_string(buffer.a ? buffer.a->words : 0) + " " +
                          std::to_string(buffer.b ? buffer.b->words : 0));
    EXPECT_THAT(buffers,
                ElementsAre("w weights both 100 50", "slot0 both 64 96", "w weights both 200 100",
                            "slot1 only A 16 0", "w only B 0 7"));
    EXPECT_EQ(comparison.buffers[0].bits().difference(), 0);
    EXPECT_EQ(comparison.buffers[1].bits().difference(), 256);
    EXPECT_EQ(comparison.buffers[1].bits().ratio(), 1.5);
    EXPECT_EQ(comparison.buffers[3].bits().difference(), std::nullopt);
    const std::string csv = comparisonCsv(comparison, ComparisonRows::Buffers);
    EXPECT_THAT(csv, HasSubstr("\"w\",\"weights\",\"both\",\"block RAM\",\"external\",100,50,3200,"
                               "3200,0,1,1,,\n"));
    EXPECT_THAT(csv, HasSubstr("\"slot1\",\"values\",\"only A\",\"LUT RAM\",,16,,128,,,1,,0,\n"));
    EXPECT_THAT(comparisonText(comparison), HasSubstr("buffers:\n"));
    EXPECT_THAT(comparisonJson(comparison), HasSubstr("\"place\": \"external\""));
}

TEST(CompareDesigns, TheBoundIsThatOfTheSearch) {
    const Made one = usual();
    ComparedDesign a = one.as("A");
    ComparedDesign b = one.as("B");
    a.bound = 317.0 / 2;
    const auto half = compareDesigns(a, b);
    ASSERT_TRUE(half);
    EXPECT_EQ(figureOf(*half, "bound").value.a, 158.5);
    EXPECT_EQ(figureOf(*half, "bound").value.difference(), std::nullopt);
    EXPECT_EQ(figureOf(*half, "gap_percent").value.a, 50);
    b.bound = 317;
    const auto both = compareDesigns(a, b);
    ASSERT_TRUE(both);
    EXPECT_EQ(figureOf(*both, "gap_percent").value.b, 0);
    EXPECT_EQ(figureOf(*both, "gap_percent").value.difference(), -50);
    const Comparison none = compared(one, one);
    EXPECT_EQ(std::ranges::count(none.figures, "bound", &ComparedFigure::key), 0);
}

TEST(CompareDesigns, OfTwoProgramsAreRefused) {
    Made other = Made().unit("Mv 8×8", 4, 8).layer("p", 1).layer("q", 1);
    other.design.program = "other";
    other.design.macs = 7;
    const auto refused = compareDesigns(usual().as("A"), other.as("B"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "compare-programs");
    EXPECT_EQ(refused.error().front().message, "A is a design of 'net', and B one of 'other'");
    EXPECT_FALSE(refused.error().front().hint.empty());
    EXPECT_THAT(refused.error().front().notes,
                ElementsAre("layers with the name of one of the other: 0 of 2 in A",
                            "only in A: a, b", "only in B: p, q",
                            "multiplications of a frame: 1000 in A, 7 in B"));
    other.design.program = "net";
    const auto strangers = compareDesigns(usual().as("A"), other.as("B"));
    ASSERT_FALSE(strangers);
    EXPECT_EQ(strangers.error().front().message,
              "the two designs of 'net' have no layer in common");
}

TEST(CompareDesigns, WithoutALedgerLayersAreCalls) {
    Made none = usual();
    none.ledger = {};
    none.ledger.missing = "nobody builds it";
    const Comparison comparison = compared(usual(), none);
    EXPECT_THAT(namesOf(comparison), ElementsAre("a call both", "b call both"));
    EXPECT_EQ(comparison.layers[0].a->cycles, 100);
    EXPECT_THAT(comparison.notes,
                ElementsAre("B has no ledger, so layers are calls alone: nobody builds it."));
    EXPECT_EQ(figureOf(comparison, "waiting").value.b, std::nullopt);
    EXPECT_EQ(figureOf(comparison, "waiting").value.difference(), std::nullopt);
}

TEST(CompareDesigns, RunsOfOtherLengthsAreComparedByFrames) {
    Made eight = usual();
    eight.design.frames = eight.ledger.frames = 8;
    eight.design.device = "other chip";
    const Comparison comparison = compared(usual(), eight);
    EXPECT_EQ(comparison.notes.size(), 2U);
    const auto favoured = [&](const std::string& key) {
        const auto figure = std::ranges::find(comparison.figures, key, &ComparedFigure::key);
        return favouredOf(comparison, ComparisonRows::Figures,
                          static_cast<std::size_t>(figure - comparison.figures.begin()));
    };
    EXPECT_EQ(favoured("cycles"), Favoured::Neither);
    EXPECT_EQ(favoured("cycles_per_frame"), Favoured::B);
    EXPECT_EQ(favoured("frames_per_second"), Favoured::B);
    eight.ledger.layers[1].clocks.taking = 1;
    EXPECT_EQ(favouredOf(compared(usual(), eight), ComparisonRows::Layers, 1), Favoured::Neither);
}

TEST(CompareDesigns, OfOtherClocksOrProgramsCyclesAreNotBetter) {
    const auto favouredWith = [](const Made& other, const std::string& key) {
        const Comparison comparison = compared(usual(), other);
        EXPECT_EQ(comparison.notes.size(), 1U);
        const auto figure = std::ranges::find(comparison.figures, key, &ComparedFigure::key);
        return favouredOf(comparison, ComparisonRows::Figures,
                          static_cast<std::size_t>(figure - comparison.figures.begin()));
    };
    Made faster = usual();
    faster.design.cycles /= 2;
    faster.design.clockMhz /= 4;
    for (const char* const cycles : {"cycles", "cycles_per_frame"})
        EXPECT_EQ(favouredWith(faster, cycles), Favoured::Neither) << cycles;
    EXPECT_EQ(favouredWith(faster, "frames_per_second"), Favoured::A);
    Made changed = usual();
    changed.design.cycles /= 2;
    changed.design.macs /= 2;
    for (const char* const figure : {"cycles", "cycles_per_frame", "frames_per_second"})
        EXPECT_EQ(favouredWith(changed, figure), Favoured::Neither) << figure;
}

} // namespace
} // namespace marquetry::design
