#include "engine/design/write_back.h"

#include "engine/design/epilogue_of.h"
#include "engine/ir/interpreter.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace marquetry::design {

namespace {

using ir::Range;
using ir::ValueId;

/// Bits of a signed number that can be any of the range.
int signedBits(const Range& range) {
    int bits = 1;
    while (range.lo < -(std::int64_t{1} << (bits - 1)) || range.hi >= std::int64_t{1} << (bits - 1))
        ++bits;
    return bits;
}

/// The hull of what it was given.
struct Hull {
    bool any = false;
    Range range{};

    void include(const Range& other) {
        range = any ? Range{std::min(range.lo, other.lo), std::max(range.hi, other.hi)} : other;
        any = true;
    }
    void include(std::int64_t number) { include(Range{number, number}); }
    bool isOnly(std::int64_t number) const { return !any || range == Range{number, number}; }
    int bits() const { return any ? signedBits(range) : 1; }
};

class FormFinder {
public:
    explicit FormFinder(const ir::Program& program) : program_(program) {}

    void take(const ir::Layer& layer) {
        const Epilogue e = epilogueOf(program_, layer, [](ValueId) { return TensorId(0); });
        std::size_t next = 0;
        const auto rangeNow = [&] {
            return next > 0 ? program_.value(layer.epilogue[next - 1].value).range
                   : layer.pass && !layer.lanewise ? program_.value(layer.input).range
                                                   : program_.value(layer.anchor).range;
        };
        sums_.include(rangeNow());
        next += e.bias ? 1 : 0;
        sums_.include(rangeNow());
        biases_.include(e.bias ? program_.value(*e.bias).range : Range{});
        takeBefore(e.requantBefore);
        next += e.requantBefore.enabled ? 1 : 0;
        next += e.activationBefore.kind != ActivationStage::Kind::None ? 1 : 0;
        values_.include(rangeNow());
        if (e.addend)
            addends_.include(program_.value(*layer.epilogue[next].addend).range);
        weighted_ |= e.weightedAdd.enabled;
        valueMuls_.include(e.weightedAdd.mul);
        addendMuls_.include(e.addendMul);
        next += (e.addend ? 1 : 0) + (e.pool != PoolKind::None ? 1 : 0);
        afters_.include(rangeNow());
        afterMuls_.include(e.requantAfter.mul);
        takeTable(e.activationBefore, looksUpBefore_);
        takeTable(e.activationAfter, looksUpAfter_);
    }

    cost::WriteBackForm finish() {
        cost::WriteBackForm form;
        const auto bitsUnless = [](const Hull& hull, std::int64_t usual) {
            return hull.isOnly(usual) ? 0 : hull.bits();
        };
        form.sumBits = sums_.bits();
        form.biasBits = bitsUnless(biases_, 0);
        form.mulBits = bitsUnless(muls_, 1);
        form.addBits = bitsUnless(adds_, 0);
        const Range shifts = shifts_.range;
        form.leastShift = static_cast<int>(shifts.lo);
        form.mostShift = static_cast<int>(shifts.hi);
        form.shiftBits = shifts.lo == shifts.hi ? 0 : bitsFor(shifts.hi - shifts.lo + 1);
        if (weighted_) {
            form.valueBits = values_.bits();
            form.addendBits = addends_.bits();
            form.valueMulBits = valueMuls_.bits();
            form.addendMulBits = addendMuls_.bits();
        }
        form.afterMulBits = bitsUnless(afterMuls_, 1);
        form.afterBits = form.afterMulBits > 0 ? afters_.bits() : 0;
        form.tableBits = tables_.any ? tables_.bits() : 0;
        form.tablePlaces = (looksUpBefore_ ? 1 : 0) + (looksUpAfter_ ? 1 : 0);
        return form;
    }

private:
    /// What does not requantise multiplies by 1.
    void takeBefore(const RequantStage& stage) {
        const auto include = [&](Hull& hull, std::int64_t number,
                                 const std::optional<ValueId>& numbers) {
            if (numbers)
                hull.include(program_.value(*numbers).range);
            else
                hull.include(number);
        };
        include(muls_, stage.mul, stage.muls);
        include(adds_, stage.add, stage.adds);
        include(shifts_, stage.shift, stage.shifts);
    }

    void takeTable(const ActivationStage& stage, bool& looksUp) {
        if (!stage.table)
            return;
        tables_.include(program_.value(stage.table->entries).range);
        looksUp = true;
    }

    const ir::Program& program_;
    Hull sums_, biases_, muls_, adds_, shifts_, values_, addends_, valueMuls_, addendMuls_, afters_,
        afterMuls_, tables_;
    bool weighted_ = false;
    bool looksUpBefore_ = false, looksUpAfter_ = false;
};

/// Of a number per channel, or of one for all.
std::int64_t numberOf(const std::vector<ir::Tensor>& values, const std::optional<ValueId>& numbers,
                      std::int64_t number, std::int64_t row) {
    return numbers ? values[numbers->index()].data[static_cast<std::size_t>(row)] : number;
}

ScaleFields fieldsOf(const Epilogue& e, const std::vector<ir::Tensor>& values, std::int64_t row) {
    const RequantStage& stage = e.requantBefore;
    return {numberOf(values, e.bias, 0, row), numberOf(values, stage.muls, stage.mul, row),
            numberOf(values, stage.adds, stage.add, row),
            numberOf(values, stage.shifts, stage.shift, row)};
}

/// The tensors that packScales reads, of those of a unit; nothing where one has no source that can
/// be read. Index: ValueId.
std::optional<std::vector<ir::Tensor>> numbersOf(const Schedule& schedule, UnitId unit,
                                                 const ir::Program& program) {
    std::vector<ir::Tensor> values(program.values.size());
    for (const Step& step : schedule.steps) {
        const auto* compute = std::get_if<ComputeStep>(&step);
        if (!compute || compute->unit != unit)
            continue;
        const RequantStage& stage = compute->epilogue.requantBefore;
        for (const auto& id : {compute->epilogue.bias, stage.muls, stage.adds, stage.shifts}) {
            if (!id || !values[id->index()].data.empty())
                continue;
            auto tensor = ir::loadSource(program.value(*id));
            if (!tensor)
                return std::nullopt;
            values[id->index()] = *std::move(tensor);
        }
    }
    return values;
}

/// Of the fields of a lane, those bits that differ from word to word.
class VaryingBits {
public:
    explicit VaryingBits(const cost::WriteBackForm& form) : form_(form) {}

    void include(const ScaleFields& one, const ScaleFields& other) {
        bias_ |= one.bias ^ other.bias;
        mul_ |= one.mul ^ other.mul;
        add_ |= one.add ^ other.add;
        shift_ |= (one.shift - form_.leastShift) ^ (other.shift - form_.leastShift);
    }
    std::int64_t count() const {
        return in(bias_, form_.biasBits) + in(mul_, form_.mulBits) + in(add_, form_.addBits) +
               in(shift_, form_.shiftBits);
    }

private:
    static std::int64_t in(std::int64_t varying, int bits) {
        return std::popcount(static_cast<std::uint64_t>(varying) &
                             ((std::uint64_t{1} << bits) - 1));
    }

    const cost::WriteBackForm& form_;
    std::int64_t bias_ = 0, mul_ = 0, add_ = 0, shift_ = 0;
};

} // namespace

cost::WriteBackForm writeBackForm(const ir::Program& program, const ir::LayerPlan& plan,
                                  bool pass) {
    std::vector<const ir::Layer*> layers;
    for (const ir::Layer& layer : plan.layers)
        if (layer.pass == pass && !layer.moves && !layer.rows && layer.unbuildable.empty())
            layers.push_back(&layer);
    return writeBackForm(program, layers);
}

cost::WriteBackForm writeBackForm(const ir::Program& program,
                                  const std::vector<const ir::Layer*>& layers) {
    FormFinder finder(program);
    for (const ir::Layer* layer : layers)
        finder.take(*layer);
    return finder.finish();
}

device::Resources writeBackResources(const WriteBack& writeBack, std::int64_t parallel,
                                     std::int64_t numberBits) {
    device::Resources resources = cost::laneResources(writeBack.form, parallel, writeBack.lanes);
    resources.bram += cost::romBlocks(writeBack.words, numberBits);
    // Every lane has its own.
    if (!writeBack.tables.empty())
        resources.bram +=
            static_cast<double>(writeBack.lanes * writeBack.form.tablePlaces) *
            cost::romBlocks(256 * std::ssize(writeBack.tables), writeBack.form.tableBits);
    return resources;
}

std::vector<ScaleFields> packScales(const Schedule& schedule, UnitId id,
                                    const std::vector<ir::Tensor>& values) {
    const ScheduleUnit& unit = schedule.unit(id);
    if (!unit.writeBack)
        return {};
    const std::int64_t least = unit.writeBack->form.leastShift;
    std::vector<ScaleFields> packed(
        static_cast<std::size_t>(unit.writeBack->words * unit.writeBack->lanes), {0, 0, 0, least});
    if (packed.empty())
        return packed;
    std::set<std::pair<std::string, std::int64_t>> known; // of bands and groups, the first says all
    for (const Step& step : schedule.steps) {
        const auto* compute = std::get_if<ComputeStep>(&step);
        if (!compute || compute->unit != id ||
            !known.emplace(compute->layer, compute->scaleBase).second)
            continue;
        for (std::int64_t row = 0; row < compute->rows; ++row)
            packed[static_cast<std::size_t>(compute->scaleBase * unit.parallel + row)] =
                fieldsOf(compute->epilogue, values, row);
    }
    return packed;
}

std::int64_t numberBits(const Schedule& schedule, UnitId id, const ir::Program& program) {
    const ScheduleUnit& unit = schedule.unit(id);
    if (!unit.writeBack || unit.writeBack->words == 0)
        return 0;
    const auto values = numbersOf(schedule, id, program);
    if (!values)
        return unit.writeBack->lanes * unit.writeBack->form.fieldBits();
    const std::vector<ScaleFields> packed = packScales(schedule, id, *values);
    const auto lanes = static_cast<std::size_t>(unit.writeBack->lanes);
    std::int64_t bits = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        VaryingBits varying(unit.writeBack->form);
        for (std::size_t at = lane; at < packed.size(); at += lanes)
            varying.include(packed[lane], packed[at]);
        bits += varying.count();
    }
    return bits;
}

std::vector<std::int64_t> packTables(const Schedule& schedule, UnitId id,
                                     const std::vector<ir::Tensor>& values) {
    const ScheduleUnit& unit = schedule.unit(id);
    std::vector<std::int64_t> packed;
    if (!unit.writeBack)
        return packed;
    // What looks up is signed or not; of fewer than 8 bits it is stored as if it had 8.
    for (const LookUp& table : unit.writeBack->tables) {
        const std::vector<std::int64_t>& entries = values[table.entries.index()].data;
        const std::size_t least = table.isSigned ? entries.size() / 2 : 0;
        for (std::size_t low = 0; low < 256; ++low) {
            const std::size_t entry = (low + least) % 256;
            packed.push_back(entry < entries.size() ? entries[entry] : 0);
        }
    }
    return packed;
}

} // namespace marquetry::design
