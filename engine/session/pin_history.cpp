#include "engine/session/pin_history.h"

#include <algorithm>
#include <utility>

namespace marquetry::session {

namespace {

using design::Pin;

Diagnostic missing(int id) {
    return makeError("pin-missing", "there is no pin " + std::to_string(id));
}

} // namespace

Status PinHistory::add(Pin pin) {
    if (pin.target.empty())
        return makeError("pin-target", "the pin names no unit or term",
                         "use a name as the Sharing or E-graph view prints it");
    for (const Pin& other : pins_)
        if (other.kind == pin.kind && other.target == pin.target && other.layer == pin.layer)
            return makeError("pin-exists", "the pin \"" + toString(pin) + "\" is there already",
                             other.enabled ? "" : "it is switched off: switch it on");
    pin.id = nextId_++;
    std::vector<Pin> pins = pins_;
    pins.push_back(std::move(pin));
    change(std::move(pins));
    return ok();
}

Status PinHistory::remove(int id) {
    std::vector<Pin> pins = pins_;
    if (std::erase_if(pins, [id](const Pin& pin) { return pin.id == id; }) == 0)
        return missing(id);
    change(std::move(pins));
    return ok();
}

Status PinHistory::enable(int id, bool enabled) {
    std::vector<Pin> pins = pins_;
    const auto found = std::ranges::find(pins, id, &Pin::id);
    if (found == pins.end())
        return missing(id);
    if (found->enabled == enabled)
        return ok();
    found->enabled = enabled;
    change(std::move(pins));
    return ok();
}

Status PinHistory::undo() {
    if (undo_.empty())
        return makeError("nothing-to-undo", "no change of a pin is left to undo");
    redo_.push_back(std::exchange(pins_, std::move(undo_.back())));
    undo_.pop_back();
    return ok();
}

Status PinHistory::redo() {
    if (redo_.empty())
        return makeError("nothing-to-redo", "no undone change of a pin is left to redo");
    undo_.push_back(std::exchange(pins_, std::move(redo_.back())));
    redo_.pop_back();
    return ok();
}

void PinHistory::clear() {
    pins_.clear();
    undo_.clear();
    redo_.clear();
}

void PinHistory::change(std::vector<Pin> pins) {
    undo_.push_back(std::exchange(pins_, std::move(pins)));
    redo_.clear();
}

} // namespace marquetry::session
