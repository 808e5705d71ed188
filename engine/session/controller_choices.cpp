// What the user chooses, settings and pins, and what follows: another e-graph or extraction.
#include "engine/session/controller.h"

#include <algorithm>

namespace marquetry::session {

// ---- settings ----

Status Controller::apply(const ChangeSettings& command) {
    auto setup = makeSetup(command.settings, {});
    if (!setup)
        return setup.error();
    const Settings before = choices_.settings();
    choices_.change(command.settings);
    replanFor(before);
    return useSetup(*std::move(setup), before);
}

Status Controller::apply(const SwitchRules& command) {
    const bool searched = mode_ > Mode::Loaded;
    const Status changed = apply(ChangeSettings{withRules(choices_.settings(), command)});
    return changed ? searchAgain(searched) : changed;
}

Status Controller::useSetup(Setup setup, const Settings& before) {
    const Settings& now = choices_.settings();
    Settings sameAnswer = now; // but for how long to look for it
    sameAnswer.seed = before.seed;
    sameAnswer.seconds = before.seconds;
    sameAnswer.maxIterations = before.maxIterations;
    sameAnswer.maxEnodes = before.maxEnodes;
    const bool unproven = explorer_.found().design && explorer_.found().gap > 0;
    const bool extractAgain = sameAnswer != before || (unproven && now.seconds > before.seconds);
    const bool lowerAgain =
        explorer_.loaded() && changesEgraph(*explorer_.lowered(), setup_, setup);
    if (lowerAgain)
        return startOver(std::move(setup));
    setup_ = std::move(setup);
    if (!explorer_.loaded())
        return ok();
    explorer_.setLimits(setup_.saturation);
    if (extractAgain)
        constraintsChanged();
    return ok();
}

Status Controller::startOver(Setup setup) {
    note_ = "the settings need another e-graph: starting over";
    Status restarted = explorer_.restart(setup);
    before_.reset(); // the old e-graph is gone
    setup_ = std::move(setup);
    forgetSearch();
    if (!restarted)
        mode_ = Mode::Invalid;
    else if (mode_ != Mode::Saturating)
        mode_ = Mode::Loaded;
    return restarted;
}

/// Goes on to where the search had been before a change led back to the beginning.
Status Controller::searchAgain(bool searched) {
    return searched && mode_ == Mode::Loaded ? saturateFrom(false) : ok();
}

// ---- pins ----

Status Controller::apply(const AddPin& command) {
    return pinsChanged(choices_.add(command.pin));
}
Status Controller::apply(const RemovePin& command) {
    return pinsChanged(choices_.remove(command.id));
}
Status Controller::apply(const EnablePin& command) {
    return pinsChanged(choices_.enable(command.id, command.enabled));
}

Status Controller::pinsChanged(const Status& status) {
    if (status && explorer_.loaded())
        constraintsChanged();
    return status;
}

void Controller::constraintsChanged() {
    if (mode_ == Mode::Loaded)
        return;
    constraintsNew_ = true;
    forgetAnswers();
    if (mode_ == Mode::Saturating)
        quickDue_ = explorer_.found().design != nullptr;
    else
        extractDue_ = true;
}

/// Answers to questions that were asked under other constraints.
void Controller::forgetAnswers() {
    interrupted_.reset();
    chosen_.reset();
    whatIf_.reset();
    proofOf_.reset();
}

// ---- undo ----

Status Controller::apply(const Undo&) {
    return travel(&ChoiceHistory::undo, &ChoiceHistory::redo);
}
Status Controller::apply(const Redo&) {
    return travel(&ChoiceHistory::redo, &ChoiceHistory::undo);
}

Status Controller::travel(Status (ChoiceHistory::*there)(), Status (ChoiceHistory::*back)()) {
    const Settings before = choices_.settings();
    const std::vector<design::Pin> pins = choices_.pins();
    if (const Status moved = (choices_.*there)(); !moved)
        return moved;
    memories_.setChoices(choices_.banks());
    streams_.setChoices(choices_.streams());
    if (choices_.settings() == before)
        return choices_.pins() == pins ? ok() : pinsChanged(ok());
    auto setup = makeSetup(choices_.settings(), {});
    if (!setup) { // a device file may have gone since
        (void)(choices_.*back)();
        memories_.setChoices(choices_.banks());
        streams_.setChoices(choices_.streams());
        return setup.error();
    }
    replanFor(before);
    const bool searched = mode_ > Mode::Loaded;
    if (const Status used = useSetup(*std::move(setup), before); !used)
        return used;
    return searchAgain(searched);
}

} // namespace marquetry::session
