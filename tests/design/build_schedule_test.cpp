// Schedules built from layer plans: they compute the program, and slots are never overwritten
// while somebody still needs them.
#include "engine/design/build_schedule.h"
#include "engine/ir/interpreter.h"
#include "engine/rules/lowering.h"
#include "tests/lower_design/random_design.h"
#include "tests/oracles/simulate.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {

using design::ComputeStep;
using design::LoadStep;
using design::MoveStep;
using design::Schedule;
using design::SlotId;
using design::StoreStep;
using design::TensorId;

namespace {

/// Every layer on a random unit of its own types; some units are shared.
design::ScheduleRequest requestFor(const ir::Program& program, const ir::LayerPlan& plan,
                                   SplitMix64& rng) {
    design::ScheduleRequest request;
    request.program = &program;
    request.plan = &plan;
    request.lanes = std::int64_t{8} << rng.range(0, 2);
    for (const ir::Layer& layer : plan.layers) {
        design::ScheduleUnit unit;
        unit.pass = layer.pass;
        unit.operand = program.value(layer.input).type.scalar;
        if (layer.weight)
            unit.weight = program.value(*layer.weight).type.scalar;
        unit.parallel = layer.pass ? request.lanes : test::anyParallel(rng);
        std::size_t u = 0;
        while (u < request.units.size() &&
               !(request.units[u].pass == unit.pass && request.units[u].operand == unit.operand &&
                 request.units[u].weight == unit.weight && rng.range(0, 1) == 0))
            ++u;
        if (u == request.units.size()) {
            unit.id = design::UnitId{u};
            unit.name = "unit" + std::to_string(u);
            request.units.push_back(unit);
        }
        request.layerUnits.emplace_back(u);
    }
    return request;
}

std::vector<TensorId> readBy(const design::Step& step) {
    if (const auto* store = std::get_if<StoreStep>(&step))
        return {store->tensor};
    if (const auto* move = std::get_if<MoveStep>(&step))
        return {move->source};
    const auto* compute = std::get_if<ComputeStep>(&step);
    if (compute == nullptr)
        return {};
    std::vector<TensorId> tensors = {compute->input};
    if (compute->epilogue.addend)
        tensors.push_back(*compute->epilogue.addend);
    return tensors;
}

/// Plays the steps: who wrote each slot last must be whom the reader expects.
void expectSlotsHold(const Schedule& schedule, const std::string& what) {
    std::vector<std::optional<TensorId>> content(schedule.slots.size());
    const auto write = [&](TensorId id) {
        const design::StoredTensor& tensor = schedule.tensor(id);
        const design::Slot& slot = schedule.slot(tensor.slot);
        EXPECT_LE(tensor.base + tensor.words(), slot.depth) << what;
        EXPECT_GE(slot.storedLanes, std::min(tensor.channels, schedule.lanes)) << what;
        EXPECT_EQ(slot.storedLanes % slot.writeLanes, 0) << what;
        EXPECT_EQ(ir::info(tensor.scalar).bytes * 8, slot.elementBits) << what;
        content[tensor.slot.index()] = id;
    };
    for (const design::Step& step : schedule.steps) {
        for (TensorId id : readBy(step))
            EXPECT_EQ(content[schedule.tensor(id).slot.index()], id) << what;
        if (const auto* load = std::get_if<LoadStep>(&step))
            write(load->tensor);
        if (const auto* move = std::get_if<MoveStep>(&step); move && move->target) {
            const SlotId slot = schedule.tensor(*move->target).slot;
            EXPECT_NE(schedule.tensor(move->source).slot, slot) << what;
            EXPECT_EQ(move->move.together % schedule.slot(slot).writeLanes, 0) << what;
            write(*move->target);
        }
        const auto* compute = std::get_if<ComputeStep>(&step);
        if (compute == nullptr)
            continue;
        for (TensorId id : readBy(step))
            EXPECT_NE(schedule.tensor(id).slot, schedule.tensor(compute->output).slot) << what;
        EXPECT_LE(schedule.slot(schedule.tensor(compute->output).slot).writeLanes,
                  schedule.unit(compute->unit).writeLanes(schedule.lanes))
            << what;
        write(compute->output);
    }
}

/// What some programs have in common with their schedules.
struct Scheduled {
    int programs = 0;
    int layers = 0;
    int joined = 0; ///< operators at the write-back of another
    int passes = 0;
    int addends = 0;
    int pools = 0;
};

Scheduled scheduleRandomPrograms(bool fusion) {
    Scheduled seen;
    for (std::uint64_t seed = 0; seed < 1000 && !::testing::Test::HasFailure(); ++seed) {
        SplitMix64 rng(seed);
        const std::string text =
            test::randomProgramText(seed, {static_cast<int>(rng.range(1, 6)), 6, 20});
        const auto program = test::programOf(text);
        const ir::LayerPlan plan = ir::planLayers(*program, {fusion});
        if (!plan.unsupported.empty() || plan.firstUnbuildable() != nullptr)
            continue;
        ++seen.programs;
        const Schedule schedule = buildSchedule(requestFor(*program, plan, rng));
        expectSlotsHold(schedule, text);
        for (const ir::Layer& layer : plan.layers) {
            ++seen.layers;
            seen.joined += static_cast<int>(layer.epilogue.size());
            seen.joined -= layer.pass && !layer.epilogue.empty();
            seen.passes += layer.pass;
            for (const ir::EpilogueOp& op : layer.epilogue) {
                seen.addends += op.kind == ir::EpilogueKind::Add;
                seen.pools +=
                    op.kind == ir::EpilogueKind::MaxPool || op.kind == ir::EpilogueKind::SumPool;
            }
        }
        const auto expected = ir::interpret(*program, {});
        EXPECT_TRUE(expected.has_value());
        const auto got = design::simulate(schedule, *program, expected->values);
        EXPECT_EQ(got.size(), program->outputs.size());
        for (std::size_t k = 0; k < got.size(); ++k)
            EXPECT_EQ(got[k], expected->values[program->outputs[k].value.index()])
                << text << "output " << program->outputs[k].name;
    }
    return seen;
}

} // namespace

TEST(BuildSchedule, ComputesWhatTheInterpreterDoes) {
    const Scheduled seen = scheduleRandomPrograms(true);
    EXPECT_GT(seen.programs, 400);
    EXPECT_GT(seen.passes, 100);
    EXPECT_GT(seen.addends, 50);
    EXPECT_GT(seen.pools, 60);
}

// R3-FUSE is an equality: with every operator in a pass of its own the results are the same.
TEST(BuildSchedule, ComputesTheSameWithoutFusion) {
    const Scheduled fused = scheduleRandomPrograms(true);
    const Scheduled separate = scheduleRandomPrograms(false);
    EXPECT_GT(separate.programs, 200);
    EXPECT_GT(separate.addends, 50);
    EXPECT_GT(separate.layers, fused.layers);
    EXPECT_GT(fused.joined, 500);
    EXPECT_EQ(separate.joined, 0);
}

TEST(BuildSchedule, ReusesTheSlotsOfAChain) {
    std::string text = "design chain { input x : i8[16] = zeros;\n";
    std::string last = "x";
    for (int k = 0; k < 10; ++k) {
        const std::string id = std::to_string(k);
        text.append("weight w").append(id).append(" : i8[16, 16] = zeros; let y").append(id);
        text.append(" = requant(mv(w").append(id).append(", ").append(last);
        text.append("), shift: 4);\n");
        last.assign("y").append(id);
    }
    const auto program = test::programOf(text + "output out = " + last + "; }");
    const ir::LayerPlan plan = ir::planLayers(*program);
    SplitMix64 rng(1);
    const Schedule schedule = buildSchedule(requestFor(*program, plan, rng));
    EXPECT_EQ(schedule.slots.size(), 2U);
    EXPECT_EQ(schedule.steps.size(), 12U);
}

// Rows of a left matrix are pixels to a unit of convolutions, whatever reshape they come from.
TEST(BuildSchedule, MultipliesMatrices) {
    for (std::uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
        SplitMix64 rng(seed);
        const std::int64_t height = rng.range(1, 4);
        const std::int64_t width = rng.range(1, 4);
        const std::int64_t depth = rng.range(1, 20);
        const std::int64_t rows = rng.range(1, 20);
        const auto dims = [](std::initializer_list<std::int64_t> list) {
            std::string text;
            for (std::int64_t dim : list)
                text += (text.empty() ? "[" : ", ") + std::to_string(dim);
            return text + "]";
        };
        const std::string text =
            "design d { input x : i8" + dims({height, width, depth}) + " = random(seed: 1);" +
            " weight a : i8" + dims({rows, depth}) + " = random(seed: 2);" + " weight b : u8" +
            dims({rows, rows}) + " = random(seed: 3);" +
            " let p = relu(requant(mm(reshape(x, dims: " + dims({height * width, depth}) +
            "), a), shift: 5)); let q = requant(mm(p, b), shift: 7);" +
            " output r = requant(add(q, p), shift: 1); output s = q; }";
        const auto program = test::programOf(text);
        const ir::LayerPlan plan = ir::planLayers(*program);
        ASSERT_TRUE(plan.unsupported.empty()) << text;
        ASSERT_EQ(plan.firstUnbuildable(), nullptr) << plan.firstUnbuildable()->unbuildable;
        const Schedule schedule = buildSchedule(requestFor(*program, plan, rng));
        expectSlotsHold(schedule, text);
        const auto expected = ir::interpret(*program, {});
        ASSERT_TRUE(expected.has_value());
        const auto got = design::simulate(schedule, *program, expected->values);
        ASSERT_EQ(got.size(), 2U);
        for (std::size_t k = 0; k < got.size(); ++k)
            EXPECT_EQ(got[k], expected->values[program->outputs[k].value.index()]) << text;
    }
}

// An image of three channels would otherwise take as much memory as one of 64.
TEST(BuildSchedule, AnImageOfFewChannelsIsStoredInNarrowWords) {
    const auto program = test::programOf(R"(design narrow {
  input  x : i8[40, 40, 3];
  weight w : i8[16, 3, 3, 3] = random(seed: 1);
  weight v : i8[64, 3, 3, 16] = random(seed: 2);
  let    c = requant(conv(x, w), shift: 8);
  output z = requant(conv(c, v), shift: 8);
}
)");
    const ir::LayerPlan plan = ir::planLayers(*program);
    design::ScheduleRequest request{program.get(), &plan, 64, {}, {}};
    design::ScheduleUnit unit;
    unit.id = design::UnitId{0};
    unit.name = "conv";
    unit.parallel = 16;
    request.units = {unit};
    request.layerUnits.assign(plan.layers.size(), design::UnitId{0});
    const Schedule schedule = design::buildSchedule(request);
    ASSERT_EQ(schedule.tensors.size(), 3U);
    const std::int64_t lanes[] = {4, 16, 64};
    for (std::size_t t = 0; t < 3; ++t) {
        const design::Slot& slot = schedule.slot(schedule.tensors[t].slot);
        EXPECT_EQ(slot.storedLanes, lanes[t]) << schedule.tensors[t].name;
        EXPECT_EQ(slot.writeLanes, t == 0 ? 4 : 16);
    }
}

TEST(BuildSchedule, NamesAreIdentifiers) {
    EXPECT_EQ(design::identifier("vgg-16"), "vgg_16");
    EXPECT_EQ(design::identifier("1st"), "_1st");
    EXPECT_EQ(design::identifier(""), "_");
}

} // namespace marquetry
