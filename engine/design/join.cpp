#include "engine/design/join.h"

#include "engine/design/cycle_model.h"
#include "engine/design/windows.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::design {

namespace {

/// Clocks after the set-up in which the nest reaches a word as written or read.
using Times = std::vector<std::int64_t>;

/// From the first word of a reduction to that of the next.
std::int64_t clocksOf(const cost::CallShape& shape) {
    return cost::reductionClocks(shape.reductionWords, shape.groups);
}

/// What a step writes of a frame and when.
struct Writes {
    Times last;           ///< by word
    std::int64_t latency; ///< clocks from that time until the word can be read
    std::int64_t frame;   ///< clocks from a frame to the next
};

/// Of a word, the iteration in which the last of its elements come.
Writes writesOf(const Schedule& schedule, const LoadStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    const std::int64_t atOnce =
        cost::loadElements(tensor.channels, 8 * ir::info(tensor.scalar).bytes);
    const std::int64_t perPixel = ceilDiv(tensor.channels, atOnce);
    Writes writes{{}, cost::kLoadDrain + 1, tensor.pixels * perPixel};
    for (std::int64_t pixel = 0; pixel < tensor.pixels; ++pixel)
        for (std::int64_t word = 0; word < tensor.wordsPerPixel; ++word) {
            const std::int64_t elements = std::min((word + 1) * schedule.lanes, tensor.channels);
            writes.last.push_back(pixel * perPixel + ceilDiv(elements, atOnce) - 1);
        }
    return writes;
}

/// Of a word, the iteration after which its last group leaves, with the clocks for which groups
/// before that one leave.
Writes writesOf(const Schedule& schedule, const ComputeStep& step) {
    const StoredTensor& output = schedule.tensor(step.output);
    const ScheduleUnit& unit = schedule.unit(step.unit);
    const std::int64_t parallel = unit.rows(schedule.lanes);
    const std::int64_t window = step.epilogue.poolSize * step.epilogue.poolSize;
    const cost::CallShape shape = callShape(schedule, step);
    const std::int64_t perBlock = window * clocksOf(shape);
    // A word can be read in the clock after its write; the drain lasts until the last group's.
    Writes writes{{},
                  cost::drainCycles(shape) - (shape.groups - 1) + 1,
                  step.rowBlocks * step.height * step.width * clocksOf(shape)};
    Times ofPixel;
    for (std::int64_t word = 0; word < output.wordsPerPixel; ++word) {
        const std::int64_t row =
            std::min((word + 1) * schedule.lanes, step.rowBlocks * parallel) - 1;
        const std::int64_t group = row % parallel * shape.groups / parallel;
        ofPixel.push_back((row / parallel + 1) * perBlock - cost::reductionWait(shape) - 1 + group);
    }
    writes.last.reserve(static_cast<std::size_t>(output.words()));
    for (std::int64_t pixel = 0; pixel < output.pixels; ++pixel)
        for (const std::int64_t last : ofPixel)
            writes.last.push_back(pixel * step.rowBlocks * perBlock + last);
    return writes;
}

Writes writesOf(const Schedule& schedule, const Step& step) {
    if (const auto* load = std::get_if<LoadStep>(&step))
        return writesOf(schedule, *load);
    return writesOf(schedule, std::get<ComputeStep>(step));
}

/// By word of the input of a frame: the first iteration that reads it; −1 where none does.
class FirstReads {
public:
    FirstReads(const Schedule& schedule, const ComputeStep& step)
        : step_(step),
          input_(schedule.tensor(step.input)),
          span_(schedule.unit(step.unit).span),
          run_(runWords(schedule, step)),
          windowRows_(windowRows(schedule, step)),
          clocks_(clocksOf(callShape(schedule, step))),
          first_(static_cast<std::size_t>(input_.words()), -1) {
        const ScheduleUnit& unit = schedule.unit(step.unit);
        if (unit.lanewise())
            playLanes();
        else if (unit.pass)
            playPass();
        else
            playProduct();
    }

    const Times& byWord() const { return first_; }
    /// Clocks from a frame to the next.
    std::int64_t frame() const { return step_.rowBlocks * step_.height * step_.width * clocks_; }

private:
    /// Rows of a window that are one iteration; 0 where a row is one or more.
    static std::int64_t windowRows(const Schedule& schedule, const ComputeStep& step) {
        const auto& window = schedule.slot(schedule.tensor(step.input).slot).window;
        return window ? window->rows : 0;
    }

    void read(std::int64_t word, std::int64_t clock) {
        std::int64_t& first = first_[static_cast<std::size_t>(word)];
        if (first < 0)
            first = clock;
    }

    bool wasRead(std::int64_t word) const { return first_[static_cast<std::size_t>(word)] >= 0; }

    /// The iterations of the nest's three outer loops and of the pool window.
    template <class Visit>
    void eachResult(const Visit& visit) const {
        const std::int64_t pool = step_.epilogue.poolSize;
        for (std::int64_t py = 0; py < step_.height; py += pool)
            for (std::int64_t px = 0; px < step_.width; px += pool)
                for (std::int64_t block = 0; block < step_.rowBlocks; ++block)
                    for (std::int64_t wy = 0; wy < pool; ++wy)
                        for (std::int64_t wx = 0; wx < pool; ++wx)
                            visit(block, py + wy, px + wx);
    }

    void playPass() {
        std::int64_t clock = 0;
        eachResult([&](std::int64_t block, std::int64_t y, std::int64_t x) {
            read((y * input_.width + x) * input_.wordsPerPixel + block, clock++);
        });
    }

    void readPixel(std::int64_t start, std::int64_t kx, std::int64_t begin) {
        // The window before reads most of the same pixels, all words of each.
        if (step_.channelWords <= input_.wordsPerPixel && wasRead(start))
            return;
        for (std::int64_t k = 0; k < step_.channelWords; ++k)
            read(start + k, begin + (windowRows_ > 0 ? 0 : (kx * step_.channelWords + k) / span_));
    }

    /// All blocks of a pixel read the same words, the first one before the others.
    void playProduct() {
        std::int64_t clock = 0;
        eachResult([&](std::int64_t block, std::int64_t y, std::int64_t x) {
            if (block == 0)
                window(y, x, clock,
                       [this](std::int64_t start, std::int64_t kx, std::int64_t begin) {
                           readPixel(start, kx, begin);
                       });
            clock += clocks_;
        });
    }

    /// Every block reads words of its own.
    void playLanes() {
        std::int64_t clock = 0;
        eachResult([&](std::int64_t block, std::int64_t y, std::int64_t x) {
            window(y, x, clock, [=, this](std::int64_t start, std::int64_t kx, std::int64_t begin) {
                const std::int64_t first = block * span_;
                const std::int64_t last = std::min(first + span_, input_.wordsPerPixel);
                if (first >= last || wasRead(start + first))
                    return;
                for (std::int64_t word = first; word < last; ++word)
                    read(start + word, begin + kx);
            });
            clock += clocks_;
        });
    }

    /// `pixel`: takes the first word of a pixel inside the input, its column of the window and the
    /// clock at which the row of the window begins.
    template <class Pixel>
    void window(std::int64_t y, std::int64_t x, std::int64_t clock, const Pixel& pixel) {
        for (std::int64_t ky = 0; ky < step_.kernel.vertical; ++ky) {
            for (std::int64_t kx = 0; kx < step_.kernel.horizontal; ++kx) {
                const std::int64_t row = y * step_.stride.vertical + ky - step_.pad.vertical;
                const std::int64_t column = x * step_.stride.horizontal + kx - step_.pad.horizontal;
                const bool inside =
                    row >= 0 && row < input_.height && column >= 0 && column < input_.width;
                const std::int64_t begin = windowRows_ > 0 ? ky / windowRows_ : ky * run_;
                if (inside)
                    pixel((row * input_.width + column) * input_.wordsPerPixel, kx, clock + begin);
            }
        }
    }

    const ComputeStep& step_;
    const StoredTensor& input_;
    std::int64_t span_;
    std::int64_t run_; ///< iterations for a row of the window
    std::int64_t windowRows_;
    std::int64_t clocks_; ///< from a reduction to the next
    Times first_;
};

/// Slots that a step reads.
std::vector<SlotId> readSlots(const Schedule& schedule, const ComputeStep& step) {
    std::vector<SlotId> slots = {schedule.tensor(step.input).slot};
    if (step.epilogue.addend)
        slots.push_back(schedule.tensor(*step.epilogue.addend).slot);
    return slots;
}

bool contains(const std::vector<SlotId>& slots, SlotId slot) {
    return std::ranges::find(slots, slot) != slots.end();
}

} // namespace

std::int64_t joinDelay(const Schedule& schedule, const Step& writer, const ComputeStep& reader) {
    const Writes writes = writesOf(schedule, writer);
    const FirstReads reads(schedule, reader);
    std::int64_t delay =
        std::max(kLeastJoinDelay, cyclesAlone(schedule, writer) - cyclesAlone(schedule, reader));
    // Of all frames the first one decides, or the last one where the reader is the faster of both.
    const std::int64_t lag =
        (schedule.framesAtOnce() - 1) * std::max<std::int64_t>(0, writes.frame - reads.frame());
    for (std::size_t word = 0; word < writes.last.size(); ++word)
        if (reads.byWord()[word] >= 0)
            delay =
                std::max(delay, writes.last[word] - reads.byWord()[word] + writes.latency + lag);
    return delay;
}

bool canBeJoined(const Schedule& schedule, const ComputeStep& reader) {
    const auto words = [&](TensorId tensor) {
        return static_cast<double>(schedule.tensor(tensor).words());
    };
    const double reductions = static_cast<double>(reader.height) *
                              static_cast<double>(reader.width) *
                              static_cast<double>(reader.rowBlocks);
    return words(reader.input) <= kMostJoinedWords && words(reader.output) <= kMostJoinedWords &&
           reductions <= kMostJoinedReductions;
}

bool mayOverlap(const Schedule& schedule, std::size_t index) {
    const auto* reader = std::get_if<ComputeStep>(&schedule.steps[index]);
    if (reader == nullptr || index == 0 || !canBeJoined(schedule, *reader) ||
        schedule.unit(reader->unit).stream || reader->epilogue.addend == reader->input)
        return false;
    const std::vector<SlotId> second = readSlots(schedule, *reader);
    const SlotId result = schedule.tensor(reader->output).slot;
    if (const auto* load = std::get_if<LoadStep>(&schedule.steps[index - 1]))
        return load->tensor == reader->input && !load->external &&
               !schedule.tensor(load->tensor).firstRow && !contains(second, result);
    const auto* writer = std::get_if<ComputeStep>(&schedule.steps[index - 1]);
    if (writer == nullptr || writer->joinedAfter || reader->unit == writer->unit ||
        reader->input != writer->output || schedule.unit(writer->unit).stream)
        return false;
    const std::vector<SlotId> first = readSlots(schedule, *writer);
    const bool sameRead =
        std::ranges::any_of(second, [&](SlotId slot) { return contains(first, slot); });
    return !sameRead && !contains(first, result) && !contains(second, result);
}

} // namespace marquetry::design
