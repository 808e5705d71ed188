#include "engine/session/choice_history.h"

#include <algorithm>
#include <utility>

namespace marquetry::session {

namespace {

using design::Pin;

Diagnostic missing(int id) {
    return makeError("pin-missing", "there is no pin " + std::to_string(id));
}

} // namespace

ChoiceHistory::ChoiceHistory(Settings settings, std::vector<design::Pin> pins)
    : now_{std::move(pins), std::move(settings), {}, {}} {
    for (const design::Pin& pin : now_.pins)
        nextId_ = std::max(nextId_, pin.id + 1);
}

Status ChoiceHistory::add(Pin pin) {
    if (pin.target.empty())
        return makeError("pin-target", "the pin names no unit or term",
                         "use a name as the Sharing or E-graph view prints it");
    for (const Pin& other : now_.pins)
        if (other.kind == pin.kind && other.target == pin.target && other.layer == pin.layer)
            return makeError("pin-exists", "the pin \"" + toString(pin) + "\" is there already",
                             other.enabled ? "" : "it is switched off: switch it on");
    pin.id = nextId_++;
    std::vector<Pin> pins = now_.pins;
    pins.push_back(std::move(pin));
    change(std::move(pins));
    return ok();
}

Status ChoiceHistory::remove(int id) {
    std::vector<Pin> pins = now_.pins;
    if (std::erase_if(pins, [id](const Pin& pin) { return pin.id == id; }) == 0)
        return missing(id);
    change(std::move(pins));
    return ok();
}

Status ChoiceHistory::enable(int id, bool enabled) {
    std::vector<Pin> pins = now_.pins;
    const auto found = std::ranges::find(pins, id, &Pin::id);
    if (found == pins.end())
        return missing(id);
    if (found->enabled == enabled)
        return ok();
    found->enabled = enabled;
    change(std::move(pins));
    return ok();
}

Status ChoiceHistory::undo() {
    if (undo_.empty())
        return makeError("nothing-to-undo", "no change of a pin or a setting is left to undo");
    redo_.push_back(std::move(undo_.back()));
    std::swap(redo_.back(), now_);
    undo_.pop_back();
    return ok();
}

Status ChoiceHistory::redo() {
    if (redo_.empty())
        return makeError("nothing-to-redo",
                         "no undone change of a pin or a setting is left to redo");
    undo_.push_back(std::move(redo_.back()));
    std::swap(undo_.back(), now_);
    redo_.pop_back();
    return ok();
}

void ChoiceHistory::restart(const Settings& settings, std::vector<Pin> pins, BankChoices banks,
                            StreamChoices streams, std::optional<PickedDesign> picked) {
    now_.settings = settings;
    clear();
    now_.pins = std::move(pins);
    for (Pin& pin : now_.pins)
        pin.id = nextId_++;
    now_.banks = std::move(banks);
    now_.streams = std::move(streams);
    now_.picked = std::move(picked);
}

void ChoiceHistory::clear() {
    now_.pins.clear();
    now_.banks.clear();
    now_.streams.clear();
    now_.picked.reset();
    undo_.clear();
    redo_.clear();
}

void ChoiceHistory::change(const Settings& settings) {
    if (settings != now_.settings)
        change(Choices{now_.pins, settings, now_.banks, now_.streams});
}

void ChoiceHistory::choose(const std::string& memory, const BankChoice& choice) {
    Choices choices = now_;
    if (choice == BankChoice())
        choices.banks.erase(memory);
    else
        choices.banks[memory] = choice;
    if (choices.banks != now_.banks)
        change(std::move(choices));
}

void ChoiceHistory::choose(const std::string& stream, const StreamChoice& choice) {
    Choices choices = now_;
    if (choice == StreamChoice())
        choices.streams.erase(stream);
    else
        choices.streams[stream] = choice;
    if (choices.streams != now_.streams)
        change(std::move(choices));
}

void ChoiceHistory::pick(const PickedDesign& design) {
    if (now_.picked == design)
        return;
    Choices choices = now_;
    choices.picked = design;
    change(std::move(choices));
}

void ChoiceHistory::settlePick(const std::optional<PickedDesign>& atHand) {
    now_.picked = atHand;
    for (std::vector<Choices>* const steps : {&undo_, &redo_})
        if (!steps->empty() && steps->back() == now_)
            steps->pop_back();
}

void ChoiceHistory::change(std::vector<Pin> pins) {
    change(Choices{std::move(pins), now_.settings, now_.banks, now_.streams});
}

void ChoiceHistory::change(Choices choices) {
    if (choices == now_)
        return;
    undo_.push_back(std::move(choices));
    std::swap(undo_.back(), now_);
    redo_.clear();
}

} // namespace marquetry::session
