// PinHistory: the pins in force, with undo and redo of every change to them.
//
// Ids are given here, from 1, and never used twice: an undone and redone pin keeps its id.
// Errors: pin-target (empty target), pin-exists (the same kind, target and layer is there),
// pin-missing (no pin has the id), nothing-to-undo, nothing-to-redo. A failed change changes
// nothing. Complexity: O(pins) per change. Thread rule: belongs to one thread.
#pragma once

#include "engine/design/pin.h"

#include <vector>

namespace marquetry::session {

class PinHistory {
public:
    Status add(design::Pin pin);
    Status remove(int id);
    Status enable(int id, bool enabled);
    Status undo();
    Status redo();
    /// Forgets everything but the ids already given.
    void clear();

    const std::vector<design::Pin>& pins() const { return pins_; }
    bool canUndo() const { return !undo_.empty(); }
    bool canRedo() const { return !redo_.empty(); }

private:
    void change(std::vector<design::Pin> pins);

    std::vector<design::Pin> pins_;
    std::vector<std::vector<design::Pin>> undo_;
    std::vector<std::vector<design::Pin>> redo_;
    int nextId_ = 1;
};

} // namespace marquetry::session
