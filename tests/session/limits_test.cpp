// Budgets of zero, pins that contradict each other or name nothing, time limits shorter than one
// iteration, and long chains: a clear outcome each, and work that grows with the program.
#include "tests/support/cases.h"
#include "tests/support/effort.h"
#include "tests/support/programs.h"

#include "engine/egraph/saturate.h"
#include "engine/session/explore.h"

#include <gmock/gmock.h>

namespace marquetry {

using design::CostModel;
using design::Pin;
using design::PinKind;
using session::Exploration;
using session::Settings;
using ::testing::HasSubstr;

namespace {

constexpr CostModel kModels[] = {CostModel::Cycles, CostModel::Published, CostModel::PublishedOpen};

const char* const kTwoMaps =
    "design d { input x : i8[8, 8, 16] = zeros; weight a : i8[16, 3, 3, 16] = zeros;"
    " weight b : i8[16, 3, 3, 16] = zeros;"
    " let c = relu(requant(conv(x, a, pad: 1), shift: 6));"
    " output y = relu(requant(conv(c, b, pad: 1), shift: 6)); }";

Exploration exploredIn(const std::string& text, const Settings& settings,
                       const std::vector<Pin>& pins = {}) {
    auto result = session::explore(test::programOf(text), settings, pins);
    EXPECT_TRUE(result.has_value()) << format(result.error());
    return *std::move(result);
}

Pin pin(int id, PinKind kind, const std::string& target, const std::string& layer = "") {
    return {id, kind, target, layer, true};
}

/// Convolutions of four different channel counts on small images, over and over.
std::string chainText(int layers) {
    std::string text = "design chain {\n  input x : i8[4, 4, 8] = zeros;\n";
    const int channels[] = {8, 16, 8, 24};
    int depth = 8;
    std::string last = "x";
    for (int k = 0; k < layers; ++k) {
        const std::string id = std::to_string(k);
        const int rows = channels[k % 4];
        text += "  weight w" + id + " : i8[" + std::to_string(rows) + ", 3, 3, " +
                std::to_string(depth) + "] = zeros;\n  let y" + id + " = relu(requant(conv(" +
                last + ", w" + id + ", pad: 1), shift: 6));\n";
        last = "y" + id;
        depth = rows;
    }
    return text + "  output y = " + last + ";\n}\n";
}

/// From text to JSON.
test::Effort exploreEffort(const std::string& text, CostModel cost) {
    Settings settings;
    settings.cost = cost;
    return test::leastEffortOf(test::cases(1, 3), [&] {
        const Exploration result = exploredIn(text, settings);
        EXPECT_NE(result.extraction.design, nullptr);
        EXPECT_GT(exploreJson(result).size(), 1000U);
    });
}

} // namespace

TEST(Budgets, OfZeroNameTheLimitAndWhatIsNeeded) {
    for (CostModel cost : kModels)
        for (const char* limit : {"dsp", "bram", "lut", "ff", "cycles"}) {
            const bool onlyDspAndCycles = cost != CostModel::Cycles;
            const std::string name = limit;
            if (onlyDspAndCycles && name != "dsp" && name != "cycles")
                continue;
            Settings settings;
            settings.cost = cost;
            if (cost == CostModel::Published)
                settings.without = {"sharing"}; // one convolution unit, or conv_count is to blame
            settings.limits[name] = 0;
            const Exploration result =
                exploredIn(cost == CostModel::Published
                               ? "design d { input x : i8[8] = zeros; weight w : i8[4, 8] = zeros;"
                                 " output y = mv(w, x); }"
                               : kTwoMaps,
                           settings);
            EXPECT_EQ(result.extraction.design, nullptr) << limit;
            EXPECT_EQ(result.extraction.status, extract::ExtractStatus::Infeasible) << limit;
            ASSERT_FALSE(result.extraction.infeasible.empty()) << limit;
            const Diagnostic& why = result.extraction.infeasible.front();
            EXPECT_EQ(why.code, "limit-" + name) << why.message;
            EXPECT_THAT(why.message, HasSubstr(name + "=0")) << why.message;
            EXPECT_THAT(why.message, HasSubstr("needs ")) << why.message;
            EXPECT_FALSE(why.hint.empty());
        }
}

TEST(Budgets, OfZeroAreNoMatterToAPass) {
    Settings settings;
    settings.limits["dsp"] = 0;
    const Exploration result =
        exploredIn("design d { input x : i8[16] = zeros; output y = relu(x); }", settings);
    ASSERT_NE(result.extraction.design, nullptr);
    EXPECT_EQ(result.extraction.design->resources.dsp, 0);
}

TEST(ContradictoryPins, AreNamedAndOnlyThey) {
    struct Contradiction {
        CostModel cost;
        Pin a;
        Pin b;
    };
    const std::string conv = "Conv 8×8×16→16 k3";
    const std::string tile = "TiledConvOCH[8, 16]";
    const std::string all = "ParallelDot[16, 16, 144, 0, 0]";
    const std::string half = "ParallelDot[8, 16, 144, 0, 0]";
    const Contradiction contradictions[] = {
        {CostModel::Cycles, pin(1, PinKind::Share, conv), pin(2, PinKind::NeverShare, conv)},
        {CostModel::PublishedOpen, pin(1, PinKind::Share, conv), pin(2, PinKind::NeverShare, conv)},
        {CostModel::Cycles, pin(1, PinKind::ForceTerm, tile, "y"),
         pin(2, PinKind::ForbidTerm, tile)},
        {CostModel::PublishedOpen, pin(1, PinKind::ForceTerm, all, "y"),
         pin(2, PinKind::ForceTerm, half, "y")},
    };
    for (const Contradiction& one : contradictions) {
        Settings settings;
        settings.cost = one.cost;
        const Pin bystander = pin(3, PinKind::NeverShare, "Mv 16×144");
        for (const Pin& alone : {one.a, one.b, bystander})
            EXPECT_NE(exploredIn(kTwoMaps, settings, {alone}).extraction.design, nullptr)
                << toString(alone);
        const Exploration result =
            exploredIn(kTwoMaps, settings,
                       one.a.kind == PinKind::Share ? std::vector<Pin>{one.a, one.b}
                                                    : std::vector<Pin>{one.a, bystander, one.b});
        EXPECT_EQ(result.extraction.design, nullptr);
        ASSERT_FALSE(result.extraction.infeasible.empty());
        const Diagnostic& why = result.extraction.infeasible.front();
        EXPECT_EQ(why.code, "pin-conflict") << why.message;
        std::vector<std::string> named;
        for (const std::string& note : why.notes)
            if (note.starts_with("pin: "))
                named.push_back(note);
        EXPECT_EQ(named,
                  (std::vector<std::string>{"pin: " + toString(one.a), "pin: " + toString(one.b)}));
    }
}

TEST(UnknownPins, AreErrorsThatNameThem) {
    for (PinKind kind :
         {PinKind::Share, PinKind::NeverShare, PinKind::ForceTerm, PinKind::ForbidTerm}) {
        const auto result =
            session::explore(test::programOf(kTwoMaps), {}, {pin(1, kind, "Mv 7×7")});
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().front().code, "pin-unknown");
        EXPECT_THAT(result.error().front().message, HasSubstr("Mv 7×7"));
    }
}

TEST(TimeLimits, ShorterThanAnIterationEndCleanly) {
    for (CostModel cost : kModels)
        for (double seconds : {0.0, 1e-9, 1e-4}) {
            Settings settings;
            settings.cost = cost;
            settings.seconds = seconds;
            const Exploration result = exploredIn(test::vggText(), settings);
            EXPECT_EQ(result.lowered->calls.size(), 14U);
            if (!result.extraction.design) {
                ASSERT_FALSE(result.extraction.infeasible.empty());
                EXPECT_FALSE(result.extraction.infeasible.front().message.empty());
            }
            // What there is stays usable: the same e-graph saturates when it gets the time.
            const auto more =
                egraph::saturate(*result.lowered->egraph, result.lowered->rewrites, {});
            EXPECT_EQ(more.outcome, egraph::StopReason::Saturated);
        }
}

TEST(UncoveredLayers, GetTheirOwnUnits) {
    for (CostModel cost : kModels) {
        Settings settings;
        settings.cost = cost;
        settings.without = {"sharing"};
        const Exploration result =
            exploredIn("design d { input x : i8[8, 16] = zeros; weight w : i8[16, 16] = zeros;"
                       " let s = softmax(requant(mm(x, w), shift: 5)); output t = transpose(s);"
                       " output y = softmax(requant(mm(x, w), shift: 6)); }",
                       settings);
        ASSERT_NE(result.extraction.design, nullptr) << format(result.extraction.infeasible);
        const design::Design& design = *result.extraction.design;
        EXPECT_EQ(design.calls.size(), 5U);
        EXPECT_EQ(design.units.size(), 5U);
        for (const design::DesignUnit& unit : design.units)
            EXPECT_FALSE(unit.shared) << unit.name;
        EXPECT_EQ(design.schedule.has_value(), cost == CostModel::Cycles);
        EXPECT_EQ(design.notExportable.empty(), cost == CostModel::Cycles);
        EXPECT_GT(design.cycles, 0);
    }
}

TEST(LongChains, TakeWorkInProportion) {
    for (CostModel cost : {CostModel::Cycles, CostModel::PublishedOpen}) {
        const int layers = test::cases(20, 125);
        const test::Effort small = exploreEffort(chainText(layers), cost);
        const test::Effort large = exploreEffort(chainText(4 * layers), cost);
        // Four times the layers; quadratic work would be sixteen times as much.
        EXPECT_LT(large, 8 * small) << toString(cost) << " " << small;
    }
}

TEST(LongChains, OfAThousandPassesLeaveTheStackAlone) {
    std::string text = "design d {\n  input x : i8[16] = zeros;\n";
    std::string last = "x";
    for (int k = 0; k < 1000; ++k) {
        const std::string name = "y" + std::to_string(k);
        text += "  let " + name + " = transpose(transpose(reshape(" + last +
                ", dims: [4, 4])));\n  let z" + std::to_string(k) + " = flatten(" + name + ");\n";
        last = "z" + std::to_string(k);
    }
    const Exploration result = exploredIn(text + "  output y = " + last + ";\n}\n", {});
    ASSERT_NE(result.extraction.design, nullptr);
    EXPECT_EQ(result.extraction.design->calls.size(), 2000U);
}

} // namespace marquetry
