#include "engine/design/banded_layers.h"

#include "engine/design/build_schedule.h"
#include "engine/design/held_of.h"
#include "engine/design/row_bands.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace marquetry::design {

namespace {

class BandWriter {
public:
    BandWriter(const BandedSteps& steps, TensorSlots& slots, Schedule& schedule)
        : steps_(steps), slots_(slots), schedule_(schedule) {
        if (steps.load)
            number(steps.load->tensor);
        for (const ComputeStep& call : steps.calls)
            number(call.output);
        for (const ComputeStep& call : steps.calls)
            use(call);
        planBands(tensors_, uses_, steps.rows);
    }

    void run() {
        for (std::size_t t = 0; t + 1 < tensors_.size(); ++t)
            slots_.holdRows(ids_[t], tensors_[t].kept);
        for (std::size_t band = 0; band < tensors_.back().made.size(); ++band) {
            const std::size_t loads = steps_.load ? 1 : 0;
            if (steps_.load)
                schedule_.steps.emplace_back(LoadStep{
                    steps_.load->port, rowsOf(steps_.load->tensor, tensors_[0].made[band])});
            for (std::size_t k = 0; k < steps_.calls.size(); ++k)
                addCall(steps_.calls[k], tensors_[loads + k].made[band]);
        }
    }

private:
    void number(TensorId id) {
        numbers_.emplace(id, tensors_.size());
        ids_.push_back(id);
        wholes_.emplace(id, schedule_.tensor(id));
        tensors_.push_back({schedule_.tensor(id).height, {}, 0});
    }

    /// Of tensors that lie in rings: the others are there.
    void use(const ComputeStep& call) {
        const std::size_t result = numbers_.at(call.output);
        if (const auto input = numbers_.find(call.input); input != numbers_.end())
            uses_.push_back(useOf(call, input->second, result));
        if (!call.epilogue.addend)
            return;
        if (const auto addend = numbers_.find(*call.epilogue.addend); addend != numbers_.end())
            uses_.push_back({addend->second, result, 1, 1, 0, call.epilogue.poolSize});
    }

    static RowUse useOf(const ComputeStep& call, std::size_t source, std::size_t result) {
        return {source,
                result,
                call.kernel.vertical,
                call.stride.vertical,
                call.pad.vertical,
                call.epilogue.poolSize};
    }

    const StoredTensor& whole(TensorId id) const {
        const auto known = wholes_.find(id);
        return known != wholes_.end() ? known->second : schedule_.tensor(id);
    }

    /// Rows of a tensor, as one of its own. The first of a ring's takes the place of what stood for
    /// the whole value.
    TensorId rowsOf(TensorId id, RowRange rows) {
        const auto [at, fresh] = bands_.try_emplace({id, rows.begin, rows.end});
        if (!fresh)
            return at->second;
        StoredTensor band = whole(id);
        const bool ring = numbers_.contains(id) && id != ids_.back();
        const bool takesPlace = ring && taken_.insert(id).second;
        band.id = takesPlace ? id : TensorId{schedule_.tensors.size()};
        band.base += rows.begin * band.pitch();
        if (ring)
            band.base %= schedule_.slot(band.slot).depth;
        band.firstRow = rows.begin;
        band.height = rows.size();
        band.pixels = band.height * band.width;
        if (takesPlace)
            schedule_.tensors[id.index()] = band;
        else
            schedule_.tensors.push_back(band);
        at->second = band.id;
        return band.id;
    }

    void addCall(const ComputeStep& call, RowRange rows) {
        if (rows.empty())
            return;
        const RowUse use = useOf(call, 0, 0);
        const RowRange read = use.reads(rows, whole(call.input).height);
        ComputeStep step = call;
        step.input = rowsOf(call.input, read);
        step.output = rowsOf(call.output, rows);
        step.height = use.windows(rows).size();
        step.pad.vertical = read.begin - (use.windows(rows).begin * use.stride - use.pad);
        if (call.epilogue.addend)
            step.epilogue.addend = rowsOf(*call.epilogue.addend, use.windows(rows));
        schedule_.steps.emplace_back(std::move(step));
    }

    const BandedSteps& steps_;
    TensorSlots& slots_;
    Schedule& schedule_;
    std::vector<BandedTensor> tensors_;
    std::vector<TensorId> ids_; ///< of the tensors
    std::vector<RowUse> uses_;
    std::map<TensorId, std::size_t> numbers_;
    std::map<TensorId, StoredTensor> wholes_;
    std::set<TensorId> taken_;
    std::map<std::tuple<TensorId, std::int64_t, std::int64_t>, TensorId> bands_;
};

bool isImage(const ir::Type& type) {
    return type.dims.size() == 3;
}

/// No window lies in the padding alone: each reads a row that is there.
bool touchesImage(const ir::Program& program, const ir::Value& anchor) {
    const std::int64_t kernel = anchor.op == ir::OpKind::Conv || anchor.op == ir::OpKind::DwConv
                                    ? program.value(anchor.operands[1]).type.dims[1]
                                    : anchor.params.size.vertical;
    return anchor.params.pad.top < kernel && anchor.params.pad.bottom < kernel;
}

/// Its rows are made of rows of windows, or of single pixels, of its input.
bool makesRows(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer) {
    const ir::Value& anchor = program.value(layer.anchor);
    const bool windows = anchor.op == ir::OpKind::Conv || anchor.op == ir::OpKind::DwConv ||
                         (layer.lanewise && layer.pass);
    const bool pixels = layer.pass && !layer.lanewise && !layer.epilogue.empty();
    if (layer.moves || layer.rows || layer.averages || !layer.others.empty() ||
        !layer.unbuildable.empty() || (!windows && !pixels) ||
        (windows && !layer.pass && !layer.weight) || (windows && !touchesImage(program, anchor)))
        return false;
    const ir::Value& input = program.value(layer.input);
    const bool direct = std::ranges::find(anchor.operands, layer.input) != anchor.operands.end();
    return direct && isImage(input.type) && isImage(program.value(layer.result).type) &&
           plan.storage[layer.input.index()] == layer.input &&
           ir::constantsOf(program, layer).empty();
}

} // namespace

bool mayBand(const ir::Program& program, const ir::LayerPlan& plan, std::size_t first,
             std::size_t last) {
    for (std::size_t k = first; k <= last; ++k)
        if (!makesRows(program, plan, plan.layers[k]))
            return false;
    const auto between = [&](ir::ValueId value) {
        for (std::size_t k = first; k < last; ++k)
            if (plan.layers[k].result == value)
                return true;
        return false;
    };
    for (const ir::Output& output : program.outputs)
        if (between(plan.storage[output.value.index()]))
            return false;
    for (std::size_t k = 0; k < plan.layers.size(); ++k) {
        const ir::Layer& layer = plan.layers[k];
        if (first <= k && k <= last)
            continue;
        if (between(layer.input) || std::ranges::any_of(layer.others, between))
            return false;
        for (const ir::EpilogueOp& op : layer.epilogue)
            if (op.addend && between(*op.addend))
                return false;
    }
    return true;
}

void addBands(const BandedSteps& steps, TensorSlots& slots, Schedule& schedule) {
    BandWriter(steps, slots, schedule).run();
}

} // namespace marquetry::design
