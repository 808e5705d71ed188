#include "engine/artefact/checkpoints.h"

#include "engine/design/step_name.h"
#include "engine/design/step_queues.h"
#include "engine/rtl/netlist.h"
#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using design::Schedule;
using design::Step;
using design::StoredTensor;
using design::TensorId;

constexpr int kDigitBits = 4;

bool isJoined(const Step& step) {
    const auto* call = std::get_if<design::ComputeStep>(&step);
    return call != nullptr && call->joinedAfter.has_value();
}

/// A band in a ring, where other rows of its value take its place.
bool passes(const Schedule& schedule, const StoredTensor& tensor) {
    return tensor.firstRow && schedule.slot(tensor.slot).ring;
}

/// Parts of one value in one place, and of one group of frames; of bands that pass, the same rows.
bool overlaps(const Schedule& schedule, const StoredTensor& a, const StoredTensor& b) {
    if (a.value != b.value || a.slot != b.slot || (schedule.groups > 1 && a.firstRow != b.firstRow))
        return false;
    if (passes(schedule, a) && passes(schedule, b))
        return *a.firstRow < *b.firstRow + b.height && *b.firstRow < *a.firstRow + a.height;
    return a.base < b.base + schedule.storedWords(b.id) &&
           b.base < a.base + schedule.storedWords(a.id);
}

class CheckpointFinder {
public:
    explicit CheckpointFinder(const Schedule& schedule) : schedule_(schedule) {}

    std::vector<Checkpoint> run() {
        const std::vector<Step>& steps = schedule_.steps;
        for (std::size_t group = 0; group < steps.size();) {
            std::size_t end = group + 1;
            if (end < steps.size() && isJoined(steps[end]))
                ++end;
            for (std::size_t step = group; step < end; ++step)
                for (const TensorId source : design::sourcesOf(steps[step]))
                    readAs(group, step, source);
            lastGroup_ = group;
            for (std::size_t step = group; step < end; ++step)
                if (const auto target = design::targetOf(steps[step]))
                    written(group, step, *target);
            group = end;
        }
        if (!schedule_.order.empty())
            std::ranges::stable_sort(found_, [](const Checkpoint& a, const Checkpoint& b) {
                return a.group != b.group ? a.group < b.group : a.reads && !b.reads;
            });
        return std::move(found_);
    }

private:
    /// A tensor that is not whole yet is none to compare: sums that become averages in place.
    bool isWrittenFrom(std::size_t step, TensorId tensor) const {
        for (std::size_t later = step; later < schedule_.steps.size(); ++later)
            if (const auto target = design::targetOf(schedule_.steps[later]))
                if (overlaps(schedule_, schedule_.tensor(*target), schedule_.tensor(tensor)))
                    return true;
        return false;
    }

    /// What is read may be a part of what was written, or other words for it.
    void readAs(std::size_t group, std::size_t step, TensorId source) {
        for (std::size_t writer = 0; writer < group; ++writer)
            if (const auto target = design::targetOf(schedule_.steps[writer]))
                if (overlaps(schedule_, schedule_.tensor(*target), schedule_.tensor(source)))
                    read(group, step,
                         passes(schedule_, schedule_.tensor(source)) ? source : *target);
    }

    void read(std::size_t group, std::size_t step, TensorId tensor) {
        // Nothing has happened since the group before wrote it, or since a step of this one.
        const bool known = std::ranges::any_of(found_, [&](const Checkpoint& c) {
            return c.tensor == tensor && (c.reads ? c.group == group : c.group == lastGroup_);
        });
        if (!known && !isWrittenFrom(group, tensor))
            found_.push_back({step, group, tensor, true});
    }

    void written(std::size_t group, std::size_t step, TensorId tensor) {
        if (!isWrittenFrom(step + 1, tensor))
            found_.push_back({step, lastBeside(step, group), tensor, false});
    }

    /// The last step that may begin before a step of another queue has ended.
    std::size_t lastBeside(std::size_t step, std::size_t group) const {
        const design::Queue queue = schedule_.orderOf(step).queue;
        if (queue == design::Queue::Calls)
            return group;
        std::size_t next = step + 1;
        while (next < schedule_.steps.size() &&
               (isJoined(schedule_.steps[next]) || !design::awaits(schedule_.order[next], queue)))
            ++next;
        return next - 1;
    }

    const Schedule& schedule_;
    std::vector<Checkpoint> found_;
    std::size_t lastGroup_ = 0;
};

/// The tensor as it stores all elements of the value; nothing where the schedule stores a part
/// alone. Of a band, as if the other rows lay around it.
std::optional<StoredTensor> wholeOf(const Schedule& schedule, const StoredTensor& tensor,
                                    std::int64_t elements) {
    if (tensor.elements() == elements)
        return tensor;
    StoredTensor whole = tensor;
    if (schedule.groups == 1 && tensor.firstRow &&
        elements % (tensor.width * tensor.channels) == 0) {
        whole.base -= *tensor.firstRow * tensor.pitch();
        whole.pixels = elements / tensor.channels;
        whole.height = whole.pixels / whole.width;
        return whole;
    }
    for (const StoredTensor& other : schedule.tensors)
        if (other.elements() == elements && overlaps(schedule, other, tensor))
            return other;
    return std::nullopt;
}

/// Of the run, the first one of the tensor's.
std::int64_t firstFrameOf(const Schedule& schedule, const StoredTensor& tensor) {
    return schedule.groups > 1 ? tensor.firstRow.value_or(0) / tensor.height : 0;
}

/// The word of element k, counted through all its frames.
std::int64_t wordAt(const Schedule& schedule, const StoredTensor& whole, std::int64_t k) {
    const std::int64_t e = k % whole.elements();
    return whole.base + k / whole.elements() * whole.words() + whole.wordOf(e / whole.channels) +
           e % whole.channels / schedule.lanes;
}

/// Words as lines of digits, comments left out.
std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    TextIn in(text);
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && line[0] != '/' && line[0] != '@')
            lines.push_back(line);
    return lines;
}

/// Bits of a lane as a number of the scalar's type; nothing when one of them is unknown. Digits
/// beyond the line are zeros.
std::optional<std::int64_t> laneOf(const std::string& word, std::int64_t lane, int bits,
                                   ir::Scalar scalar) {
    const std::int64_t digits = bits / kDigitBits;
    const int taken = std::min(bits, ir::storedBits(scalar));
    std::uint64_t value = 0;
    for (std::int64_t k = taken / kDigitBits; k-- > 0;) {
        const std::int64_t fromEnd = lane * digits + k;
        const char c = fromEnd < std::ssize(word)
                           ? word[word.size() - 1 - static_cast<std::size_t>(fromEnd)]
                           : '0';
        const std::size_t digit = std::string_view("0123456789abcdef").find(c);
        if (digit == std::string_view::npos)
            return std::nullopt;
        value = value << kDigitBits | digit;
    }
    const int unused = 64 - taken;
    const std::uint64_t top = value << unused;
    return ir::info(scalar).isSigned ? static_cast<std::int64_t>(top) >> unused
                                     : static_cast<std::int64_t>(top >> unused);
}

std::vector<std::int64_t> indicesOf(std::int64_t index, const ir::Shape& dims) {
    std::vector<std::int64_t> indices(dims.size());
    for (std::size_t d = dims.size(); d-- > 0;) {
        indices[d] = index % dims[d];
        index /= dims[d];
    }
    return indices;
}

/// The step that wrote what the checkpoint reads, or writes it.
std::size_t writerOf(const Schedule& schedule, const Checkpoint& checkpoint) {
    if (!checkpoint.reads)
        return checkpoint.step;
    const StoredTensor& tensor = schedule.tensor(checkpoint.tensor);
    for (std::size_t step = checkpoint.group; step-- > 0;)
        if (const auto target = design::targetOf(schedule.steps[step]))
            if (overlaps(schedule, schedule.tensor(*target), tensor))
                return step;
    return checkpoint.step;
}

void nameWriter(const Schedule& schedule, const Checkpoint& checkpoint, WrongElement& wrong) {
    const std::size_t writer = writerOf(schedule, checkpoint);
    const Step& step = schedule.steps[writer];
    wrong.step = writer;
    if (const std::string* layer = design::layerOf(step)) {
        wrong.layer = *layer;
    } else if (const auto* load = std::get_if<design::LoadStep>(&step)) {
        wrong.layer = load->port + (load->external ? " of external memory" : "");
        wrong.input = !load->external;
    }
    wrong.tensor = schedule.tensor(checkpoint.tensor).name;
    if (checkpoint.reads)
        wrong.overwrittenBefore = nameOf(schedule.steps[checkpoint.step]);
}

} // namespace

std::vector<Checkpoint> checkpointsOf(const Schedule& schedule) {
    return CheckpointFinder(schedule).run();
}

KeptWords keptWords(const Schedule& schedule, TensorId id) {
    const StoredTensor& tensor = schedule.tensor(id);
    if (passes(schedule, tensor))
        return {0, schedule.slot(tensor.slot).depth};
    return {tensor.base, schedule.storedWords(id)};
}

std::string checkpointFile(std::size_t index) {
    return cat("checkpoint_", index, ".hex");
}

Result<std::optional<WrongElement>> wrongElement(const Schedule& schedule,
                                                 const Checkpoint& checkpoint,
                                                 const FrameValues& frames,
                                                 const std::string& words) {
    const StoredTensor& tensor = schedule.tensor(checkpoint.tensor);
    const std::size_t id = tensor.value.index();
    if (std::ssize(frames) != schedule.frames || id >= frames.front().size())
        return makeError("checkpoint-form", "the program has no value " + tensor.name);
    const std::optional<StoredTensor> whole =
        wholeOf(schedule, tensor, std::ssize(frames.front()[id].data));
    if (!whole)
        return makeError("checkpoint-form", tensor.name + " is not a value of the program");
    const std::vector<std::string> lines = linesOf(words);
    const KeptWords kept = keptWords(schedule, tensor.id);
    if (std::ssize(lines) != kept.number)
        return makeError("checkpoint-form", cat("of ", tensor.name, " ", lines.size(),
                                                " words were kept instead of ", kept.number));
    const int bits = schedule.slot(tensor.slot).elementBits;
    const std::int64_t firstFrame = firstFrameOf(schedule, tensor);
    for (std::int64_t k = 0; k < schedule.framesAtOnce() * whole->elements(); ++k) {
        const std::int64_t word = wordAt(schedule, *whole, k) - tensor.base;
        if (word < 0 || word >= schedule.storedWords(tensor.id))
            continue;
        const std::int64_t line = schedule.addressOf(tensor, word) - kept.first;
        WrongElement wrong;
        wrong.frame = firstFrame + k / whole->elements();
        wrong.index = k % whole->elements();
        const std::int64_t lane = wrong.index % whole->channels % schedule.lanes;
        wrong.got = laneOf(lines[static_cast<std::size_t>(line)], lane, bits, tensor.scalar);
        const ir::Tensor& value = frames[static_cast<std::size_t>(wrong.frame)][id];
        wrong.expected = value.data[static_cast<std::size_t>(wrong.index)];
        if (wrong.got == wrong.expected)
            continue;
        wrong.element = indicesOf(wrong.index, value.type.dims);
        nameWriter(schedule, checkpoint, wrong);
        return std::optional(std::move(wrong));
    }
    return std::optional<WrongElement>();
}

CheckpointReport compareCheckpoints(const Schedule& schedule, const FrameValues& frames,
                                    const CheckpointReader& read) {
    CheckpointReport report;
    const std::vector<Checkpoint> checkpoints = checkpointsOf(schedule);
    for (std::size_t k = 0; k < checkpoints.size(); ++k) {
        const auto words = read(checkpointFile(k));
        if (!words) {
            report.note = "every stored tensor is right up to " +
                          nameOf(schedule.steps[checkpoints[k].step]) + ", in which the run ended";
            return report;
        }
        auto wrong = wrongElement(schedule, checkpoints[k], frames, *words);
        if (!wrong) {
            report.note = "no layer is named: " + wrong.error().front().message;
            return report;
        }
        ++report.compared;
        if (*wrong) {
            report.wrong = *std::move(*wrong);
            return report;
        }
    }
    return report;
}

} // namespace marquetry::hdl
