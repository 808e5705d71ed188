// Clocks of a call, counted on its own.
#include "tests/extract/brute_force.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace marquetry::test {

std::int64_t BruteForce::wordsOf(std::size_t call, std::int64_t span) const {
    return words_[call].at(static_cast<std::size_t>(span - 1));
}

std::int64_t BruteForce::countWords(std::size_t call, std::int64_t span) const {
    const rules::CallSite& site = lowered_.calls[call];
    const ir::Layer& layer = lowered_.plan.layers[site.layer];
    const ir::PerAxis& window = lowered_.program->value(layer.anchor).params.size;
    if (layer.lanewise)
        return layer.pass ? window.vertical * window.horizontal : site.shape.cols;
    if (layer.pass)
        return 1;
    const std::int64_t words = ceilOf(site.shape.cols, lowered_.menu.lanes);
    if (site.shape.function != ir::UnitFunction::Conv)
        return ceilOf(words, span);
    const std::int64_t byRows =
        site.shape.kernel.vertical * ceilOf(words / site.shape.kernel.vertical, span);
    return std::min(byRows, wordsOfWindows(call, span).value_or(byRows));
}

/// Where the call alone reads an input or what a unit writes, which is no output: its slot keeps a
/// power of two of lanes, and as many rows of the kernel are taken at once as fit the unit and lie
/// in 32 turns.
std::optional<std::int64_t> BruteForce::wordsOfWindows(std::size_t call, std::int64_t span) const {
    const rules::CallSite& site = lowered_.calls[call];
    const ir::Program& program = *lowered_.program;
    const auto stored = [&](ir::ValueId id) { return lowered_.plan.storage[id.index()]; };
    const ir::ValueId read = lowered_.plan.layers[site.layer].input;
    const auto isIt = [&](ir::ValueId id) { return stored(id) == read; };
    std::int64_t readers = 0;
    for (const ir::Value& value : program.values)
        if (value.id == read || stored(value.id) != read)
            readers += std::ranges::count_if(value.operands, isIt);
    const auto& layers = lowered_.plan.layers;
    const bool computed = std::ranges::any_of(layers, [&](const ir::Layer& layer) {
        return layer.result == read && !layer.moves && !layer.rows && !layer.averages;
    });
    if ((!computed && !std::ranges::any_of(program.inputs, isIt)) || readers != 1 ||
        std::ranges::any_of(program.outputs, [&](const ir::Output& o) { return isIt(o.value); }) ||
        !lowered_.plan.layers[site.layer].weight)
        return std::nullopt;
    const std::int64_t channels = program.value(read).type.dims.back();
    std::int64_t lanes = 1;
    while (lanes < channels && lanes < lowered_.menu.lanes)
        lanes *= 2;
    const std::int64_t run = site.shape.kernel.horizontal * ceilOf(channels, lowered_.menu.lanes);
    std::int64_t rows = 0;
    for (std::int64_t more = 1; more <= site.shape.kernel.vertical; ++more)
        if (more * run * lanes <= span * lowered_.menu.lanes && more * run <= 32)
            rows = more;
    if (rows == 0)
        return std::nullopt;
    return ceilOf(site.shape.kernel.vertical, rows);
}

/// An activation in the place of weights is copied there, as many elements at once as divide a row
/// and a word, whole blocks of rows and then the rest.
std::int64_t BruteForce::copyTime(const rules::CallSite& site, std::int64_t calls,
                                  std::int64_t parallel) const {
    const ir::Layer& layer = lowered_.plan.layers[site.layer];
    if (layer.pass || layer.weight)
        return 0;
    const std::int64_t rows = site.shape.rows;
    const std::int64_t columns =
        lowered_.program->value(layer.others.at(0)).type.elements() / (rows * calls);
    const bool apart = rows > parallel && rows % parallel != 0;
    return rows * (columns / std::gcd(columns, lowered_.menu.lanes)) + (apart ? 6 : 3);
}

/// Clocks in which the results of a reduction leave: all lanes of a pass write.
std::int64_t BruteForce::groupsOf(const ir::Layer& layer, const Piece& whole) const {
    return layer.pass ? 1 : whole.parallel / whole.writeLanes;
}

/// One clock of set-up; then memory and operand 3, epilogue 6 or 40, and product, adder tree,
/// accumulator.
std::int64_t BruteForce::fillOf(const ir::Layer& layer, std::int64_t groups,
                                std::int64_t span) const {
    const std::int64_t leaving = groups > 1 ? groups : 0;
    std::int64_t fill = 1 + 3 + (lowered_.plan.scales ? 40 + groups - 1 : 6 + leaving);
    // A lane's products meet no adder tree, and a pool only accumulates.
    if (layer.lanewise)
        fill += layer.pass ? 1 : 2;
    else if (!layer.pass)
        fill +=
            2 + static_cast<std::int64_t>(std::ceil(std::log2(lowered_.menu.lanes * span) - 1e-9));
    return fill;
}

double BruteForce::callTime(std::size_t call, const Piece& whole) const {
    if (published())
        return whole.time;
    const rules::CallSite& site = lowered_.calls[call];
    const ir::Layer& layer = lowered_.plan.layers[site.layer];
    // One product of rows × columns per `rows` results; a pool skips what no window covers.
    const ir::Type& result = lowered_.program->value(layer.anchor).type;
    const bool image = result.dims.size() == 3;
    std::int64_t height = image ? result.dims.front() : 1;
    std::int64_t width = result.elements() / (height * site.shape.rows);
    if (layer.pass) {
        height = site.shape.height;
        width = site.shape.width;
    }
    for (const ir::EpilogueOp& op : layer.epilogue)
        if (op.kind == ir::EpilogueKind::MaxPool || op.kind == ir::EpilogueKind::SumPool) {
            const std::int64_t size = lowered_.program->value(op.value).params.size.vertical;
            height = height / size * size;
            width = width / size * size;
        }
    const std::int64_t words = wordsOf(call, whole.span);
    const std::int64_t blocks = ceilOf(site.shape.rows, whole.parallel);
    // A reduction begins when the results of the one before have left.
    const std::int64_t groups = groupsOf(layer, whole);
    const std::int64_t wait = std::max<std::int64_t>(groups - words, 0);
    const std::int64_t clocks =
        ceilOf(blocks * height * width * (words + wait), whole.pixelParallel);
    // Batches are calls of their own.
    const bool batched = lowered_.program->value(layer.anchor).op == ir::OpKind::Bmm;
    const std::int64_t calls = batched ? result.dims.front() : 1;
    const std::int64_t copied = copyTime(site, calls, whole.parallel);
    return static_cast<double>(clocks +
                               calls * (fillOf(layer, groups, whole.span) + copied - wait));
}

} // namespace marquetry::test
