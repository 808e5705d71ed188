#include "engine/lower_design/hazard_check.h"

#include "engine/design/held.h"
#include "engine/design/step_name.h"
#include "engine/design/weight_image.h"
#include "engine/design/windows.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace marquetry::hdl {

namespace {

using design::ComputeStep;
using design::Schedule;
using design::StoredTensor;

/// Of an external memory nobody waits longer for.
constexpr std::int64_t kMostLatency = 1'000'000;
constexpr std::int64_t kMostRing = std::int64_t{1} << 24;
/// Of words in a slot, and of words of weights: more have no place in any device.
constexpr std::int64_t kMostWords = std::int64_t{1} << 26;
/// Of a memory that gives less nobody waits for the beats.
constexpr double kLeastRate = 0.05;

class HazardChecker {
public:
    explicit HazardChecker(const Schedule& schedule) : schedule_(schedule) {}

    Diagnostics run() {
        for (const design::Slot& slot : schedule_.slots)
            if (slot.depth > kMostWords)
                refuse(cat("slot ", slot.name, " has ", slot.depth, " words"));
        checkMemory();
        for (const design::ScheduleUnit& unit : schedule_.units)
            checkRing(unit);
        if (errors_.empty())
            for (std::size_t s = 0; s < schedule_.steps.size(); ++s)
                checkExternal(s);
        if (errors_.empty())
            checkStorage();
        return std::move(errors_);
    }

private:
    void refuse(std::string message, std::string hint = {}) {
        errors_.push_back(makeError("hdl-unsupported", std::move(message), std::move(hint)));
    }

    void checkMemory() {
        if (!schedule_.memory)
            return;
        const design::ExternalMemory& memory = *schedule_.memory;
        const bool width = memory.beatBytes >= design::kLeastBeatBytes &&
                           memory.beatBytes <= design::kMostBeatBytes &&
                           std::has_single_bit(static_cast<std::uint64_t>(memory.beatBytes));
        const auto beat = static_cast<double>(memory.beatBytes);
        const bool rate = memory.bytesPerCycle >= std::max(kLeastRate, beat / 1000) &&
                          memory.bytesPerCycle <= beat;
        if (!width || !rate || memory.latencyCycles > kMostLatency)
            refuse(cat("external memory gives ", memory.bytesPerCycle,
                       " bytes a clock in beats of ", memory.beatBytes, " bytes"),
                   cat("beats are a power of two from ", design::kLeastBeatBytes, " to ",
                       design::kMostBeatBytes, " bytes, of which a clock gives one at most"));
        if (schedule_.externals.empty() &&
            std::ranges::none_of(schedule_.units,
                                 [](const auto& unit) { return unit.externalWords > 0; }))
            refuse("the schedule has a memory, and neither external weights nor activations");
    }

    /// Those that its calls take, one layer's behind another's. `stays`: gets the words of the
    /// others.
    std::int64_t externalWords(const design::ScheduleUnit& unit, std::int64_t& stays) {
        std::map<std::int64_t, const ComputeStep*> calls; // with external weights, by first word
        for (const design::Step& step : schedule_.steps) {
            const auto* call = std::get_if<ComputeStep>(&step);
            if (call == nullptr || call->unit != unit.id || !call->multiplies() || unit.stream)
                continue;
            const std::int64_t words = design::weightRun(schedule_, *call).words;
            if (!call->external) {
                stays = std::max(stays, call->weightBase + words);
                continue;
            }
            const auto [same, isNew] = calls.try_emplace(call->weightBase, call);
            if (!isNew && same->second->layer != call->layer)
                refuse(cat("layers ", same->second->layer, " and ", call->layer,
                           " take their weights from word ", call->weightBase, " on"));
            if (design::weightRun(schedule_, *same->second).words != words)
                refuse(cat("bands of layer ", call->layer, " take other numbers of words"));
        }
        std::int64_t external = 0;
        for (const auto& [first, call] : calls) {
            if (first != unit.weightWords + external)
                refuse(cat("layer ", call->layer, " takes its weights from word ", first,
                           " on, where others do not end"),
                       cat("they begin at word ", unit.weightWords + external));
            external += design::weightRun(schedule_, *call).words;
        }
        return external;
    }

    /// What its calls say of the words of a unit.
    void checkRing(const design::ScheduleUnit& unit) {
        std::int64_t stays = 0;
        const std::int64_t external = externalWords(unit, stays);
        if (external != unit.externalWords || (!unit.stream && stays > unit.weightWords))
            refuse(cat("unit ", unit.name, " has ", unit.weightWords, " words of weights and ",
                       unit.externalWords, " external ones, its calls take ", stays, " and ",
                       external));
        if ((unit.ringWords > 0 || unit.externalWords > 0) && !schedule_.memory)
            refuse(cat("unit ", unit.name, " has external weights, the schedule no memory"));
        const bool loads = unit.externalWords > 0 && !unit.pass && !unit.stream && !unit.holds;
        if (unit.weightWords > kMostWords || unit.externalWords > kMostWords)
            refuse(cat("unit ", unit.name, " has more words of weights than can be counted"));
        if ((unit.ringWords > 0) != loads || unit.ringWords > kMostRing || unit.loadBeats < 1 ||
            unit.loadBeats > 64)
            refuse(cat("unit ", unit.name, " has no memory for a ring of ", unit.ringWords,
                       " words, written ", unit.loadBeats, " beats at a time"));
    }

    void checkExternal(std::size_t index) {
        const auto* step = std::get_if<ComputeStep>(&schedule_.steps[index]);
        if (step == nullptr || !step->external)
            return;
        const design::ScheduleUnit& unit = schedule_.unit(step->unit);
        if (!step->weight || unit.holds || unit.stream || unit.pass)
            return refuse(cat("layer ", step->layer, " on unit ", unit.name,
                              " has no weights that could be external"));
        const std::int64_t block = design::reductionWords(schedule_, *step);
        if (unit.ringWords < block)
            refuse(cat("layer ", step->layer, " waits for ever: a block of its weights has ", block,
                       " words, the ring of unit ", unit.name, " ", unit.ringWords),
                   cat("the ring needs ", block, " words"));
        const auto* next = index + 1 < schedule_.steps.size()
                               ? std::get_if<ComputeStep>(&schedule_.steps[index + 1])
                               : nullptr;
        const bool follows = step->joinedAfter.has_value();
        if (follows || (next != nullptr && next->joinedAfter))
            refuse(cat(nameOf(schedule_.steps[follows ? index : index + 1]), " is joined to ",
                       nameOf(schedule_.steps[follows ? index - 1 : index]),
                       ", which waits for weights as long as memory takes"),
                   "calls with external weights are joined to nothing");
    }

    /// By word of a slot: the value in it, which of its words that is where the value lies in
    /// bands, and the step that wrote it.
    struct Word {
        std::optional<ir::ValueId> value;
        std::int64_t index = 0;
        std::size_t step = 0;
        std::optional<std::size_t> reader = {}; ///< the last step that has read it
    };

    void checkStorage() {
        for (const StoredTensor& tensor : schedule_.tensors) {
            if (tensor.firstRow)
                banded_.insert(tensor.value);
            const StoredTensor*& whole = wholes_[{tensor.value, groupOf(tensor)}];
            if (whole == nullptr || whole->words() < tensor.words())
                whole = &tensor;
        }
        for (const design::Slot& slot : schedule_.slots)
            words_.emplace_back(static_cast<std::size_t>(slot.depth));
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s) {
            checkRows(schedule_.steps[s]);
            hold(s);
            readHeld(s);
            for (const design::TensorId source : design::sourcesOf(schedule_.steps[s]))
                if (!onlyFills(schedule_.steps[s], source))
                    read(s, schedule_.tensor(source));
            if (const auto target = design::targetOf(schedule_.steps[s]))
                write(s, schedule_.tensor(*target));
        }
    }

    /// Rows that are loaded from external memory were stored there by a step before.
    void checkRows(const design::Step& step) {
        const auto* load = std::get_if<design::LoadStep>(&step);
        const auto* store = std::get_if<design::StoreStep>(&step);
        if (store != nullptr && store->external)
            forEachRow(store->tensor,
                       [&](ir::ValueId value, std::int64_t row) { stored_.emplace(value, row); });
        if (load == nullptr || !load->external)
            return;
        forEachRow(load->tensor, [&](ir::ValueId value, std::int64_t row) {
            if (errors_.empty() && !stored_.contains({value, row}))
                refuse(
                    cat(nameOf(step), " reads row ", row, ", which no step before it has stored"));
        });
    }

    template <class Use>
    void forEachRow(design::TensorId id, const Use& use) const {
        const StoredTensor& tensor = schedule_.tensor(id);
        const std::int64_t first = tensor.firstRow.value_or(0);
        for (std::int64_t row = first; row < first + tensor.height; ++row)
            use(tensor.value, row);
    }

    /// A move brings a tensor, or a part of it, to the weights of a unit.
    void hold(std::size_t step) {
        const auto* move = std::get_if<design::MoveStep>(&schedule_.steps[step]);
        if (move == nullptr || move->target || !errors_.empty())
            return;
        std::set<std::pair<std::int64_t, std::int64_t>> places; // word and row
        for (std::int64_t k = 0; k < move->move.target.iterations(); ++k) {
            const std::int64_t at = move->move.target.at(k);
            places.emplace(at % design::kHeldRow / schedule_.lanes, at / design::kHeldRow);
        }
        for (const auto& [word, row] : places) {
            Held& held = held_[{move->unit, word, row}];
            if (held.source && !held.reader)
                return refuse(cat(textOf(step), ", takes the place of weights that ",
                                  textOf(held.step), " has brought, before a call has read them"),
                              kHoldsOne);
            held = {move->source, step, {}};
        }
    }

    /// The weights of a call are those of its tensor, and of its batch.
    void readHeld(std::size_t step) {
        const auto* call = std::get_if<ComputeStep>(&schedule_.steps[step]);
        if (call == nullptr || !call->held || !errors_.empty())
            return;
        const std::int64_t words = call->rowBlocks * design::reductionWords(schedule_, *call);
        const auto first = held_.lower_bound({call->unit, call->weightBase, 0});
        const auto end = held_.lower_bound({call->unit, call->weightBase + words, 0});
        if (first == end)
            refuse(cat(textOf(step), ", multiplies by ", schedule_.tensor(*call->held).name,
                       ", which no step before it has brought to its unit"));
        for (auto place = first; place != end && errors_.empty(); ++place) {
            Held& held = place->second;
            const bool again =
                held.reader &&
                std::get<ComputeStep>(schedule_.steps[*held.reader]).firstRow != call->firstRow;
            if (held.source != *call->held || again)
                refuse(cat(textOf(step), ", multiplies by ", schedule_.tensor(*call->held).name,
                           ", in whose place is what ", textOf(held.step), ", has brought"),
                       kHoldsOne);
            held.reader = step;
        }
    }

    static constexpr const char* kHoldsOne =
        "a unit holds the weights of one call, until that has ended";

    std::string textOf(std::size_t step) const {
        return cat("step ", step, ", ", nameOf(schedule_.steps[step]));
    }

    /// What is filled with constants is walked over and not read.
    static bool onlyFills(const design::Step& step, design::TensorId source) {
        const auto* rows = std::get_if<design::RowStep>(&step);
        return rows != nullptr && rows->function == cost::RowFunction::Second &&
               rows->input == source && rows->output == source;
    }

    void read(std::size_t step, const StoredTensor& tensor) {
        for (std::int64_t w = 0; w < schedule_.storedWords(tensor.id); ++w) {
            Word& word = wordAt(tensor, w);
            if (word.value == tensor.value && word.index == indexOf(tensor, w)) {
                word.reader = step;
                continue;
            }
            const std::string what = nameOf(schedule_.steps[step]) + " reads " + tensor.name;
            return refuse(word.value ? what + ", of which " + nameOf(schedule_.steps[word.step]) +
                                           " has overwritten words"
                                     : what + ", which no step before it has written",
                          "tensors that live at the same time lie apart");
        }
    }

    void write(std::size_t step, const StoredTensor& tensor) {
        const bool copies = std::holds_alternative<design::MoveStep>(schedule_.steps[step]);
        for (std::int64_t w = 0; w < schedule_.storedWords(tensor.id); ++w) {
            Word& word = wordAt(tensor, w);
            // Moves of several operands write a part of the channels each.
            if (copies && word.reader && word.value == tensor.value &&
                word.index == indexOf(tensor, w) && isMoveOf(word.step, step))
                return refuse(cat(nameOf(schedule_.steps[*word.reader]), " reads ", tensor.name,
                                  ", of which ", nameOf(schedule_.steps[step]),
                                  " writes channels later"),
                              "all moves of a layer come before what reads their result");
            word = {tensor.value, indexOf(tensor, w), step};
        }
    }

    /// Both are moves of a layer.
    bool isMoveOf(std::size_t a, std::size_t b) const {
        const auto* first = std::get_if<design::MoveStep>(&schedule_.steps[a]);
        const auto* other = std::get_if<design::MoveStep>(&schedule_.steps[b]);
        return first != nullptr && other != nullptr && first->layer == other->layer;
    }

    Word& wordAt(const StoredTensor& tensor, std::int64_t word) {
        std::vector<Word>& slot = words_[tensor.slot.index()];
        return slot[static_cast<std::size_t>(schedule_.addressOf(tensor, word))];
    }

    /// Of a word of a value that lies in bands: another row of it may be in its place. In groups of
    /// frames a tensor may be a part of another.
    std::int64_t indexOf(const StoredTensor& tensor, std::int64_t word) const {
        if (!banded_.contains(tensor.value))
            return 0;
        if (schedule_.groups == 1)
            return tensor.firstRow.value_or(0) * tensor.pitch() + word;
        const std::int64_t group = groupOf(tensor);
        const StoredTensor& whole = *wholes_.at({tensor.value, group});
        return group * schedule_.framesAtOnce() * whole.words() + tensor.base - whole.base + word;
    }

    std::int64_t groupOf(const StoredTensor& tensor) const {
        return tensor.firstRow.value_or(0) /
               saturatingMul(schedule_.framesAtOnce(), std::max<std::int64_t>(1, tensor.height));
    }

    const Schedule& schedule_;
    std::vector<std::vector<Word>> words_; ///< index: SlotId
    std::set<ir::ValueId> banded_;
    /// Of a value in a group of frames, what is a part of nothing else.
    std::map<std::pair<ir::ValueId, std::int64_t>, const StoredTensor*> wholes_;
    std::set<std::pair<ir::ValueId, std::int64_t>> stored_; ///< rows in external memory

    struct Held {
        std::optional<design::TensorId> source;
        std::size_t step = 0;              ///< the move that brought it
        std::optional<std::size_t> reader; ///< the last call that has read it
    };
    /// By unit, word and row; what none brings stays zero.
    std::map<std::tuple<design::UnitId, std::int64_t, std::int64_t>, Held> held_;
    Diagnostics errors_;
};

} // namespace

Diagnostics hazardsOf(const Schedule& schedule) {
    return HazardChecker(schedule).run();
}

} // namespace marquetry::hdl
