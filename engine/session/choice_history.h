// ChoiceHistory: what the user chose — pins, settings, a design of the plot, banks of memories,
// throughputs and circuits of streams — with undo and redo of every change.
//
// Ids of pins are given here, from 1, and never used twice: an undone and redone pin keeps its id.
// Errors: pin-target (empty target), pin-exists (the same kind, target and layer is there),
// pin-missing (no pin has the id), nothing-to-undo, nothing-to-redo. A failed change changes
// nothing. Complexity: O(pins) per change. Thread rule: belongs to one thread.
#pragma once

#include "engine/design/pin.h"
#include "engine/session/snapshot.h"

#include <vector>

namespace marquetry::session {

class ChoiceHistory {
public:
    ChoiceHistory() = default;
    /// What there is to begin with; pins keep their ids.
    ChoiceHistory(Settings settings, std::vector<design::Pin> pins);

    Status add(design::Pin pin);
    Status remove(int id);
    Status enable(int id, bool enabled);
    /// The same settings again are no change.
    void change(const Settings& settings);
    /// The same choice again is no change.
    void choose(const std::string& memory, const BankChoice& choice);
    void choose(const std::string& stream, const StreamChoice& choice);
    /// A design of the plot instead of the best. Another change of pins or settings takes the best
    /// again. The same choice again is no change.
    void pick(const PickedDesign& design);
    /// What is at hand in truth takes the place of what was chosen last, which is no change of its
    /// own: a step to undo or redo that changes nothing any more is none.
    void settlePick(const std::optional<PickedDesign>& atHand);
    Status undo();
    Status redo();
    /// Other settings, pins, which get ids, and choices, as if there had been none before.
    void restart(const Settings& settings, std::vector<design::Pin> pins, BankChoices banks = {},
                 StreamChoices streams = {}, std::optional<PickedDesign> picked = {});
    /// Forgets everything and the past, but neither the settings nor the ids already given.
    void clear();

    const std::vector<design::Pin>& pins() const { return now_.pins; }
    const Settings& settings() const { return now_.settings; }
    const BankChoices& banks() const { return now_.banks; }
    const StreamChoices& streams() const { return now_.streams; }
    const std::optional<PickedDesign>& picked() const { return now_.picked; }
    bool canUndo() const { return !undo_.empty(); }
    bool canRedo() const { return !redo_.empty(); }

private:
    struct Choices {
        std::vector<design::Pin> pins;
        Settings settings;
        BankChoices banks;
        StreamChoices streams;
        std::optional<PickedDesign> picked{};
        bool operator==(const Choices&) const = default;
    };

    void change(std::vector<design::Pin> pins);
    void change(Choices choices);

    Choices now_;
    std::vector<Choices> undo_;
    std::vector<Choices> redo_;
    int nextId_ = 1;
};

} // namespace marquetry::session
