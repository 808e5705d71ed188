// The controller's files: what becomes of a program, or a DESIGN.json, that is opened.
#include "engine/frontend/onnx/program_file.h"
#include "engine/session/controller.h"
#include "engine/session/stream_rates.h"

#include <utility>

namespace marquetry::session {

namespace {

/// Warnings that have no place in the text are about the file as a whole.
std::string loadedNote(const Explorer& opened) {
    std::string note = "opened " + opened.program()->name + ": " +
                       std::to_string(opened.lowered()->plan.layers.size()) + " layers, " +
                       std::to_string(opened.program()->macs()) + " multiply–accumulates";
    for (const Diagnostic& warning : opened.diagnostics())
        if (!warning.range.known())
            note += "\nwarning: " + warning.message + " [" + warning.code + "]";
    return note;
}

std::string openedNote(const Explorer& opened, const Memories& memories, const Streams& streams,
                       const Status& status) {
    if (opened.loaded())
        return status ? loadedNote(opened) : "";
    if (memories.any())
        return "opened " + std::to_string(memories.items().size()) + " memories";
    if (streams.any())
        return "opened " + std::to_string(streams.items().size()) + " streams";
    return "";
}

bool wasStopped(const Status& status) {
    return !status && status.error().front().code == "cancelled";
}

/// Whether the item can be as it was chosen.
Status admitHeld(const Explorer& next, const HeldItem& held) {
    if (held.clocks == 0) {
        Memories memories;
        memories.open(next.memories(), held.item);
        return memories.admit(held.item, {held.pins, std::nullopt});
    }
    Streams streams;
    streams.open(next.streams(), held.item);
    StreamChoice choice;
    choice.clocks = held.clocks;
    if (!held.outputType.empty())
        choice.circuits[held.clocks].outputType = held.outputType;
    return streams.admit(held.item, choice);
}

} // namespace

/// The import of a network may take long: it is shown, and can be stopped.
Status Controller::read(Explorer& next, const std::string& path, const std::string& item,
                        const Setup& setup) {
    opening_ = frontend::onnx::isModelFile(path);
    if (opening_)
        hooks_.progress();
    const Status status = next.openFile(path, item, setup, stopOpening_);
    opening_ = false;
    return status;
}

/// Whoever stopped the import keeps what was open before.
Status Controller::openProgram(const OpenFile& file) {
    Explorer next = designs_.explorer().successor();
    const Status status = read(next, file.path, file.item, shared_.setup);
    if (wasStopped(status))
        return status;
    return opened(std::move(next), status);
}

/// What was chosen of the item is a change like any other: it can be undone. Nothing is opened when
/// it cannot be made.
Status Controller::openHeld(const HeldItem& held) {
    Explorer next = designs_.explorer().successor();
    const Status status = read(next, held.programFile, held.item, shared_.setup);
    if (wasStopped(status))
        return status;
    if (status)
        if (const Status admitted = admitHeld(next, held); !admitted)
            return admitted;
    if (const Status done = opened(std::move(next), status); !done)
        return done;
    Settings settings = shared_.choices.settings();
    if (!held.device.empty())
        settings.device = held.device;
    if (const Status done = change(settings); !done)
        return done;
    if (held.clocks == 0)
        return *memories_.apply(PinBanks{held.item, held.pins});
    const StreamItem* const stream = streams_.streams().find(held.item);
    const Status timed =
        *streams_.apply(SetThroughput{held.item, {outputElements(*stream->program), held.clocks}});
    if (!timed || held.outputType.empty())
        return timed;
    return *streams_.apply(PinOutputType{held.item, held.clocks, held.outputType});
}

/// A DESIGN.json stands for its program and for what it was searched with. Of a program that has
/// changed since, or another item, nothing else is known to find the same design.
Status Controller::openDesign(const OpenFile& file) {
    const auto design = readDesignFile(file.path);
    if (!design)
        return design.error();
    auto setup = makeSetup(design->choices.settings, {});
    if (!setup)
        return setup.error();
    Explorer next = designs_.explorer().successor();
    const std::string item = file.item.empty() ? design->item : file.item;
    const Status status = read(next, design->programFile, item, *setup);
    if (wasStopped(status))
        return status;
    if (next.program() && item == design->item)
        next.warn(staleWarning(*design, *next.program()));
    ChoiceHistory choices = shared_.choices;
    choices.restart(design->choices.settings, design->choices.pins);
    shared_.choices = std::move(choices);
    shared_.setup = *std::move(setup);
    const Status done = opened(std::move(next), status, Choices::Restarted);
    if (done && item == design->item)
        hardware_.hold(*design);
    return done;
}

/// Pins stay when the same file comes again: its author is at work on it. What takes memory comes
/// first: without it the old file stays.
Status Controller::opened(Explorer next, const Status& status, Choices choices) {
    const bool same = choices == Choices::Kept && next.file() == designs_.explorer().file();
    Memories memories;
    memories.open(next.memories(), next.item());
    Streams streams;
    streams.open(next.streams(), next.item());
    std::vector<std::string> taken;
    for (const StreamItem& item : streams.items())
        taken.push_back(item.program->name);
    if (same || choices == Choices::Restarted) {
        memories.setChoices(shared_.choices.banks());
        streams.setChoices(shared_.choices.streams());
    }
    shared_.note = openedNote(next, memories, streams, status);
    shared_.commit();
    if (!same && choices == Choices::Kept)
        shared_.choices.clear();
    designs_.open(std::move(next), status.has_value());
    memories_.open(std::move(memories), std::move(taken));
    streams_.open(std::move(streams));
    hardware_.open();
    return status;
}

} // namespace marquetry::session
