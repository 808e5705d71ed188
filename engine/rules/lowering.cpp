#include "engine/rules/lowering.h"

#include "engine/ir/fold_constants.h"
#include "engine/rules/lanes.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace marquetry::rules {

namespace {

using egraph::EClassId;
using ir::Layer;
using ir::Program;
using ir::UnitFunction;
using ir::UnitShape;
using ir::ValueId;

/// The sizes units can meet at. Under Cycles a column is one of a stored word, so a stencil's or a
/// depth-wise kernel's are none.
void extend(Menu& menu, const UnitShape& shape) {
    switch (shape.function) {
    case UnitFunction::Map:
        return;
    case UnitFunction::DwConv:
        menu.pixels.insert({shape.height, shape.width});
        return;
    case UnitFunction::Conv1DW:
    case UnitFunction::Conv1DH:
        if (menu.policy != Policy::Published)
            return;
        break;
    case UnitFunction::Conv:
        menu.channels.insert(shape.channels);
        if (shape.kernel.isSquare())
            menu.kernels.insert(shape.kernel.vertical);
        menu.pixels.insert({shape.height, shape.width});
        break;
    case UnitFunction::Mm:
        menu.vectors.insert(shape.height);
        break;
    default:
        break;
    }
    menu.rows.insert(shape.rows);
    menu.cols.insert(shape.cols);
}

class Lowering {
public:
    Lowering(Lowered& lowered) : lowered_(lowered), program_(*lowered.program) {}

    void run() {
        declareOperators();
        lowered_.facts = std::make_shared<Facts>(lowered_.terms);
        for (const auto& [op, type] : valueTypes_)
            lowered_.facts->setValueType(op, type);
        lowered_.egraph =
            std::make_unique<egraph::EGraph>(lowered_.terms.language, lowered_.facts.get());
        stored_.resize(program_.values.size());
        for (ValueId input : program_.inputs)
            store(lowered_.plan.storage[input.index()],
                  lowered_.egraph->add(valueOps_[input.index()], {}, {}));
        for (std::size_t k = 0; k < lowered_.plan.layers.size(); ++k)
            lowerLayer(k);
        lowerOutputs();
        describeStored();
        lowered_.egraph->rebuild();
        describeJoins();
    }

private:
    void declareOperators() {
        auto language = std::make_shared<egraph::Language>();
        const auto unit = language->addSort("unit");
        const auto value = language->addSort("value");
        const auto stored = language->addSort("stored");
        TermLanguage& terms = lowered_.terms;
        for (std::size_t k = 0; k < kSkeletonCount; ++k) {
            const SkeletonInfo& entry = info(static_cast<Skeleton>(k));
            std::vector<egraph::SortId> children;
            if (entry.role != SkeletonRole::Leaf)
                children.push_back(unit);
            terms.skeletons[k] = language->addOp({entry.name, unit, children, entry.params});
        }
        terms.bufferBlockRam = language->addOp({"buf:bram", stored, {value}});
        terms.bufferExternal = language->addOp({"buf:external", stored, {value}});
        terms.bufferRegister = language->addOp({"buf:register", stored, {value}});
        terms.bufferLutRam = language->addOp({"buf:lutram", stored, {value}});
        terms.bufferStream = language->addOp({"buf:stream", stored, {value}});
        terms.seq = language->addOp({"Seq", unit, {unit, unit}});
        valueOps_.resize(program_.values.size());
        const auto declare = [&](const std::string& name, std::vector<egraph::SortId> children,
                                 bool variadic, const ir::Type& type) {
            const auto op = language->addOp({name, value, std::move(children), 0, variadic});
            valueTypes_.emplace_back(op, type);
            return op;
        };
        for (ValueId id : program_.inputs)
            valueOps_[id.index()] = declare("input " + program_.value(id).name, {}, false,
                                            program_.value(lowered_.plan.storage[id.index()]).type);
        for (ValueId id : program_.weights)
            valueOps_[id.index()] =
                declare("weight " + program_.value(id).name, {}, false, program_.value(id).type);
        for (const Layer& layer : lowered_.plan.layers) {
            callOps_.push_back(declare("call " + layer.name, {unit, stored}, true,
                                       program_.value(layer.anchor).type));
            for (const ir::EpilogueOp& op : layer.epilogue)
                valueOps_[op.value.index()] =
                    declare(std::string(ir::info(program_.value(op.value).op).name) + " " +
                                program_.value(op.value).name,
                            {value, stored}, true, program_.value(op.value).type);
        }
        for (std::size_t k = 0; k < lowered_.plan.layers.size(); ++k)
            declareStream(k, *language, unit);
        joinedOps_.resize(lowered_.plan.layers.size());
        for (std::size_t k = 1; k < joinedOps_.size(); ++k) {
            const Layer& reader = lowered_.plan.layers[k];
            if (lowered_.joinable[k])
                joinedOps_[k] =
                    declare("call " + lowered_.plan.layers[k - 1].name + "; " + reader.name,
                            {unit, stored}, true, program_.value(reader.anchor).type);
        }
        for (StreamedCall& call : lowered_.menu.streams)
            call.streamed =
                declare("stream " + lowered_.plan.layers[call.layer].name, {unit, stored}, false,
                        program_.value(lowered_.plan.layers[call.layer].anchor).type);
        outputs_ = language->addOp({"outputs", value, {stored}, 0, true});
        valueTypes_.emplace_back(outputs_, ir::Type{});
        terms.language = std::move(language);
    }

    /// The operators of the units that the call of a layer may be streamed through.
    void declareStream(std::size_t index, egraph::Language& language, egraph::SortId unit) {
        const Layer& layer = lowered_.plan.layers[index];
        const auto conv =
            lowered_.streams ? streamable(program_, layer, lowered_.menu.lanes) : std::nullopt;
        if (!conv)
            return;
        StreamedCall call{index, *conv, callOps_[index], valueOps_[layer.weight->index()], {}, {}};
        call.units = streamUnits(conv->rows, lowered_.menu.lanes);
        for (StreamUnit& way : call.units) {
            const std::string throughput =
                way.interval == 1 ? "1" : "1/" + std::to_string(way.interval);
            const std::string name = "Stream[" + layer.name + ", " + throughput + "]";
            way.op = language.addOp({name, unit, {}});
            lowered_.terms.streams[way.op] = name;
        }
        lowered_.menu.streams.push_back(std::move(call));
    }

    void lowerLayer(std::size_t index) {
        const Layer& layer = lowered_.plan.layers[index];
        egraph::EGraph& egraph = *lowered_.egraph;
        CallSite site;
        site.layer = index;
        site.shape = shapeOf(program_, layer, padding());
        site.unit = addUnit(site.shape, layer);
        std::vector<EClassId> children = {site.unit};
        if (layer.weight) {
            const EClassId weight = egraph.add(valueOps_[layer.weight->index()], {}, {});
            site.weightBuffer = egraph.add(lowered_.terms.bufferBlockRam, {}, {weight});
            children.push_back(*site.weightBuffer);
        }
        children.push_back(storedOf(layer.input));
        for (ValueId other : layer.others)
            children.push_back(storedOf(other));
        EClassId value = egraph.add(callOps_[index], {}, children);
        site.call = value;
        for (const ir::EpilogueOp& op : layer.epilogue) {
            children = {value};
            if (op.addend)
                children.push_back(storedOf(*op.addend));
            value = egraph.add(valueOps_[op.value.index()], {}, children);
        }
        store(layer.result, value);
        lowered_.calls.push_back(std::move(site));
    }

    /// Under Cycles a depth-wise convolution runs on a lane unit, whatever the rules find. Channels
    /// that leave part of a word empty are padded by a term of their own when parallel convolutions
    /// may put several windows there instead.
    EClassId addUnit(const UnitShape& shape, const Layer& layer) {
        egraph::EGraph& egraph = *lowered_.egraph;
        if (shape.function == UnitFunction::DwConv && lowered_.menu.policy == Policy::Cycles)
            return addLanes(egraph, lowered_.terms, lowered_.menu, shape);
        const EClassId unit = addCanonical(egraph, lowered_.terms, lowered_.menu, shape, {});
        const std::int64_t channels = storedExtent(program_.value(layer.input).type).channels;
        if (shape.function != UnitFunction::Conv || !isPlain(shape) ||
            !lowered_.menu.narrowChannels.contains(channels))
            return unit;
        const EClassId children[] = {unit};
        return egraph.add(lowered_.terms.op(Skeleton::PaddedConvICH), {shape.channels, channels},
                          children);
    }

    void lowerOutputs() {
        std::vector<EClassId> children;
        for (const ir::Output& output : program_.outputs)
            children.push_back(*stored_[lowered_.plan.storage[output.value.index()].index()]);
        lowered_.root = lowered_.egraph->add(outputs_, {}, children);
    }

    /// Weights are written to where a stored tensor could be when a layer reads them so.
    EClassId storedOf(ValueId id) {
        if (!stored_[id.index()])
            store(id, lowered_.egraph->add(valueOps_[id.index()], {}, {}));
        return *stored_[id.index()];
    }

    void store(ValueId id, EClassId value) {
        stored_[id.index()] = lowered_.egraph->add(lowered_.terms.bufferBlockRam, {}, {value});
    }

    /// A result without a write-back is its call's.
    void describeStored() {
        const auto values = storedValues(program_, lowered_.plan, lowered_.menu.lanes);
        for (const auto& [id, value] : values)
            if (valueOps_[id.index()].valid())
                lowered_.menu.stored[valueOps_[id.index()]] = value;
        for (std::size_t k = 0; k < lowered_.plan.layers.size(); ++k)
            if (lowered_.plan.layers[k].epilogue.empty())
                lowered_.menu.stored[callOps_[k]] = values.at(lowered_.plan.layers[k].result);
    }

    void describeJoins() {
        for (std::size_t k = 1; k < joinedOps_.size(); ++k) {
            if (!lowered_.joinable[k])
                continue;
            const Layer& writer = lowered_.plan.layers[k - 1];
            JoinedCall join;
            join.writer = callOps_[k - 1];
            join.reader = callOps_[k];
            join.joined = joinedOps_[k];
            join.writerOperands = operandCount(writer);
            join.readerOperands = operandCount(lowered_.plan.layers[k]);
            join.readerInput = lowered_.plan.layers[k].weight ? 1 : 0;
            for (const ir::EpilogueOp& op : writer.epilogue)
                join.writeBack.push_back({valueOps_[op.value.index()], op.addend.has_value()});
            lowered_.menu.joins.push_back(std::move(join));
        }
    }

    /// Stored operands of a call.
    static std::size_t operandCount(const Layer& layer) {
        return (layer.weight ? 2 : 1) + layer.others.size();
    }

    std::int64_t padding() const {
        return lowered_.menu.policy == Policy::Cycles ? lowered_.menu.lanes : 1;
    }

    Lowered& lowered_;
    const Program& program_;
    std::vector<egraph::OpId> valueOps_;  ///< inputs, weights, epilogue operators; by ValueId
    std::vector<egraph::OpId> callOps_;   ///< by layer
    std::vector<egraph::OpId> joinedOps_; ///< by layer: of its call joined to the one before
    egraph::OpId outputs_;
    std::vector<std::pair<egraph::OpId, ir::Type>> valueTypes_;
    std::vector<std::optional<EClassId>> stored_; ///< buffer of each stored value
};

} // namespace

std::int64_t vectorsOf(const UnitShape& shape) {
    return shape.height * shape.width * (shape.function == UnitFunction::Bmm ? shape.channels : 1);
}

StoredExtent storedExtent(const ir::Type& type) {
    StoredExtent extent;
    if (type.dims.empty())
        return extent;
    extent.channels = type.dims.back();
    if (type.dims.size() >= 2)
        extent.width = type.dims[type.dims.size() - 2];
    for (std::size_t k = 0; k + 2 < type.dims.size(); ++k)
        extent.height *= type.dims[k];
    return extent;
}

namespace {

/// Channels of convolutions that leave part of a word empty.
std::set<std::int64_t> narrowChannels(const Program& program, const ir::LayerPlan& plan,
                                      std::int64_t lanes) {
    std::set<std::int64_t> narrow;
    for (const Layer& layer : plan.layers) {
        const std::int64_t channels = storedExtent(program.value(layer.input).type).channels;
        if (program.value(layer.anchor).op == ir::OpKind::Conv && channels < lanes)
            narrow.insert(channels);
    }
    return narrow;
}

/// Numbers of rows at once for units of all calls that have rows to choose.
std::set<std::int64_t> parallelRows(const Program& program, const ir::LayerPlan& plan,
                                    std::int64_t lanes) {
    std::set<std::int64_t> rows;
    for (const Layer& layer : plan.layers)
        if (!layer.pass && !layer.lanewise)
            rows.insert(shapeOf(program, layer, lanes).rows);
    return usefulParallelism(rows, lanes);
}

} // namespace

Result<Lowered> lower(std::shared_ptr<const Program> program, const LoweringParams& params) {
    auto folded = ir::foldConstants(std::move(program));
    if (!folded)
        return folded.error();
    Lowered lowered;
    lowered.program = *std::move(folded);
    const bool fusion = std::ranges::find(params.without, "fusion") == params.without.end();
    lowered.plan = ir::planLayers(*lowered.program, {fusion, params.groupedChannels});
    if (!lowered.plan.unsupported.empty())
        return lowered.plan.unsupported;
    lowered.menu.policy = params.policy;
    lowered.menu.groupedChannels = params.groupedChannels;
    lowered.menu.externalMemory = params.externalMemory;
    lowered.menu.lanes = lanesFor(*lowered.program, lowered.plan, params);
    const std::int64_t padding = params.policy == Policy::Cycles ? lowered.menu.lanes : 1;
    for (const Layer& layer : lowered.plan.layers)
        extend(lowered.menu, shapeOf(*lowered.program, layer, padding));
    if (params.policy == Policy::Cycles)
        lowered.menu.parallel = parallelRows(*lowered.program, lowered.plan, padding);
    const auto on = [&](const UnitRule& rule) { return isOn(rule, params.without); };
    if (params.policy == Policy::Cycles && std::ranges::all_of(partialRules(params.policy), on))
        lowered.menu.narrowChannels = narrowChannels(*lowered.program, lowered.plan, padding);
    lowered.joinable.assign(lowered.plan.layers.size(), false);
    if (params.overlap && params.policy == Policy::Cycles && fusion)
        lowered.joinable = ir::joinableLayers(*lowered.program, lowered.plan);
    lowered.streams = params.streams && params.policy == Policy::Cycles;
    Lowering(lowered).run();
    lowered.rewrites = makeRewrites(lowered.terms, lowered.menu, lowered.facts, params.without);
    return lowered;
}

} // namespace marquetry::rules
