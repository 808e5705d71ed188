#include "tests/oracles/simulate.h"

#include "engine/design/external_tensors.h"
#include "engine/design/held.h"
#include "engine/design/windows.h"
#include "engine/design/write_back.h"
#include "engine/support/assert.h"
#include "tests/oracles/element_arithmetic.h"

#include <algorithm>
#include <optional>

namespace marquetry::design {

namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

/// One pixel of a pool window, with where it lies.
struct Pixel {
    std::int64_t y = 0;
    std::int64_t x = 0;
};

class Machine {
public:
    Machine(const Schedule& schedule, const ir::Program& program,
            const std::vector<ir::Tensor>& values)
        : schedule_(schedule),
          program_(program),
          values_(values),
          weights_(schedule.units.size()),
          accumulators_(at(std::max(schedule.lanes, widestUnit()))),
          pooled_(accumulators_.size()) {
        for (const Slot& slot : schedule.slots)
            memories_.push_back(noise(slot));
        for (const ScheduleUnit& unit : schedule.units) {
            const auto packed = packWeights(schedule, unit.id, program, values);
            weights_[unit.id.index()].assign(packed.size(), 0);
            std::transform(packed.begin(), packed.end(), weights_[unit.id.index()].begin(),
                           [](std::int64_t w) { return wrap32(w); });
            scales_.push_back(packScales(schedule, unit.id, values));
            tables_.push_back(packTables(schedule, unit.id, values));
        }
    }

    void run(const LoadStep& step) {
        const StoredTensor& tensor = schedule_.tensor(step.tensor);
        const ir::Tensor& source =
            step.external ? external_.at(tensor.value) : values_[tensor.value.index()];
        const std::int64_t before = tensor.firstRow.value_or(0) * tensor.width * tensor.channels;
        ENGINE_ASSERT(tensor.firstRow || std::ssize(source.data) == tensor.elements(),
                      "stored tensor has its value");
        for (std::int64_t p = 0; p < tensor.pixels; ++p)
            for (std::int64_t c = 0; c < tensor.channels; ++c)
                write(tensor, p, c, wrap32(source.data[at(before + p * tensor.channels + c)]));
    }

    /// Rows of a value to external memory, whose other rows are noise until they are stored.
    void keep(const StoreStep& step) {
        const StoredTensor& tensor = schedule_.tensor(step.tensor);
        ENGINE_ASSERT(findExternal(schedule_, tensor.value) != nullptr, "the memory has room");
        const auto [place, fresh] = external_.try_emplace(tensor.value, ir::Tensor{step.type, {}});
        std::vector<std::int64_t>& data = place->second.data;
        if (fresh)
            data.assign(at(step.type.elements()), -77);
        const ir::Tensor rows = run(step);
        std::ranges::copy(rows.data, data.begin() + tensor.firstRow.value_or(0) * tensor.width *
                                                        tensor.channels);
    }

    ir::Tensor run(const StoreStep& step) {
        const StoredTensor& tensor = schedule_.tensor(step.tensor);
        ir::Tensor result{step.type, {}};
        result.data.reserve(at(tensor.elements()));
        for (std::int64_t p = 0; p < tensor.pixels; ++p)
            for (std::int64_t c = 0; c < tensor.channels; ++c)
                result.data.push_back(numberOf(tensor.scalar, read(tensor, p, c)));
        return result;
    }

    /// Lanes of whole words, those that a slot does not have left out.
    void run(const MoveStep& step) {
        const StoredTensor& source = schedule_.tensor(step.source);
        if (!step.target)
            return hold(step);
        const StoredTensor& target = schedule_.tensor(*step.target);
        for (std::int64_t k = 0; k < step.move.source.iterations(); ++k)
            for (std::int64_t lane = 0; lane < step.move.run; ++lane) {
                const std::int64_t from = step.move.source.at(k) + lane;
                const std::int64_t to = step.move.target.at(k) + lane;
                const std::int32_t value =
                    readLane(source, from / schedule_.lanes, from % schedule_.lanes);
                if (const auto index =
                        laneIndex(target, to / schedule_.lanes, to % schedule_.lanes))
                    memories_[target.slot.index()].at(*index) = toSlot(target, value);
            }
    }

    /// Row by row, in numbers wide enough for anything.
    void run(const RowStep& step) {
        const StoredTensor& input = schedule_.tensor(step.input);
        const StoredTensor& output = schedule_.tensor(step.output);
        if (step.second != cost::SecondOperand::None)
            return elements(step);
        for (std::int64_t p = 0; p < input.pixels; ++p) {
            std::vector<Wide> row;
            for (std::int64_t c = 0; c < input.channels; ++c)
                row.push_back(wrapTo(input.scalar, read(input, p, c)));
            const auto results = rowOf(step.function, row, step.shift, output.scalar);
            for (std::int64_t c = 0; c < input.channels; ++c)
                write(output, p, c, wrap32(static_cast<std::int64_t>(results[at(c)])));
        }
    }

    /// Element by element, modulo 2^32.
    void elements(const RowStep& step) {
        const StoredTensor& input = schedule_.tensor(step.input);
        const StoredTensor& output = schedule_.tensor(step.output);
        for (std::int64_t p = 0; p < input.pixels; ++p)
            for (std::int64_t c = 0; c < input.channels; ++c) {
                const std::int64_t first = wrapTo(input.scalar, read(input, p, c));
                write(output, p, c, elementOf(step.function, first, second(step, p, c)));
            }
    }

    static std::int64_t numberOf(ir::Scalar scalar, std::int32_t word) {
        if (scalar == ir::Scalar::U32)
            return static_cast<std::uint32_t>(word);
        return wrapTo(scalar, word);
    }

    std::int64_t second(const RowStep& step, std::int64_t p, std::int64_t c) const {
        if (step.second == cost::SecondOperand::ConstantOfRow)
            return averageFactor(program_, program_.value(step.constants->value), p);
        if (step.constants) {
            const ir::Tensor& numbers = values_[step.constants->value.index()];
            const std::int64_t channels = schedule_.tensor(step.input).channels;
            const bool each = step.second == cost::SecondOperand::ConstantElements;
            return numbers.data[at((each ? p : 0) * channels + c)];
        }
        const StoredTensor& other = schedule_.tensor(step.other.value_or(step.input));
        if (step.second == cost::SecondOperand::Entry) {
            const StoredTensor& input = schedule_.tensor(step.input);
            const std::int64_t element = wrapTo(input.scalar, read(input, p, c));
            return wrapTo(other.scalar, read(other, 0, element - ir::info(input.scalar).min));
        }
        const bool ofRow = step.second == cost::SecondOperand::Row;
        return wrapTo(other.scalar, read(other, ofRow ? 0 : p, c));
    }

    /// To the rows of a unit's weights. What a run of neighbours leaves of a word is zero.
    void hold(const MoveStep& step) {
        std::int64_t next = -1;
        const StoredTensor& source = schedule_.tensor(step.source);
        const ScheduleUnit& unit = schedule_.unit(step.unit);
        const std::int64_t lanes = schedule_.lanes;
        const std::int64_t rows = unit.lanewise() ? 1 : unit.parallel;
        for (std::int64_t k = 0; k < step.move.source.iterations(); ++k)
            for (std::int64_t lane = 0; lane < step.move.run; ++lane) {
                const std::int64_t from = step.move.source.at(k) + lane;
                const std::int64_t row = step.move.target.at(k) / kHeldRow;
                const std::int64_t to = step.move.target.at(k) % kHeldRow + lane;
                std::int32_t* word =
                    &weights_[step.unit.index()].at(at((to / lanes * rows + row) * lanes));
                if (to % lanes == 0 || step.move.target.at(k) + lane != next)
                    std::fill_n(word, lanes, 0);
                next = step.move.target.at(k) + lane + 1;
                word[to % lanes] =
                    wrapTo(source.scalar, readLane(source, from / lanes, from % lanes));
            }
    }

    void run(const ComputeStep& step) {
        if (schedule_.unit(step.unit).stream)
            return stream(step);
        const std::int64_t pool = step.epilogue.poolSize;
        for (std::int64_t py = 0; py < step.height / pool; ++py)
            for (std::int64_t px = 0; px < step.width / pool; ++px)
                for (std::int64_t block = 0; block < step.rowBlocks; ++block) {
                    for (std::int64_t wy = 0; wy < pool; ++wy)
                        for (std::int64_t wx = 0; wx < pool; ++wx) {
                            const Pixel pixel{py * pool + wy, px * pool + wx};
                            reduce(step, block, pixel);
                            beforePool(step, block, pixel, wy == 0 && wx == 0);
                        }
                    write(step, block, py * (step.width / pool) + px);
                }
    }

private:
    std::int64_t widestUnit() const {
        std::int64_t widest = 1;
        for (const ScheduleUnit& unit : schedule_.units)
            widest = std::max(widest, unit.parallel);
        return widest;
    }

    std::int32_t toSlot(const StoredTensor& tensor, std::int32_t value) const {
        return wrapTo(schedule_.slot(tensor.slot).elementBits, true, value);
    }

    /// Index of a lane of a word; nullopt when the slot has no such lane.
    std::optional<std::size_t> laneIndex(const StoredTensor& tensor, std::int64_t word,
                                         std::int64_t lane) const {
        const Slot& slot = schedule_.slot(tensor.slot);
        if (lane >= slot.storedLanes)
            return std::nullopt;
        const std::int64_t address = tensor.base + word;
        return at((slot.ring ? address % slot.depth : address) * slot.storedLanes + lane);
    }

    std::int32_t readLane(const StoredTensor& tensor, std::int64_t word, std::int64_t lane) const {
        const auto index = laneIndex(tensor, word, lane);
        return index ? memories_[tensor.slot.index()].at(*index) : 0;
    }

    /// Rows of pixels may lie apart.
    static std::int64_t wordAt(const StoredTensor& tensor, std::int64_t pixel) {
        if (tensor.rowWords == 0)
            return pixel * tensor.wordsPerPixel;
        return pixel / tensor.width * tensor.rowWords + pixel % tensor.width * tensor.wordsPerPixel;
    }

    /// The last block of rows may be longer than the words of a pixel.
    bool stored(const StoredTensor& tensor, std::int64_t channel) const {
        return channel < tensor.wordsPerPixel * schedule_.lanes;
    }

    std::int32_t read(const StoredTensor& tensor, std::int64_t pixel, std::int64_t channel) const {
        if (!stored(tensor, channel))
            return 0;
        return readLane(tensor, wordAt(tensor, pixel) + channel / schedule_.lanes,
                        channel % schedule_.lanes);
    }

    void write(const StoredTensor& tensor, std::int64_t pixel, std::int64_t channel,
               std::int32_t value) {
        const std::int64_t word = wordAt(tensor, pixel) + channel / schedule_.lanes;
        if (!stored(tensor, channel))
            return;
        if (const auto index = laneIndex(tensor, word, channel % schedule_.lanes))
            memories_[tensor.slot.index()].at(*index) = toSlot(tensor, value);
    }

    /// Reads each pixel once; what a window holds comes out of the line buffers.
    void stream(const ComputeStep& step) {
        const StoredTensor& input = schedule_.tensor(step.input);
        const std::int64_t pool = step.epilogue.poolSize;
        const std::int64_t reach =
            (step.kernel.vertical - 1) * (input.width + 2 * step.pad.vertical) +
            step.kernel.vertical;
        lines_.assign(at(reach * input.channels), 0);
        columns_.assign(at(step.width / pool * step.rowBlocks), pooled_);
        for (std::int64_t y = -step.pad.vertical; y < input.height + step.pad.vertical; ++y)
            for (std::int64_t x = -step.pad.vertical; x < input.width + step.pad.vertical; ++x) {
                const bool inside = y >= 0 && y < input.height && x >= 0 && x < input.width;
                lines_.erase(lines_.begin(), lines_.begin() + input.channels);
                for (std::int64_t c = 0; c < input.channels; ++c)
                    lines_.push_back(
                        inside ? wrapTo(input.scalar, read(input, y * input.width + x, c)) : 0);
                const std::int64_t top = y + step.pad.vertical - step.kernel.vertical + 1;
                const std::int64_t left = x + step.pad.vertical - step.kernel.vertical + 1;
                const bool whole = top >= 0 && left >= 0 && top % step.stride.vertical == 0 &&
                                   left % step.stride.vertical == 0 &&
                                   top / step.stride.vertical < step.height &&
                                   left / step.stride.vertical < step.width;
                if (whole)
                    window(step, {top / step.stride.vertical, left / step.stride.vertical});
            }
    }

    void window(const ComputeStep& step, Pixel pixel) {
        const std::int64_t pool = step.epilogue.poolSize;
        const std::int64_t columns = step.width / pool;
        const std::int64_t wy = pixel.y % pool;
        const std::int64_t wx = pixel.x % pool;
        for (std::int64_t block = 0; block < step.rowBlocks; ++block) {
            streamedSums(step, block);
            std::swap(pooled_, columns_[at(block * columns + pixel.x / pool)]);
            beforePool(step, block, pixel, wy == 0 && wx == 0);
            if (wy == pool - 1 && wx == pool - 1)
                write(step, block, pixel.y / pool * columns + pixel.x / pool);
            std::swap(pooled_, columns_[at(block * columns + pixel.x / pool)]);
        }
    }

    void streamedSums(const ComputeStep& step, std::int64_t block) {
        const StoredTensor& input = schedule_.tensor(step.input);
        const std::int64_t parallel = schedule_.unit(step.unit).parallel;
        const ir::Tensor& weight = values_[step.weight->index()];
        const std::int64_t line = (input.width + 2 * step.pad.vertical) * input.channels;
        const std::int64_t run = step.kernel.vertical * input.channels;
        std::fill(accumulators_.begin(), accumulators_.end(), 0);
        for (std::int64_t r = 0; r < parallel && block * parallel + r < step.rows; ++r) {
            std::int64_t sum = 0;
            for (std::int64_t ky = 0; ky < step.kernel.vertical; ++ky)
                for (std::int64_t k = 0; k < run; ++k)
                    sum += std::int64_t{lines_[at(ky * line + k)]} *
                           weight.data[at(
                               ((block * parallel + r) * step.kernel.vertical + ky) * run + k)];
            accumulators_[at(r)] = wrap32(sum);
        }
    }

    void reduce(const ComputeStep& step, std::int64_t block, Pixel pixel) {
        const StoredTensor& input = schedule_.tensor(step.input);
        const ScheduleUnit& unit = schedule_.unit(step.unit);
        if (!unit.reduces()) {
            const std::int64_t p = pixel.y * input.width + pixel.x;
            for (std::int64_t lane = 0; lane < schedule_.lanes; ++lane)
                accumulators_[at(lane)] =
                    wrapTo(input.scalar, read(input, p, block * schedule_.lanes + lane));
            return;
        }
        std::fill(accumulators_.begin(), accumulators_.end(), 0);
        if (unit.lanewise())
            return reduceWindow(step, block, pixel);
        if (schedule_.slot(input.slot).window)
            return reduceRows(step, block, pixel);
        const std::int64_t run = step.kernel.horizontal * step.channelWords;
        const std::int64_t taken = (run + unit.span - 1) / unit.span;
        std::int64_t weightWord = step.weightBase + block * step.kernel.vertical * taken;
        for (std::int64_t ky = 0; ky < step.kernel.vertical; ++ky)
            for (std::int64_t first = 0; first < run; first += unit.span, ++weightWord) {
                operands_.clear();
                for (std::int64_t k = first; k < first + unit.span; ++k) {
                    const std::int64_t kx = k / step.channelWords;
                    const std::int64_t y = pixel.y * step.stride.vertical + ky - step.pad.vertical;
                    const std::int64_t x =
                        pixel.x * step.stride.horizontal + kx - step.pad.horizontal;
                    fetch(step, y, x, k % step.channelWords, k < run);
                }
                multiply(step, weightWord);
            }
    }

    /// Whole rows of the window at once, of every pixel the lanes that its slot has.
    void reduceRows(const ComputeStep& step, std::int64_t block, Pixel pixel) {
        const Slot& slot = schedule_.slot(schedule_.tensor(step.input).slot);
        const std::int64_t rows = slot.window->rows;
        const std::int64_t groups = (step.kernel.vertical + rows - 1) / rows;
        for (std::int64_t group = 0; group < groups; ++group) {
            std::vector<std::int32_t> taken;
            for (std::int64_t ky = group * rows; ky < (group + 1) * rows; ++ky)
                for (std::int64_t k = 0; k < step.kernel.horizontal * step.channelWords; ++k) {
                    operands_.clear();
                    fetch(step, pixel.y * step.stride.vertical + ky - step.pad.vertical,
                          pixel.x * step.stride.horizontal + k / step.channelWords -
                              step.pad.horizontal,
                          k % step.channelWords, ky < step.kernel.vertical);
                    taken.insert(taken.end(), operands_.begin(),
                                 operands_.begin() + slot.storedLanes);
                }
            taken.resize(at(schedule_.unit(step.unit).span * schedule_.lanes), 55);
            operands_ = taken;
            multiply(step, step.weightBase + block * groups + group);
        }
    }

    /// Each lane its own window; the last block may have more words than a pixel.
    void reduceWindow(const ComputeStep& step, std::int64_t block, Pixel pixel) {
        const std::int64_t span = schedule_.unit(step.unit).span;
        const std::int64_t words = schedule_.tensor(step.input).wordsPerPixel;
        std::int64_t weightWord = step.weightBase + block * step.kernel.area();
        for (std::int64_t ky = 0; ky < step.kernel.vertical; ++ky)
            for (std::int64_t kx = 0; kx < step.kernel.horizontal; ++kx, ++weightWord) {
                const std::int64_t y = pixel.y * step.stride.vertical + ky - step.pad.vertical;
                const std::int64_t x = pixel.x * step.stride.horizontal + kx - step.pad.horizontal;
                operands_.clear();
                for (std::int64_t word = block * span; word < (block + 1) * span; ++word)
                    fetch(step, y, x, word, word < words);
                reduceLanes(step, weightWord, ky == 0 && kx == 0);
            }
    }

    /// The operands of word `word` of a pixel, or those that padding has; behind a run, any.
    void fetch(const ComputeStep& step, std::int64_t y, std::int64_t x, std::int64_t word,
               bool ofRun) {
        const StoredTensor& input = schedule_.tensor(step.input);
        const bool inside = y >= 0 && y < input.height && x >= 0 && x < input.width;
        for (std::int64_t lane = 0; lane < schedule_.lanes; ++lane) {
            const std::int64_t stored = inside ? wordAt(input, y * input.width + x) + word : 0;
            operands_.push_back(!ofRun    ? 77
                                : !inside ? wrap32(step.padValue)
                                          : wrapTo(input.scalar, readLane(input, stored, lane)));
        }
    }

    /// Each lane on its own.
    void reduceLanes(const ComputeStep& step, std::int64_t weightWord, bool first) {
        const ScheduleUnit& unit = schedule_.unit(step.unit);
        for (std::size_t lane = 0; lane < operands_.size(); ++lane) {
            std::int32_t& sum = accumulators_[lane];
            const std::int64_t x = operands_[lane];
            if (unit.laneFunction == LaneFunction::Max)
                sum = first ? operands_[lane] : std::max(sum, operands_[lane]);
            else if (unit.laneFunction == LaneFunction::Sum)
                sum = wrap32(sum + x);
            else
                sum = wrap32(sum + x * weights_[step.unit.index()].at(
                                           at(weightWord * std::ssize(operands_)) + lane));
        }
    }

    void multiply(const ComputeStep& step, std::int64_t weightWord) {
        const ScheduleUnit& unit = schedule_.unit(step.unit);
        const std::int64_t lanes = schedule_.lanes * unit.span;
        const auto& weights = weights_[step.unit.index()];
        ENGINE_ASSERT(at((weightWord + 1) * unit.parallel * lanes) <= weights.size(),
                      "inside the weight memory");
        const std::int32_t* row = weights.data() + weightWord * unit.parallel * lanes;
        for (std::int64_t r = 0; r < unit.parallel; ++r, row += lanes) {
            std::uint32_t sum = 0;
            for (std::size_t lane = 0; lane < operands_.size(); ++lane)
                sum += static_cast<std::uint32_t>(operands_[lane]) *
                       static_cast<std::uint32_t>(row[lane]);
            accumulators_[at(r)] =
                static_cast<std::int32_t>(static_cast<std::uint32_t>(accumulators_[at(r)]) + sum);
        }
    }

    void beforePool(const ComputeStep& step, std::int64_t block, Pixel pixel, bool first) {
        const Epilogue& e = step.epilogue;
        const std::int64_t parallel = schedule_.unit(step.unit).parallel;
        for (std::int64_t r = 0; r < parallel; ++r) {
            std::int32_t value =
                activated(step, e.activationBefore, beforeActivation(step, block, r));
            if (e.addend) {
                const StoredTensor& addend = schedule_.tensor(*e.addend);
                const std::int64_t p = pixel.y * step.width + pixel.x;
                const std::int32_t other =
                    wrapTo(addend.scalar, read(addend, p, block * parallel + r));
                value = withAddend(e, value, other);
            }
            const bool replaces = first || e.pool == PoolKind::None;
            pooled_[at(r)] = replaces ? value : pooledWith(e.pool, pooled_[at(r)], value);
        }
    }

    /// A row's accumulator with its bias, requantised.
    std::int32_t beforeActivation(const ComputeStep& step, std::int64_t block,
                                  std::int64_t row) const {
        const Epilogue& e = step.epilogue;
        const ScheduleUnit& unit = schedule_.unit(step.unit);
        const auto& packed = scales_[step.unit.index()];
        if (packed.empty())
            return apply(e.requantBefore, accumulators_[at(row)]);
        const ScaleFields& numbers = packed.at(at((step.scaleBase + block) * unit.parallel + row));
        const std::int64_t biased = std::int64_t{accumulators_[at(row)]} + numbers.bias;
        return apply(e.requantBefore, wrap32(biased), numbers);
    }

    std::int32_t activated(const ComputeStep& step, const ActivationStage& stage,
                           std::int32_t value) const {
        if (!stage.table)
            return apply(stage, value);
        return wrap32(tables_[step.unit.index()].at(at(256 * stage.tableIndex + (value & 255))));
    }

    void write(const ComputeStep& step, std::int64_t block, std::int64_t pixel) {
        const Epilogue& e = step.epilogue;
        const StoredTensor& output = schedule_.tensor(step.output);
        const std::int64_t parallel = schedule_.unit(step.unit).parallel;
        for (std::int64_t r = 0; r < parallel; ++r) {
            const std::int32_t value =
                activated(step, e.activationAfter, apply(e.requantAfter, pooled_[at(r)]));
            write(output, pixel, block * parallel + r, value);
        }
    }

    const Schedule& schedule_;
    const ir::Program& program_;
    const std::vector<ir::Tensor>& values_;
    std::vector<std::vector<std::int32_t>> memories_; ///< index: SlotId; depth × lanes
    std::vector<std::vector<std::int32_t>> weights_;  ///< index: UnitId
    std::vector<std::vector<ScaleFields>> scales_;    ///< index: UnitId
    std::vector<std::vector<std::int64_t>> tables_;
    std::vector<std::int32_t> accumulators_;
    std::vector<std::int32_t> pooled_;
    std::vector<std::int32_t> operands_;
    std::map<ir::ValueId, ir::Tensor> external_;
    std::vector<std::int32_t> lines_; ///< of a streamed call, the last pixels, oldest first
    std::vector<std::vector<std::int32_t>> columns_; ///< and what each column has pooled so far
};

} // namespace

std::vector<ir::Tensor> simulate(const Schedule& schedule, const ir::Program& program,
                                 const std::vector<ir::Tensor>& values, std::stop_token stop) {
    Machine machine(schedule, program, values);
    std::vector<ir::Tensor> outputs;
    for (const Step& step : schedule.steps) {
        if (stop.stop_requested())
            return {};
        if (const auto* load = std::get_if<LoadStep>(&step))
            machine.run(*load);
        else if (const auto* compute = std::get_if<ComputeStep>(&step))
            machine.run(*compute);
        else if (const auto* move = std::get_if<MoveStep>(&step))
            machine.run(*move);
        else if (const auto* rows = std::get_if<RowStep>(&step))
            machine.run(*rows);
        else if (const StoreStep& store = std::get<StoreStep>(step); store.external)
            machine.keep(store);
        else
            outputs.push_back(machine.run(store));
    }
    return outputs;
}

} // namespace marquetry::design
