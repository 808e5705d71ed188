// Schedules for tests, built by hand-written rules that share nothing with design extraction, with
// the program they compute and a naive evaluation of it.
//
// Every tensor is H × W × C. Slots are taken round-robin so that a step's input, addend and output
// lie in different ones; nothing is ever overwritten.
#pragma once

#include "engine/design/schedule.h"
#include "engine/ir/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::test {

struct EpilogueSpec {
    design::RequantStage requantBefore;
    bool reluBefore = false;
    std::optional<design::TensorId> addend;
    design::PoolKind pool = design::PoolKind::None;
    std::int64_t poolSize = 1;
    design::RequantStage requantAfter;
    bool reluAfter = false;
    std::optional<design::ActivationStage> leakyBefore;
};

inline design::RequantStage requant(std::int64_t shift, ir::Scalar to = ir::Scalar::I8,
                                    std::int64_t zero = 0) {
    return {true, 1, shift, zero, to};
}

struct ConvSpec {
    std::int64_t rows = 1;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t pad = 0;
};

/// A schedule, its program, and the values of inputs and weights (index: ValueId; op values are
/// filled by `evaluate`).
struct TestDesign {
    design::Schedule schedule;
    ir::Program program;
    std::vector<ir::Tensor> values;

    /// New random inputs; op values become stale.
    void drawInputs(std::uint64_t seed);
    /// Every op value, by the operators' definitions.
    void evaluate();
    std::vector<ir::Tensor> outputs() const;
    std::map<std::string, ir::Tensor> inputs() const;
};

class ScheduleBuilder {
public:
    explicit ScheduleBuilder(std::string name, std::int64_t lanes = 8);

    design::UnitId unit(const std::string& name, std::int64_t parallel,
                        ir::Scalar operand = ir::Scalar::I8, ir::Scalar weight = ir::Scalar::I8);
    /// A unit for one call of conv(), which has the weights inside.
    design::UnitId streamUnit(const std::string& name, std::int64_t parallel, std::int64_t interval,
                              ir::Scalar operand = ir::Scalar::I8,
                              ir::Scalar weight = ir::Scalar::I8);
    /// The unit takes so many words at once.
    void widen(design::UnitId unit, std::int64_t span);
    design::UnitId passUnit(const std::string& name, ir::Scalar operand);
    design::TensorId input(const std::string& name, const ir::Type& type);
    design::TensorId conv(design::UnitId unit, design::TensorId in, const ConvSpec& spec,
                          const EpilogueSpec& epilogue);
    design::TensorId mv(design::UnitId unit, design::TensorId in, std::int64_t rows,
                        const EpilogueSpec& epilogue);
    design::TensorId pass(design::UnitId unit, design::TensorId in, const EpilogueSpec& epilogue);
    void output(const std::string& name, design::TensorId tensor);
    TestDesign finish(std::uint64_t inputSeed = 1);

private:
    struct Call;
    std::int64_t latencyOf(const design::ComputeStep& step) const;
    ir::ValueId add(ir::Value value);
    ir::ValueId op(ir::OpKind kind, std::vector<ir::ValueId> operands, const ir::OpParams& params,
                   const ir::Type& type);
    ir::ValueId weight(design::UnitId unit, ir::Shape dims);
    ir::ValueId applyEpilogue(const EpilogueSpec& spec, ir::ValueId value);
    ir::ValueId requantValue(const design::RequantStage& stage, ir::ValueId value);
    ir::ValueId poolValue(const EpilogueSpec& spec, ir::ValueId value);
    design::TensorId store(ir::ValueId value, std::optional<design::TensorId> input,
                           std::optional<design::TensorId> addend, std::int64_t writeLanes);
    design::TensorId call(design::ComputeStep step, ir::ValueId anchor,
                          const EpilogueSpec& epilogue);

    TestDesign design_;
    std::uint64_t nextSeed_ = 100;
};

/// Joins every step that may be to the one before it, as early as it may start; how many. `loads`:
/// to loads, too, after which the next step cannot be joined to that one.
int joinSteps(design::Schedule& schedule, bool loads = false);

/// Pairs the rows of every unit that may; how many.
int pairRows(design::Schedule& schedule);

} // namespace marquetry::test
