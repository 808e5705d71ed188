#include "engine/design/buffer_accesses.h"

#include "engine/cost/call_timing.h"
#include "engine/ir/layer.h"
#include "engine/ir/memory_lanes.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <optional>

namespace marquetry::design {

namespace {

using ir::Layer;
using ir::ValueId;

ir::MemoryLoop loopOf(std::string name, std::int64_t end, std::int64_t parallel = 1) {
    return {std::move(name), 0, end, 1, parallel};
}

/// A nest with one reference; index k of the array is a sum over the loops.
class NestWriter {
public:
    NestWriter(std::string array, bool write) : array_(std::move(array)) {
        reference_.write = write;
    }

    std::size_t loop(std::string name, std::int64_t end, std::int64_t parallel = 1) {
        nest_.loops.push_back(loopOf(std::move(name), end, std::min(parallel, end)));
        return nest_.loops.size() - 1;
    }

    struct Term {
        std::size_t loop;
        std::int64_t factor;
    };
    void index(const std::vector<Term>& terms, std::int64_t constant = 0) {
        terms_.push_back(terms);
        constants_.push_back(constant);
    }

    ir::MemoryNest finish() {
        for (std::size_t d = 0; d < terms_.size(); ++d) {
            ir::AffineForm form{constants_[d], std::vector<std::int64_t>(nest_.loops.size()), {}};
            for (const Term& term : terms_[d])
                form.coefficients[term.loop] += term.factor;
            reference_.index.push_back(std::move(form));
        }
        reference_.text = array_ + "[";
        for (std::size_t d = 0; d < reference_.index.size(); ++d)
            reference_.text += (d == 0 ? "" : ", ") + toString(reference_.index[d], nest_);
        reference_.text += "]";
        nest_.references = {reference_};
        return std::move(nest_);
    }

private:
    std::string array_;
    ir::MemoryNest nest_;
    ir::MemoryReference reference_;
    std::vector<std::vector<Term>> terms_;
    std::vector<std::int64_t> constants_;
};

class Deriver {
public:
    Deriver(const Design& design, const ir::Program& program)
        : design_(design), program_(program), plan_(planOf(design, program)) {}

    std::vector<ir::MemoryProgram> run() {
        for (const ValueId input : program_.inputs)
            add(storage(input), nullptr);
        for (const Layer& layer : plan_.layers)
            add(layer.result, &layer);
        return std::move(memories_);
    }

private:
    /// Fused as the design's calls are.
    static ir::LayerPlan planOf(const Design& design, const ir::Program& program) {
        ir::LayerPlan fused = planLayers(program, {true, design.groupedChannels});
        return fused.layers.size() == design.calls.size()
                   ? fused
                   : planLayers(program, {false, design.groupedChannels});
    }

    const DesignCall* callOf(const Layer& layer) const {
        const auto found = std::ranges::find(design_.calls, layer.name, &DesignCall::layer);
        return found == design_.calls.end() ? nullptr : &*found;
    }

    void add(ValueId value, const Layer* producer) {
        const ir::Value& stored = program_.value(value);
        if (stored.type.dims.empty())
            return;
        ir::MemoryProgram memory;
        memory.name = memory.array = stored.name;
        memory.file = program_.file;
        memory.type = stored.type;
        const std::int64_t channels = stored.type.dims.back();
        const std::int64_t bits = streamBits(stored);
        const auto write =
            producer
                ? writeOf(*producer, stored)
                : std::optional(channelsAtATime(stored, cost::loadElements(channels, bits), true));
        if (!write)
            return;
        memory.nests.push_back(*write);
        for (const Layer& layer : plan_.layers) {
            const auto reads = readsOf(layer, value, stored);
            if (!reads)
                return;
            memory.nests.insert(memory.nests.end(), reads->begin(), reads->end());
        }
        for (const ir::Output& output : program_.outputs)
            if (storage(output.value) == value)
                memory.nests.push_back(
                    channelsAtATime(stored, cost::storeElements(channels, bits), false));
        memories_.push_back(std::move(memory));
    }

    // ---- writers

    ir::MemoryNest channelsAtATime(const ir::Value& stored, std::int64_t count, bool write) const {
        NestWriter nest(stored.name, write);
        const ir::Shape& dims = stored.type.dims;
        for (std::size_t d = 0; d + 1 < dims.size(); ++d)
            nest.index({{nest.loop(pixelName(d, dims.size()), dims[d]), 1}});
        nest.index({{nest.loop("c", dims.back(), count), 1}});
        return nest.finish();
    }

    static std::string pixelName(std::size_t dim, std::size_t rank) {
        if (dim + 2 == rank)
            return "x";
        return dim + 3 == rank ? "y" : "d" + std::to_string(dim);
    }

    static std::int64_t streamBits(const ir::Value& stored) {
        return 8 * ir::info(stored.type.scalar).bytes;
    }

    std::optional<ir::MemoryNest> writeOf(const Layer& producer, const ir::Value& stored) const {
        const DesignCall* call = callOf(producer);
        if (!call)
            return std::nullopt;
        const std::int64_t rows =
            producer.pass ? design_.lanes : design_.unit(call->unit).parallelism;
        return channelsAtATime(stored, std::min(rows, kMaxMemoryLanes), true);
    }

    // ---- readers

    /// Empty when the layer does not read the value; nothing when it does in an unknown way.
    std::optional<std::vector<ir::MemoryNest>> readsOf(const Layer& layer, ValueId value,
                                                       const ir::Value& stored) const {
        std::vector<ir::MemoryNest> nests;
        const auto isValue = [&](ValueId other) { return storage(other) == value; };
        if (std::ranges::any_of(layer.others, isValue))
            return std::nullopt;
        if (isValue(layer.input)) {
            auto nest = operandOf(layer, stored);
            if (!nest)
                return std::nullopt;
            nests.push_back(*std::move(nest));
        }
        for (const ir::EpilogueOp& op : layer.epilogue)
            if (op.addend && isValue(*op.addend))
                nests.push_back(channelsAtATime(stored, design_.lanes, false));
        return nests;
    }

    ValueId storage(ValueId value) const { return plan_.storage[value.index()]; }

    std::optional<ir::MemoryNest> operandOf(const Layer& layer, const ir::Value& stored) const {
        if (program_.value(layer.anchor).op == ir::OpKind::Conv1dH)
            return columnsOf(layer, stored);
        if (layer.lanewise)
            return windowOf(layer, stored);
        if (layer.pass && !layer.epilogue.empty())
            return channelsAtATime(stored, design_.lanes, false);
        if (layer.pass)
            return std::nullopt;
        switch (program_.value(layer.anchor).op) {
        case ir::OpKind::Conv:
        case ir::OpKind::DwConv:
            return streams(layer) ? rasterOf(layer, stored) : windowOf(layer, stored);
        case ir::OpKind::Mv:
        case ir::OpKind::Mm:
        case ir::OpKind::Dot:
            return channelsAtATime(stored, wordsOf(layer), false);
        case ir::OpKind::Conv1dW:
            return spanOf(layer) > 1 ? std::nullopt
                                     : std::optional(channelsAtATime(stored, design_.lanes, false));
        default:
            return std::nullopt;
        }
    }

    bool streams(const Layer& layer) const {
        const DesignCall* call = callOf(layer);
        return call != nullptr && design_.unit(call->unit).streams;
    }

    /// Stored words that the layer's unit takes at once, and their elements.
    std::int64_t spanOf(const Layer& layer) const {
        const DesignCall* call = callOf(layer);
        return call != nullptr && design_.schedule ? design_.schedule->unit(call->unit).span : 1;
    }
    std::int64_t wordsOf(const Layer& layer) const {
        return std::min(spanOf(layer) * design_.lanes, kMaxMemoryLanes);
    }

    /// Rows and columns of a kernel and channels of a pixel that are read at once.
    struct Taken {
        std::int64_t rows = 1, columns = 1, channels = 1;
    };

    /// None where words are taken across the ends of pixels, or too many of them.
    std::optional<Taken> takenBy(const Layer& layer, const ir::Value& stored,
                                 const ir::PerAxis& kernel) const {
        const std::int64_t channels = stored.type.dims.back();
        const std::int64_t words = ceilDiv(channels, design_.lanes);
        const std::int64_t span = spanOf(layer);
        std::optional<Taken> taken;
        if (const std::int64_t rows = windowRows(stored); rows > 0)
            taken = Taken{rows, kernel.horizontal, channels};
        else if (layer.lanewise || kernel.horizontal == 1 || words % span == 0)
            taken = Taken{1, 1, std::min(channels, span * design_.lanes)};
        else if (span >= kernel.horizontal * words)
            taken = Taken{1, kernel.horizontal, channels};
        else if (span % words == 0)
            taken = Taken{1, span / words, channels};
        const bool few = taken && taken->rows * taken->columns * taken->channels <= kMaxMemoryLanes;
        return few ? taken : std::nullopt;
    }

    /// Rows of a kernel that the value's slot gives at once; 0 where it gives words.
    std::int64_t windowRows(const ir::Value& stored) const {
        if (!design_.schedule)
            return 0;
        const auto& tensors = design_.schedule->tensors;
        const auto tensor = std::ranges::find(tensors, stored.id, &StoredTensor::value);
        if (tensor == tensors.end())
            return 0;
        const Slot& slot = design_.schedule->slot(tensor->slot);
        return slot.window ? slot.window->rows : 0;
    }

    /// A stream unit reads each pixel once, padding included.
    ir::MemoryNest rasterOf(const Layer& layer, const ir::Value& stored) const {
        const std::int64_t pad = program_.value(layer.anchor).params.pad.top;
        NestWriter nest(stored.name, false);
        const std::size_t y = nest.loop("y", stored.type.dims[0] + 2 * pad);
        const std::size_t x = nest.loop("x", stored.type.dims[1] + 2 * pad);
        nest.index({{y, 1}}, -pad);
        nest.index({{x, 1}}, -pad);
        nest.index({{nest.loop("c", stored.type.dims.back(), design_.lanes), 1}});
        return nest.finish();
    }

    /// Of a stencil along columns: as many of them at once as a word has.
    ir::MemoryNest columnsOf(const Layer& layer, const ir::Value& stored) const {
        const ir::Value& anchor = program_.value(layer.anchor);
        NestWriter nest(stored.name, false);
        const std::size_t y = nest.loop("y", anchor.type.dims[0]);
        const std::size_t block = nest.loop("c", stored.type.dims.back(), wordsOf(layer));
        const std::int64_t taps = program_.value(anchor.operands[1]).type.elements();
        nest.index({{y, 1}, {nest.loop("ky", taps), 1}}, -anchor.params.pad.top);
        nest.index({{block, 1}});
        return nest.finish();
    }

    static std::int64_t poolOf(const Layer& layer, const ir::Program& program) {
        for (const ir::EpilogueOp& op : layer.epilogue)
            if (op.kind == ir::EpilogueKind::MaxPool || op.kind == ir::EpilogueKind::SumPool)
                return program.value(op.value).params.size.vertical;
        return 1;
    }

    ir::PerAxis kernelOf(const Layer& layer) const {
        const ir::Value& anchor = program_.value(layer.anchor);
        if (layer.pass)
            return anchor.params.size;
        const ir::Shape& held = program_.value(anchor.operands[1]).type.dims;
        return {held[1], held[2]};
    }

    /// The compute nest of a convolution or a lane unit, as the schedule runs it.
    std::optional<ir::MemoryNest> windowOf(const Layer& layer, const ir::Value& stored) const {
        const ir::Value& anchor = program_.value(layer.anchor);
        const ir::PerAxis kernel = kernelOf(layer);
        const std::optional<Taken> taken = takenBy(layer, stored, kernel);
        if (!taken)
            return std::nullopt;
        const std::int64_t pool = poolOf(layer, program_);
        const ir::PerAxis stride = anchor.params.stride;
        NestWriter nest(stored.name, false);
        const auto channels = [&] {
            return nest.loop("c", stored.type.dims.back(), taken->channels);
        };
        const std::size_t y = nest.loop("y", anchor.type.dims[0] / pool);
        const std::size_t x = nest.loop("x", anchor.type.dims[1] / pool);
        const std::size_t block = layer.lanewise ? channels() : 0;
        std::vector<NestWriter::Term> rows{{y, pool * stride.vertical}};
        std::vector<NestWriter::Term> columns{{x, pool * stride.horizontal}};
        if (pool > 1) {
            rows.push_back({nest.loop("wy", pool), stride.vertical});
            columns.push_back({nest.loop("wx", pool), stride.horizontal});
        }
        if (kernel.vertical > 1)
            rows.push_back({nest.loop("ky", kernel.vertical, taken->rows), 1});
        if (kernel.horizontal > 1)
            columns.push_back({nest.loop("kx", kernel.horizontal, taken->columns), 1});
        nest.index(rows, -anchor.params.pad.top);
        nest.index(columns, -anchor.params.pad.left);
        nest.index({{layer.lanewise ? block : channels(), 1}});
        return nest.finish();
    }

    const Design& design_;
    const ir::Program& program_;
    ir::LayerPlan plan_;
    std::vector<ir::MemoryProgram> memories_;
};

} // namespace

std::vector<ir::MemoryProgram> bufferAccesses(const Design& design, const ir::Program& program) {
    return Deriver(design, program).run();
}

} // namespace marquetry::design
