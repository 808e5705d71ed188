#include "engine/cost/buffer_cost.h"
#include "engine/cost/call_words.h"
#include "engine/design/batch.h"
#include "engine/design/join.h"
#include "engine/design/step_name.h"
#include "engine/lower_design/epilogue_check.h"
#include "engine/lower_design/hazard_check.h"
#include "engine/lower_design/lower_design.h"
#include "engine/lower_design/move_check.h"
#include "engine/lower_design/order_check.h"
#include "engine/lower_design/row.h"
#include "engine/lower_design/transfer_check.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <set>

namespace marquetry::hdl {

namespace {

using design::ComputeStep;
using design::Schedule;
using ir::Scalar;

/// Leaves room for sums and strides of addresses above the products of extents.
constexpr std::int64_t kLargestStride = 1 << 16;
constexpr std::int64_t kMostRows = 4096;
/// Clocks of a stream unit per pixel.
constexpr std::int64_t kLargestInterval = 64;

bool powerOfTwo(std::int64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

bool multiplies(Scalar scalar) {
    return storable(scalar) && scalar != Scalar::I32;
}

class Checker {
public:
    explicit Checker(const Schedule& schedule) : schedule_(schedule) {}

    Diagnostics run() {
        if (!powerOfTwo(schedule_.lanes) || schedule_.lanes < 8 || schedule_.lanes > 256)
            refuse(cat("words of ", schedule_.lanes, " lanes have no hardware"),
                   "lanes are a power of two from 8 to 256");
        checkFrames();
        for (const design::Slot& slot : schedule_.slots)
            checkSlot(slot);
        for (const design::StoredTensor& tensor : schedule_.tensors)
            wholes_[tensor.value] = std::max(wholes_[tensor.value], tensor.words());
        for (const design::StoredTensor& tensor : schedule_.tensors)
            checkTensor(tensor);
        for (const design::ScheduleUnit& unit : schedule_.units)
            checkUnit(unit);
        if (!errors_.empty())
            return errors_;
        for (const design::Step& step : schedule_.steps)
            checkHolders(step);
        for (const design::Step& step : schedule_.steps)
            std::visit([this](const auto& s) { checkStep(s); }, step);
        for (const Diagnostic& wrong : whyNoTransfers(schedule_))
            errors_.push_back(wrong);
        if (errors_.empty())
            errors_ = whyNoOrder(schedule_);
        for (std::size_t i = 0; i < schedule_.steps.size() && errors_.empty(); ++i)
            checkJoin(i);
        return errors_;
    }

private:
    void refuse(std::string message, std::string hint = {}) {
        errors_.push_back(makeError("hdl-unsupported", std::move(message), std::move(hint)));
    }

    void checkFrames() {
        if (schedule_.frames < 1 || schedule_.frames > design::kMostFrames)
            refuse(cat("a run of ", schedule_.frames, " frames has no hardware"),
                   cat("runs take 1 to ", design::kMostFrames, " frames"));
        if (schedule_.groups < 1 || schedule_.frames % schedule_.groups != 0)
            refuse(cat("a run of ", schedule_.frames, " frames has no ", schedule_.groups,
                       " groups that are alike"));
        if (schedule_.frames == 1 || !errors_.empty())
            return;
        if (schedule_.groups > 1)
            checkGroups();
        for (std::size_t a = 0; a < schedule_.tensors.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                checkParts(schedule_.tensors[a], schedule_.tensors[b]);
        for (const design::Slot& slot : schedule_.slots)
            if (slot.ring && schedule_.groups == 1)
                refuse(cat("slot ", slot.name, " is a ring of rows, of each of ", schedule_.frames,
                           " frames"));
        for (const design::ScheduleUnit& unit : schedule_.units)
            if ((unit.holds || unit.stream) && schedule_.framesAtOnce() > 1)
                refuse(cat("unit ", unit.name,
                           " takes the frames of a run one by one, of which "
                           "there are ",
                           schedule_.framesAtOnce(), " at once"));
        if (schedule_.framesAtOnce() > 1)
            checkSecondOperands();
    }

    void checkSecondOperands() {
        for (const design::Step& step : schedule_.steps)
            if (const auto* rows = std::get_if<design::RowStep>(&step);
                rows && (rows->second == cost::SecondOperand::Row ||
                         rows->second == cost::SecondOperand::Entry))
                refuse(cat("layer ", rows->layer, " has another operand in each of ",
                           schedule_.framesAtOnce(), " frames"));
    }

    /// Each tensor holds the frames of a group, and a step takes those of one.
    void checkGroups() {
        for (const design::StoredTensor& tensor : schedule_.tensors)
            if (!groupOf(tensor))
                refuse(cat("tensor ", tensor.name, " holds the frames of no group"));
        for (const design::Step& step : schedule_.steps) {
            std::vector<design::TensorId> tensors = design::sourcesOf(step);
            if (const auto target = design::targetOf(step))
                tensors.push_back(*target);
            for (const design::TensorId tensor : tensors)
                if (groupOf(schedule_.tensor(tensor)) != groupOf(schedule_.tensor(tensors.front())))
                    return refuse(
                        cat(design::nameOf(step), " takes tensors of two groups of frames"));
        }
    }

    /// Of one of several; nothing of bands.
    std::optional<std::int64_t> groupOf(const design::StoredTensor& tensor) const {
        const std::int64_t rows =
            saturatingMul(schedule_.framesAtOnce(), std::max<std::int64_t>(1, tensor.height));
        const std::int64_t first = tensor.firstRow.value_or(-1);
        if (first < 0 || first % rows != 0 || first / rows >= schedule_.groups)
            return std::nullopt;
        return first / rows;
    }

    /// Frames lie a whole tensor apart: a part of one would be read from its neighbours.
    void checkParts(const design::StoredTensor& a, const design::StoredTensor& b) {
        const auto behind = [&](const design::StoredTensor& tensor) {
            return tensor.base + saturatingMul(schedule_.framesAtOnce(), tensor.words());
        };
        const bool meet = a.slot == b.slot && a.firstRow == b.firstRow && a.base < behind(b) &&
                          b.base < behind(a);
        if (schedule_.framesAtOnce() > 1 && a.value == b.value && meet &&
            (a.base != b.base || a.words() != b.words()))
            refuse(cat("tensor ", a.name, " is part of another, of each of ", schedule_.frames,
                       " frames"));
    }

    void checkSlot(const design::Slot& slot) {
        const bool wide = slot.elementBits == 8 || slot.elementBits == 16 || slot.elementBits == 32;
        if (!wide || slot.depth < 1 || !powerOfTwo(slot.writeLanes) ||
            !powerOfTwo(slot.storedLanes) || slot.storedLanes > schedule_.lanes ||
            slot.writeLanes > slot.storedLanes || slot.memoryBits < 1 ||
            slot.memoryBits > cost::kMaxMemoryBits || !powerOfTwo(slot.turns) ||
            slot.turns > cost::kMostTurns ||
            (slot.ring && slot.turns > 1 &&
             (slot.depth % slot.turns != 0 || slot.depth < 2 * slot.turns)) ||
            (slot.window &&
             (slot.window->rows < 1 || slot.window->run < 1 || slot.window->words() > slot.turns)))
            refuse(cat("slot ", slot.name, " has no memory: ", slot.depth, " words of ",
                       slot.storedLanes, " ", slot.elementBits, "-bit elements, ", slot.writeLanes,
                       " lanes at once, memories of ", slot.memoryBits, " bits, ", slot.turns,
                       " turns"));
    }

    /// Of the frame that a group has. That its words were written, hazard_check.h sees.
    bool isPart(const design::StoredTensor& tensor) const {
        return schedule_.groups > 1 && tensor.words() < wholes_.at(tensor.value);
    }

    void checkTensor(const design::StoredTensor& tensor) {
        const design::Slot& slot = schedule_.slot(tensor.slot);
        const bool extents = tensor.pixels == tensor.height * tensor.width &&
                             tensor.wordsPerPixel == ceilDiv(tensor.channels, schedule_.lanes);
        const bool rows = slot.window
                              ? holdsAlone(tensor) &&
                                    tensor.rowWords % slot.turns == slot.window->run % slot.turns &&
                                    tensor.rowWords >= tensor.width * tensor.wordsPerPixel
                              : tensor.rowWords == 0;
        if (!rows)
            refuse(cat("rows of tensor ", tensor.name, " do not lie in the turns of slot ",
                       slot.name));
        const std::int64_t words = saturatingMul(schedule_.framesAtOnce(), tensor.words());
        const bool band = slot.ring && tensor.firstRow;
        if (band && !isPart(tensor) &&
            saturatingMul(*tensor.firstRow, tensor.pitch()) % slot.depth != tensor.base)
            refuse(cat("rows of tensor ", tensor.name, " from ", *tensor.firstRow,
                       " on do not lie in ring ", slot.name, " where rows before them end"));
        if (!extents || tensor.base >= slot.depth || (!band && words > slot.depth - tensor.base) ||
            words > slot.depth || slot.storedLanes < std::min(tensor.channels, schedule_.lanes))
            refuse(cat("tensor ", tensor.name, " does not lie inside slot ", slot.name));
        if (ir::info(tensor.scalar).bits > slot.elementBits)
            refuse(cat("tensor ", tensor.name, " of ", ir::info(tensor.scalar).name,
                       " elements cannot be stored in slot ", slot.name));
    }

    /// The slot holds one tensor and bands of it.
    bool holdsAlone(const design::StoredTensor& tensor) const {
        return std::ranges::none_of(schedule_.tensors, [&](const design::StoredTensor& other) {
            const bool bands = other.value == tensor.value && (other.firstRow || tensor.firstRow) &&
                               other.rowWords == tensor.rowWords;
            return other.slot == tensor.slot && other.id != tensor.id && !bands;
        });
    }

    void checkUnit(const design::ScheduleUnit& unit) {
        // A pass may stand for moves, which take elements as they are.
        if (!unit.pass && !(multiplies(unit.operand) && multiplies(unit.weight)))
            refuse(cat("unit ", unit.name, " computes ", ir::info(unit.operand).name, " x ",
                       ir::info(unit.weight).name),
                   "the hardware multiplies i8, u8, i16 and u16");
        if (!unit.pass && (unit.parallel < 1 || unit.parallel > kMostRows ||
                           (unit.stream && schedule_.lanes % unit.parallel != 0)))
            refuse(cat("unit ", unit.name, " computes ", unit.parallel, " rows at once with ",
                       schedule_.lanes, " lanes"),
                   cat("the hardware takes 1 to ", kMostRows,
                       " rows; of a stream unit, a power of two that is at most the lanes"));
        const bool takesWords = unit.reduces() && !unit.stream && !unit.holds;
        if (unit.span < 1 || unit.span > (takesWords ? cost::kMostTurns : 1))
            refuse(cat("unit ", unit.name, " takes ", unit.span, " words at once"),
                   cat("units of products with weights and lane units take 1 to ", cost::kMostTurns,
                       ", others one"));
        checkLanes(unit);
        checkPairs(unit);
    }

    void checkLanes(const design::ScheduleUnit& unit) {
        const bool pool = unit.laneFunction == design::LaneFunction::Max ||
                          unit.laneFunction == design::LaneFunction::Sum;
        if (unit.lanewise() && (unit.pass != pool || unit.parallel != unit.span * schedule_.lanes))
            refuse(cat("lane unit ", unit.name, " has other rows than lanes"));
        if (!unit.writeBack)
            return;
        const std::int64_t lanes = unit.writeBack->lanes;
        const bool groups =
            lanes > 0 && schedule_.lanes % lanes == 0 && unit.rows(schedule_.lanes) % lanes == 0;
        if (unit.stream || !groups || (!unit.reduces() && lanes != schedule_.lanes))
            refuse(cat("unit ", unit.name, " writes ", lanes, " of ", unit.parallel,
                       " results at once"),
                   "the hardware takes a number of results that divides both the rows and the "
                   "lanes of a word; of a tensor-wise pass, all lanes");
    }

    void checkPairs(const design::ScheduleUnit& unit) {
        const bool pairable = !unit.pass && !unit.stream && !unit.lanewise() &&
                              ir::storedBits(unit.operand) <= kPairedBits &&
                              ir::storedBits(unit.weight) <= kPairedBits;
        if (unit.pairsRows && !pairable)
            refuse(cat("unit ", unit.name, " of ", ir::info(unit.operand).name, " x ",
                       ir::info(unit.weight).name, " pairs rows"),
                   "rows of multipliers of at most 8 x 8 bits are built in pairs");
    }

    void checkJoin(std::size_t index) {
        const auto* step = std::get_if<ComputeStep>(&schedule_.steps[index]);
        if (step == nullptr || !step->joinedAfter)
            return;
        if (!design::mayOverlap(schedule_, index))
            return refuse(cat("layer ", step->layer, " cannot run while the step before it does"),
                          "joined steps use different units and different ports of the memories");
        const std::int64_t least = design::joinDelay(schedule_, schedule_.steps[index - 1], *step);
        if (*step->joinedAfter < least)
            refuse(cat("layer ", step->layer, " starts ", *step->joinedAfter,
                       " cycles after what writes ", schedule_.tensor(step->input).name,
                       " and would read words that are not written yet"),
                   cat("it needs ", least, " cycles"));
    }

    void checkStep(const design::LoadStep&) {} // transfer_check.h
    void checkStep(const design::StoreStep&) {}

    /// Units of rows do not count beyond the end of a ring.
    void checkWhole(const std::string& layer, const design::StoredTensor& tensor) {
        if (schedule_.storedWords(tensor.id) > schedule_.slot(tensor.slot).depth - tensor.base)
            refuse(cat("layer ", layer, " takes ", tensor.name,
                       " as a whole, which goes on at the beginning of its ring"));
    }

    void checkStep(const design::MoveStep& step) {
        if (const std::string wrong = whyNoMove(schedule_, step); !wrong.empty())
            refuse(cat("layer ", step.layer, " copies ", schedule_.tensor(step.source).name, ": ",
                       wrong));
    }

    void checkStep(const design::RowStep& step) {
        const design::StoredTensor& input = schedule_.tensor(step.input);
        const design::StoredTensor& output = schedule_.tensor(step.output);
        checkWhole(step.layer, input);
        checkWhole(step.layer, output);
        if (step.second != cost::SecondOperand::None)
            return checkElements(step, input, output);
        constexpr std::int64_t kMostShift = 16;
        const bool takes = step.function == cost::RowFunction::Softmax ? storable(input.scalar)
                                                                       : multiplies(input.scalar);
        if (input.slot == output.slot || input.pixels != output.pixels ||
            input.channels != output.channels || ir::info(output.scalar).bits > 16 || !takes ||
            step.shift > kMostShift)
            refuse(cat("layer ", step.layer, " has no unit for its rows"),
                   "rows go from one slot to another, of layernorm of at most 16 bits");
    }

    /// What it writes may be what it reads: an element is read before it is written.
    void checkElements(const design::RowStep& step, const design::StoredTensor& input,
                       const design::StoredTensor& output) {
        const bool apart = step.input == step.output || input.slot != output.slot;
        const bool computes = step.function < cost::RowFunction::Second;
        bool fits = apart && input.pixels == output.pixels && input.channels == output.channels &&
                    (!computes || (output.scalar == Scalar::I32 && storable(input.scalar))) &&
                    step.function >= cost::RowFunction::Add &&
                    cost::isConstant(step.second) == step.constants.has_value();
        const bool reads =
            step.second == cost::SecondOperand::Elements || step.second == cost::SecondOperand::Row;
        const bool looks =
            step.second == cost::SecondOperand::Entry || step.function == cost::RowFunction::LookUp;
        if (looks) {
            fits = fits && looksUp(step, input, output);
        } else if (reads && step.other) {
            const design::StoredTensor& other = schedule_.tensor(*step.other);
            const std::int64_t rows = step.second == cost::SecondOperand::Row ? 1 : input.pixels;
            fits = fits && other.slot != input.slot && other.slot != output.slot &&
                   storable(other.scalar) && other.pixels == rows &&
                   other.channels == input.channels;
        }
        if (!fits || (reads || looks) != step.other.has_value() ||
            (step.constants && (step.constants->bits < 1 || step.constants->bits > 32)))
            refuse(cat("layer ", step.layer, " has no unit for its elements"),
                   "elements of two slots, or of one and constants, go to a third of 32 bits");
    }

    /// The table is one pixel in a slot of its own, with an entry for each value of an element.
    bool looksUp(const design::RowStep& step, const design::StoredTensor& input,
                 const design::StoredTensor& output) const {
        if (step.second != cost::SecondOperand::Entry ||
            step.function != cost::RowFunction::LookUp || !step.other)
            return false;
        const design::StoredTensor& table = schedule_.tensor(*step.other);
        return table.slot != input.slot && table.slot != output.slot && table.pixels == 1 &&
               ir::info(input.scalar).bits <= 8 &&
               table.channels == std::int64_t{1} << ir::info(input.scalar).bits &&
               table.scalar == output.scalar;
    }

    void checkStep(const ComputeStep& step) {
        const design::ScheduleUnit& unit = schedule_.unit(step.unit);
        const design::StoredTensor& input = schedule_.tensor(step.input);
        const design::StoredTensor& output = schedule_.tensor(step.output);
        const std::int64_t parallel = unit.rows(schedule_.lanes);
        const std::int64_t pool = step.epilogue.poolSize;
        if (unit.pass == step.multiplies() || step.height % pool != 0 || step.width % pool != 0 ||
            step.rowBlocks != ceilDiv(step.rows, parallel))
            refuse(cat("layer ", step.layer, " does not fit unit ", unit.name));
        if (!checkedProduct({schedule_.framesAtOnce(), step.rowBlocks, step.height, step.width,
                             step.kernel.vertical, step.kernel.horizontal,
                             step.channelWords + unit.parallel, kLargestStride}))
            refuse(cat("layer ", step.layer, " takes more cycles than can be counted"));
        checkReads(step, unit, schedule_.slot(input.slot));
        const bool taken =
            unit.pass ? input.scalar == unit.operand : ir::isStoredAs(input.scalar, unit.operand);
        if (!taken || !storable(input.scalar))
            refuse(cat("layer ", step.layer, " feeds ", ir::info(input.scalar).name, " to unit ",
                       unit.name, " of ", ir::info(unit.operand).name));
        if (input.slot == output.slot)
            refuse(cat("layer ", step.layer, " reads and writes slot ",
                       schedule_.slot(input.slot).name));
        const std::int64_t written = unit.reduces() ? unit.writeLanes(schedule_.lanes) : parallel;
        if (schedule_.slot(output.slot).writeLanes > written)
            refuse(cat("layer ", step.layer, " writes ", written, " lanes at once, slot ",
                       schedule_.slot(output.slot).name, " needs ",
                       schedule_.slot(output.slot).writeLanes));
        if (step.held && (!unit.holds || unit.stream))
            refuse(
                cat("layer ", step.layer, " has no weights, which unit ", unit.name, " cannot do"));
        if (step.epilogue.addend && schedule_.tensor(*step.epilogue.addend).slot == input.slot)
            refuse(cat("layer ", step.layer, " adds an operand from the slot of its input"));
        checkWindows(step, unit, input);
        if (unit.stream)
            checkStream(step, unit, input);
        checkEpilogue(step, unit);
    }

    void checkReads(const ComputeStep& step, const design::ScheduleUnit& unit,
                    const design::Slot& slot) {
        if (!fitsWindow(step, unit))
            refuse(cat("layer ", step.layer, " cannot take the windows of slot ", slot.name));
        if (slot.turns < unit.span && !slot.window)
            refuse(cat("layer ", step.layer, " reads ", unit.span, " words at once, slot ",
                       slot.name, " gives ", slot.turns));
    }

    /// A row of the kernel is a run of the slot, and all of its rows fit the unit.
    bool fitsWindow(const ComputeStep& step, const design::ScheduleUnit& unit) const {
        const design::StoredTensor& input = schedule_.tensor(step.input);
        const design::Slot& slot = schedule_.slot(input.slot);
        return !slot.window ||
               (!unit.pass && !unit.lanewise() && !unit.stream && step.weight &&
                step.kernel.horizontal * step.channelWords == slot.window->run &&
                step.channelWords == input.wordsPerPixel &&
                slot.window->words() * slot.storedLanes <= unit.span * schedule_.lanes);
    }

    /// A slot with windows holds what is loaded or computed, for compute steps.
    void checkHolders(const design::Step& step) {
        const auto windowed = [&](design::TensorId tensor) {
            return schedule_.slot(schedule_.tensor(tensor).slot).window.has_value();
        };
        const auto* compute = std::get_if<ComputeStep>(&step);
        const auto target = design::targetOf(step);
        const bool written = compute != nullptr || std::holds_alternative<design::LoadStep>(step);
        bool wrong = target && !written && windowed(*target);
        for (const design::TensorId source : design::sourcesOf(step))
            wrong |= windowed(source) && (compute == nullptr || compute->input != source);
        if (wrong)
            refuse("a slot with windows holds what is not the input of a convolution");
    }

    void checkWindows(const ComputeStep& step, const design::ScheduleUnit& unit,
                      const design::StoredTensor& input) {
        const ir::ScalarInfo& operand = ir::info(unit.operand);
        if (step.padValue < operand.min || step.padValue > operand.max)
            refuse(cat("layer ", step.layer, " is padded with ", step.padValue, ", which is no ",
                       operand.name));
        const bool inside = step.kernel.vertical > 0 && step.kernel.horizontal > 0 &&
                            step.stride.vertical > 0 && step.stride.horizontal > 0 &&
                            step.pad.vertical >= 0 && step.pad.horizontal >= 0 &&
                            std::max({step.stride.vertical, step.stride.horizontal,
                                      step.pad.vertical, step.pad.horizontal}) < kLargestStride;
        if (!inside || step.groups < 1 || step.rows % step.groups != 0)
            refuse(cat("layer ", step.layer, " has no windows"));
        const bool lanes = step.channelWords == 1 &&
                           step.rowBlocks == ceilDiv(input.wordsPerPixel, unit.span) &&
                           input.channels == step.rows && step.groups == 1;
        if (unit.lanewise() && !lanes)
            refuse(cat("layer ", step.layer, " does not fit unit ", unit.name),
                   "a lane unit gives one result for each channel of its input");
    }

    void checkStream(const ComputeStep& step, const design::ScheduleUnit& unit,
                     const design::StoredTensor& input) {
        const std::int64_t products = step.rows * step.kernel.area() * input.channels;
        const bool timing = unit.stream->interval >= step.rowBlocks &&
                            unit.stream->interval <= kLargestInterval &&
                            unit.stream->latency < kLargestStride;
        const bool words = input.wordsPerPixel == 1 && ir::info(input.scalar).bits == 8 &&
                           products <= ir::kMaxStreamProducts && step.kernel.isSquare() &&
                           step.stride.isSquare() && step.pad.isSquare() && step.padValue == 0 &&
                           step.groups == 1;
        if (unit.pass || unit.lanewise() || step.epilogue.addend || !timing || !words)
            refuse(cat("layer ", step.layer, " cannot be streamed through unit ", unit.name),
                   "a stream unit takes 8-bit pixels of one word, and as many clocks for each as "
                   "it writes groups of rows");
        std::vector<std::string>& called = streamed_[unit.id];
        called.push_back(step.layer);
        if (called.front() != step.layer || std::ssize(called) > schedule_.groups)
            refuse(cat("stream unit ", unit.name, " is called twice"),
                   "its weights are those of one layer, which each group of frames calls once");
    }

    void checkEpilogue(const ComputeStep& step, const design::ScheduleUnit& unit) {
        const Diagnostics wrong = unit.writeBack ? whyNoScaledEpilogue(step, unit)
                                                 : whyNoEpilogue(step.layer, step.epilogue);
        errors_.insert(errors_.end(), wrong.begin(), wrong.end());
    }

    const Schedule& schedule_;
    std::map<design::UnitId, std::vector<std::string>> streamed_; ///< layers of stream units
    std::map<ir::ValueId, std::int64_t> wholes_; ///< words of what is no part, of a frame
    Diagnostics errors_;
};

} // namespace

Status check(const Schedule& schedule) {
    Diagnostics errors = Checker(schedule).run();
    if (errors.empty())
        errors = hazardsOf(schedule);
    if (!errors.empty())
        return errors;
    return ok();
}

} // namespace marquetry::hdl
