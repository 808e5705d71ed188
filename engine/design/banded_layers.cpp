#include "engine/design/banded_layers.h"

#include "engine/cost/call_timing.h"
#include "engine/design/band_order.h"
#include "engine/design/build_schedule.h"
#include "engine/design/cycle_model.h"
#include "engine/design/external_tensors.h"
#include "engine/design/held_of.h"
#include "engine/design/moves_of.h"
#include "engine/design/row_bands.h"
#include "engine/design/step_queues.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

namespace marquetry::design {

namespace {

class BandWriter {
public:
    BandWriter(const BandedSteps& steps, TensorSlots& slots, Schedule& schedule)
        : steps_(steps), slots_(slots), schedule_(schedule) {
        for (const LoadStep& load : steps.loads)
            if (leads(load))
                number(load.tensor, false);
        for (const BandedLayer& layer : steps.layers)
            number(outputOf(layer), false);
        for (const LoadStep& load : steps.loads)
            if (!leads(load))
                number(load.tensor, true);
        for (const BandedLayer& layer : steps.layers) {
            std::visit([&](const auto& made) { use(made); }, layer);
            if (const auto* moves = std::get_if<BandedMoves>(&layer))
                if (moves->ofRow.size() > 1) // two: the last one begins behind the first
                    joined_.emplace(outputOf(layer), tensors_.size() + joined_.size());
        }
        planBands(tensors_, uses_, steps.rows);
    }

    void run() {
        for (std::size_t band = 0; band < tensors_.front().made.size(); ++band)
            listBand(band);
        if (steps_.ahead > 0)
            order();
        placeRings();
        for (const TensorId id : ids_)
            wholes_.emplace(id, schedule_.tensor(id));
        schedule_.order.resize(steps_.ahead > 0 ? schedule_.steps.size() : 0);
        for (const Entry& entry : entries_) {
            std::visit([&](const auto& step) { add(step, entry.rows); }, entry.step);
            if (steps_.ahead > 0)
                schedule_.order.push_back({entry.item.queue});
        }
    }

private:
    /// Of one of its operands.
    struct OperandMoves {
        const BandedMoves* layer = nullptr;
        std::size_t operand = 0;

        const MoveStep& ofRow() const { return layer->ofRow[operand]; }
    };

    /// A step of a band: rows of what it makes, or moves.
    struct Entry {
        std::variant<const LoadStep*, const ComputeStep*, const StoreStep*, OperandMoves> step;
        RowRange rows;
        BandItem item;
    };

    void listBand(std::size_t band) {
        std::size_t chain = 0;
        const auto list = [&](const auto& step, TensorId tensor) {
            const RowRange rows = madeOf(tensor, band);
            if (!rows.empty()) {
                BandItem item = itemOf(step, rows);
                item.band = band;
                item.chain = chain;
                entries_.push_back({step, rows, std::move(item)});
            }
            ++chain;
        };
        for (const LoadStep& load : steps_.loads)
            list(&load, load.tensor);
        for (const BandedLayer& layer : steps_.layers) {
            if (const auto* call = std::get_if<ComputeStep>(&layer))
                list(call, call->output);
            else
                for (std::size_t k = 0; k < std::get<BandedMoves>(layer).ofRow.size(); ++k)
                    list(OperandMoves{&std::get<BandedMoves>(layer), k}, outputOf(layer));
            for (const StoreStep& store : steps_.stores)
                if (store.tensor == outputOf(layer))
                    list(&store, store.tensor);
        }
    }

    BandItem itemOf(const LoadStep* load, RowRange rows) const {
        BandItem item = transferOf(load->tensor, rows, cost::loadCycles);
        item.makes = {numbers_.at(load->tensor), rows};
        return item;
    }

    BandItem itemOf(const StoreStep* store, RowRange rows) const {
        BandItem item = transferOf(store->tensor, rows, cost::storeCycles);
        addRead(item, store->tensor, rows);
        return item;
    }

    /// Of a tensor that lies in a ring, once it is whole.
    void addRead(BandItem& item, TensorId id, RowRange rows) const {
        const auto tensor = numbers_.find(id);
        if (tensor == numbers_.end())
            return;
        item.reads.push_back({tensor->second, rows});
        item.ports.push_back(tensor->second); // each lies in a ring of its own
        if (const auto whole = joined_.find(id); whole != joined_.end())
            item.reads.push_back({whole->second, rows});
    }

    /// `cycles`: of pixels, channels and bits of an element.
    BandItem transferOf(TensorId id, RowRange rows,
                        std::int64_t (*cycles)(std::int64_t, std::int64_t, std::int64_t)) const {
        BandItem item;
        item.queue = Queue::Transfers;
        const StoredTensor& tensor = schedule_.tensor(id);
        item.clocks =
            cycles(rows.size() * tensor.width, tensor.channels, 8 * ir::info(tensor.scalar).bytes);
        return item;
    }

    /// The first operand's takes the place of older rows; with the last one the rows are whole.
    BandItem itemOf(const OperandMoves& moves, RowRange rows) const {
        MoveStep step = moves.ofRow();
        const RowRange read = readBy(moves, rows);
        setRows(step, read);
        BandItem item;
        item.queue = Queue::Transfers;
        item.clocks = cyclesAlone(schedule_, step);
        addRead(item, step.source, read);
        const TensorRows made{numbers_.at(*step.target), rows};
        if (moves.operand == 0)
            item.makes = made;
        else
            item.reads.push_back(made);
        if (moves.operand > 0 && moves.operand + 1 == moves.layer->ofRow.size())
            item.makes = {joined_.at(*step.target), rows};
        return item;
    }

    /// Of an operand, for rows of the result.
    RowRange readBy(const OperandMoves& moves, RowRange rows) const {
        return useOf(*moves.layer, 0, 0).reads(rows, whole(moves.ofRow().source).height);
    }

    static void setRows(MoveStep& step, RowRange read) {
        step.move.source.loops.front().count = read.size();
        step.move.target.loops.front().count = read.size();
    }

    BandItem itemOf(const ComputeStep* call, RowRange rows) const {
        BandItem item;
        item.queue = isSecondary(schedule_, *call) ? Queue::Second : Queue::Calls;
        item.unit = call->unit;
        const RowUse use = useOf(*call, 0, 0);
        ComputeStep step = *call;
        step.height = use.windows(rows).size();
        item.clocks = cyclesAlone(schedule_, step);
        addRead(item, call->input, use.reads(rows, schedule_.tensor(call->input).height));
        if (call->epilogue.addend)
            addRead(item, *call->epilogue.addend, use.windows(rows));
        item.makes = {numbers_.at(call->output), rows};
        return item;
    }

    /// A later band may begin before an earlier one has ended, so rings hold more.
    void order() {
        std::vector<BandItem> items;
        for (const Entry& entry : entries_)
            items.push_back(entry.item);
        std::vector<Entry> ordered;
        for (const std::size_t next : orderBands(items, steps_.ahead).items)
            ordered.push_back(std::move(entries_[next]));
        entries_ = std::move(ordered);
        items.clear();
        for (const Entry& entry : entries_)
            items.push_back(entry.item);
        const std::vector<std::int64_t> kept = ringRows(items, tensors_.size() + joined_.size());
        for (std::size_t t = 0; t < tensors_.size(); ++t)
            tensors_[t].kept = kept[t];
    }

    /// It is of what the first layer reads.
    bool leads(const LoadStep& load) const {
        return load.tensor ==
               std::visit([](const auto& first) { return inputOf(first); }, steps_.layers.front());
    }
    static TensorId inputOf(const ComputeStep& call) { return call.input; }
    static TensorId inputOf(const BandedMoves& moves) { return moves.ofRow.front().source; }
    static TensorId outputOf(const ComputeStep& call) { return call.output; }
    static TensorId outputOf(const BandedMoves& moves) { return *moves.ofRow.front().target; }
    static TensorId outputOf(const BandedLayer& layer) {
        return std::visit([](const auto& made) { return outputOf(made); }, layer);
    }
    bool leaves(TensorId id) const {
        return std::ranges::find(steps_.stores, id, &StoreStep::tensor) != steps_.stores.end();
    }
    bool isRing(TensorId id) const {
        return numbers_.contains(id) && (id != outputOf(steps_.layers.back()) || leaves(id));
    }
    RowRange madeOf(TensorId id, std::size_t band) const {
        return tensors_[numbers_.at(id)].made[band];
    }

    void number(TensorId id, bool brought) {
        numbers_.emplace(id, tensors_.size());
        ids_.push_back(id);
        tensors_.push_back({schedule_.tensor(id).height, {}, 0, brought});
    }

    /// The largest first.
    void placeRings() {
        std::vector<std::size_t> rings;
        for (std::size_t t = 0; t < tensors_.size(); ++t)
            if (isRing(ids_[t]))
                rings.push_back(t);
        const auto bytes = [&](std::size_t t) {
            const StoredTensor& ring = schedule_.tensor(ids_[t]);
            return tensors_[t].kept * ring.width * ring.channels * ir::info(ring.scalar).bytes;
        };
        std::ranges::stable_sort(rings, std::ranges::greater{}, bytes);
        for (const std::size_t t : rings)
            slots_.placeRing(ids_[t], tensors_[t].kept, steps_.time);
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

    void use(const BandedMoves& moves) {
        const std::size_t result = numbers_.at(outputOf(moves));
        for (const MoveStep& step : moves.ofRow)
            if (const auto source = numbers_.find(step.source); source != numbers_.end())
                uses_.push_back(useOf(moves, source->second, result));
            else if (result == 0)
                uses_.push_back(useOf(moves, kThere, result));
    }

    static RowUse useOf(const BandedMoves& moves, std::size_t source, std::size_t result) {
        return {source, result, 1, 1, 0, 1, moves.repeat};
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
        const bool takesPlace = isRing(id) && taken_.insert(id).second;
        band.id = takesPlace ? id : TensorId{schedule_.tensors.size()};
        band.base += rows.begin * band.pitch(); // of a ring: until its depth is known
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

    void add(const LoadStep* load, RowRange rows) {
        LoadStep step = *load;
        step.tensor = rowsOf(load->tensor, rows);
        schedule_.steps.emplace_back(std::move(step));
    }

    void add(const StoreStep* store, RowRange rows) {
        StoreStep step = *store;
        step.tensor = rowsOf(store->tensor, rows);
        schedule_.steps.emplace_back(std::move(step));
    }

    void add(const OperandMoves& moves, RowRange rows) {
        MoveStep step = moves.ofRow();
        const RowRange read = readBy(moves, rows);
        setRows(step, read);
        step.source = rowsOf(step.source, read);
        step.target = rowsOf(*step.target, rows);
        schedule_.steps.emplace_back(std::move(step));
    }

    void add(const ComputeStep* call, RowRange rows) {
        const RowUse use = useOf(*call, 0, 0);
        const RowRange read = use.reads(rows, whole(call->input).height);
        ComputeStep step = *call;
        step.input = rowsOf(call->input, read);
        step.output = rowsOf(call->output, rows);
        step.height = use.windows(rows).size();
        step.pad.vertical = read.begin - (use.windows(rows).begin * use.stride - use.pad);
        if (call->epilogue.addend)
            step.epilogue.addend = rowsOf(*call->epilogue.addend, use.windows(rows));
        schedule_.steps.emplace_back(std::move(step));
    }

    const BandedSteps& steps_;
    TensorSlots& slots_;
    Schedule& schedule_;
    std::vector<BandedTensor> tensors_;
    std::vector<TensorId> ids_; ///< of the tensors
    std::vector<RowUse> uses_;
    std::vector<Entry> entries_;
    std::map<TensorId, std::size_t> numbers_;
    /// Of what several moves make: a number that stands for whole rows of it, behind the tensors'.
    std::map<TensorId, std::size_t> joined_;
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

/// Each of its operands is stored as it is.
bool movesRows(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer) {
    return layer.unbuildable.empty() && layer.epilogue.empty() && rowsOfEachRow(program, layer) &&
           ir::constantsOf(program, layer).empty() &&
           std::ranges::all_of(program.value(layer.anchor).operands, [&](ir::ValueId operand) {
               return plan.storage[operand.index()] == operand;
           });
}

/// Its rows are made of rows of windows, or of single pixels, of its input, or are moved.
bool makesRows(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer) {
    if (layer.moves)
        return movesRows(program, plan, layer);
    const ir::Value& anchor = program.value(layer.anchor);
    const bool windows = anchor.op == ir::OpKind::Conv || anchor.op == ir::OpKind::DwConv ||
                         (layer.lanewise && layer.pass);
    const bool pixels = layer.pass && !layer.lanewise && !layer.epilogue.empty();
    if (layer.rows || layer.averages || !layer.others.empty() || !layer.unbuildable.empty() ||
        (!windows && !pixels) || (windows && !layer.pass && !layer.weight) ||
        (windows && !touchesImage(program, anchor)))
        return false;
    const ir::Value& input = program.value(layer.input);
    const bool direct = std::ranges::find(anchor.operands, layer.input) != anchor.operands.end();
    return direct && isImage(input.type) && isImage(program.value(layer.result).type) &&
           plan.storage[layer.input.index()] == layer.input &&
           ir::constantsOf(program, layer).empty();
}

} // namespace

bool mayLieOutside(const ir::Program& program, const ir::LayerPlan& plan, ir::ValueId value) {
    const ir::Type& type = program.value(value).type;
    if (!mayBeExternal(type) || type.dims[1] < 2 || plan.storage[value.index()] != value)
        return false;
    for (const ir::Output& output : program.outputs)
        if (plan.storage[output.value.index()] == value)
            return false;
    return std::ranges::find(plan.layers, value, &ir::Layer::result) != plan.layers.end();
}

bool mayBand(const ir::Program& program, const ir::LayerPlan& plan, std::size_t first,
             std::size_t last, const std::vector<ir::ValueId>& outside) {
    for (std::size_t k = first; k <= last; ++k)
        if (!makesRows(program, plan, plan.layers[k]))
            return false;
    const auto between = [&](ir::ValueId value) {
        if (std::ranges::find(outside, value) != outside.end())
            return false;
        for (std::size_t k = first; k < last; ++k)
            if (plan.layers[k].result == value)
                return true;
        return false;
    };
    for (const ir::Output& output : program.outputs)
        if (between(plan.storage[output.value.index()]))
            return false;
    for (std::size_t k = 0; k < plan.layers.size(); ++k)
        if ((k < first || k > last) && std::ranges::any_of(storedOperands(plan.layers[k]), between))
            return false;
    return true;
}

void addBands(const BandedSteps& steps, TensorSlots& slots, Schedule& schedule) {
    BandWriter(steps, slots, schedule).run();
}

} // namespace marquetry::design
