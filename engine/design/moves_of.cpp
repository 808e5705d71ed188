#include "engine/design/moves_of.h"

#include "engine/cost/move_cost.h"
#include "engine/design/make_move.h"
#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::design {

namespace {

using ir::Shape;

/// A tensor around one axis: outer × extent × inner.
struct AxisSplit {
    std::int64_t outer = 1;
    std::int64_t extent = 1;
    std::int64_t inner = 1;
};

AxisSplit split(const Shape& dims, std::int64_t axis) {
    AxisSplit parts;
    for (std::int64_t k = 0; k < std::ssize(dims); ++k) {
        std::int64_t& part = k < axis ? parts.outer : k == axis ? parts.extent : parts.inner;
        part *= dims[static_cast<std::size_t>(k)];
    }
    return parts;
}

/// Elements in a row.
Walk rowMajor(std::int64_t count) {
    return {0, {{count, 1}}};
}

/// Of dimension `axis`, of which the result has a part from `from` on.
Walk partOf(const Shape& whole, std::int64_t axis, std::int64_t from, std::int64_t extent) {
    const AxisSplit parts = split(whole, axis);
    return {from * parts.inner,
            {{parts.outer, parts.extent * parts.inner}, {extent * parts.inner, 1}}};
}

Walk permuted(const Shape& in, const std::vector<std::int64_t>& order) {
    Walk walk;
    for (const std::int64_t axis : order)
        walk.loops.push_back({in[static_cast<std::size_t>(axis)], split(in, axis).inner});
    return walk;
}

Walk repeated(const Shape& in, const ir::PerAxis& factor) {
    return {0,
            {{in[0], in[1] * in[2]},
             {factor.vertical, 0},
             {in[1], in[2]},
             {factor.horizontal, 0},
             {in[2], 1}}};
}

Walk blocks(const Shape& in, std::int64_t block, ir::DepthOrder order) {
    const std::int64_t results = in[2] / (block * block);
    const bool first = order == ir::DepthOrder::Dcr; // rows and columns of blocks come first
    const std::int64_t place = first ? results : 1;
    return {0,
            {{in[0], in[1] * in[2]},
             {block, block * place},
             {in[1], in[2]},
             {block, place},
             {results, first ? 1 : block * block}}};
}

/// How the first operand is visited in the order of the result, of so many elements.
Walk sourceOf(const ir::Value& value, const Shape& in, std::int64_t results) {
    const ir::OpParams& p = value.params;
    switch (value.op) {
    case ir::OpKind::Slice:
        return partOf(in, p.axis, p.from, p.until - p.from);
    case ir::OpKind::Transpose:
        return permuted(in, {1, 0});
    case ir::OpKind::Permute:
        return permuted(in, p.list);
    case ir::OpKind::Upsample:
        return repeated(in, p.factor);
    case ir::OpKind::DepthToSpace:
        return blocks(in, p.block, p.order);
    default:
        return rowMajor(results);
    }
}

class MoveMaker {
public:
    /// `rows`: of the result, of a layer that makes as many of a row of each operand.
    MoveMaker(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer,
              std::int64_t lanes, std::optional<std::int64_t> rows = {})
        : program_(program),
          plan_(plan),
          value_(program.value(layer.anchor)),
          lanes_(lanes),
          rows_(rows) {}

    std::vector<OperandMove> run() {
        const Shape result = extents(value_.id, rows_.value_or(1));
        if (value_.op != ir::OpKind::Concat) {
            const Shape in = extents(value_.operands[0], 1);
            add(value_.operands[0], sourceOf(value_, in, elementsOf(result)),
                rowMajor(elementsOf(result)));
            return std::move(moves_);
        }
        const std::int64_t axis = value_.params.axis;
        std::int64_t from = 0;
        for (const ir::ValueId operand : value_.operands) {
            const Shape dims = extents(operand, 1);
            const std::int64_t extent = split(dims, axis).extent;
            add(operand, rowMajor(elementsOf(dims)), partOf(result, axis, from, extent));
            from += extent;
        }
        return std::move(moves_);
    }

private:
    /// Of the whole value, or of so many rows of it.
    Shape extents(ir::ValueId value, std::int64_t rows) const {
        Shape dims = program_.value(value).type.dims;
        if (rows_)
            dims.front() = rows;
        return dims;
    }

    static std::int64_t elementsOf(const Shape& dims) {
        return split(dims, std::ssize(dims)).outer;
    }

    PixelLayout layout(ir::ValueId value) const {
        const Shape& dims = program_.value(value).type.dims;
        return layoutOf(dims.empty() ? 1 : dims.back(), lanes_);
    }

    void add(ir::ValueId operand, const Walk& source, const Walk& target) {
        const ir::ValueId from = plan_.storage[operand.index()];
        const auto move = makeMove(source, layout(from), target, layout(value_.id), lanes_);
        ENGINE_ASSERT(move, "views that moves read keep pixels (ir/layer.h)");
        moves_.push_back({from, *move});
    }

    const ir::Program& program_;
    const ir::LayerPlan& plan_;
    const ir::Value& value_;
    std::int64_t lanes_;
    std::optional<std::int64_t> rows_;
    std::vector<OperandMove> moves_;
};

} // namespace

std::vector<OperandMove> movesOf(const ir::Program& program, const ir::LayerPlan& plan,
                                 const ir::Layer& layer, std::int64_t lanes) {
    return MoveMaker(program, plan, layer, lanes).run();
}

std::optional<std::int64_t> rowsOfEachRow(const ir::Program& program, const ir::Layer& layer) {
    constexpr std::int64_t kChannels = 2;
    const ir::Value& value = program.value(layer.anchor);
    const auto isImage = [&](ir::ValueId id) { return program.value(id).type.dims.size() == 3; };
    if (!layer.moves || !isImage(value.id) || !std::ranges::all_of(value.operands, isImage))
        return std::nullopt;
    const ir::OpParams& p = value.params;
    switch (value.op) {
    case ir::OpKind::Concat:
    case ir::OpKind::Slice:
        return p.axis == kChannels ? std::optional<std::int64_t>(1) : std::nullopt;
    case ir::OpKind::Upsample:
        return p.factor.vertical;
    case ir::OpKind::DepthToSpace:
        return p.block;
    default:
        return std::nullopt;
    }
}

std::vector<OperandMove> movesOfRow(const ir::Program& program, const ir::LayerPlan& plan,
                                    const ir::Layer& layer, std::int64_t lanes) {
    const std::int64_t rows = *rowsOfEachRow(program, layer);
    const auto rowOf = [&](ir::ValueId value) {
        const Shape& dims = program.value(value).type.dims;
        return dims[1] * layoutOf(dims[2], lanes).lanes;
    };
    std::vector<OperandMove> moves = MoveMaker(program, plan, layer, lanes, rows).run();
    for (auto& [source, move] : moves) {
        move.source.loops.insert(move.source.loops.begin(), {1, rowOf(source)});
        move.target.loops.insert(move.target.loops.begin(), {1, rows * rowOf(layer.result)});
    }
    return moves;
}

std::int64_t moveCycles(const std::vector<OperandMove>& moves, std::int64_t frames) {
    std::int64_t cycles = 0;
    for (const OperandMove& move : moves)
        cycles += cost::moveCycles(frames * move.move.source.iterations());
    return cycles;
}

} // namespace marquetry::design
