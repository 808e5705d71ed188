// The controller's session files: the program as it is now, and what was decided of it then.
#include "engine/frontend/onnx/program_file.h"
#include "engine/session/controller.h"
#include "engine/support/quote.h"

#include <utility>

namespace marquetry::session {

namespace {

constexpr const char* kEither = "open it with the text in the session file, or with the file as it "
                                "is now";

Diagnostic choiceGone(const std::string& what, const std::string& name, const Diagnostics& why) {
    return makeWarning("choice-gone",
                       what + " " + inQuotes(name) +
                           " is left out of what the session file chose: " + why.front().message,
                       "choose again");
}

/// A buffer has a layer's name, and comes with a design or a circuit: it may be there later.
Diagnostics dropGoneBanks(const Explorer& next, BankChoices& banks) {
    Memories memories;
    memories.open(next.memories(), {});
    const bool buffers = next.program() || !next.streams().empty();
    Diagnostics told;
    std::erase_if(banks, [&](const auto& entry) {
        if (!memories.find(entry.first) && buffers)
            return false;
        const Status admitted = memories.admit(entry.first, {entry.second.pins, std::nullopt});
        if (!admitted)
            told.push_back(choiceGone("memory", entry.first, admitted.error()));
        return !admitted;
    });
    return told;
}

Diagnostics dropGoneStreams(const Explorer& next, StreamChoices& choices) {
    Streams streams;
    streams.open(next.streams(), {});
    Diagnostics told;
    std::erase_if(choices, [&](const auto& entry) {
        const Status admitted = streams.admit(entry.first, withoutCircuits(entry.second));
        if (!admitted)
            told.push_back(choiceGone("stream", entry.first, admitted.error()));
        return !admitted;
    });
    return told;
}

/// A file of a device may have gone since: the session is worth more than its device.
Result<Setup> sessionSetup(Settings& settings, Diagnostics& told) {
    auto setup = makeSetup(settings, {});
    if (setup || !setup.error().front().code.starts_with("device"))
        return setup;
    const std::string usual = Settings().device;
    told.push_back(makeWarning("device-gone",
                               "the device of the session file cannot be had (" +
                                   setup.error().front().message + "): " + usual +
                                   " is in its place",
                               "choose a device"));
    settings.device = usual;
    return makeSetup(settings, {});
}

} // namespace

/// What is told in the end is that of the program's text.
Status Controller::readSessionProgram(Explorer& next, const OpenSession& command,
                                      const Setup& setup, Diagnostics& told) {
    const SessionFile& session = *command.session;
    const std::string file = programFileOf(session, command.path);
    const bool network = frontend::onnx::isModelFile(file);
    Status status = ok();
    if (command.program != SessionProgram::Held) {
        status = read(next, file, session.item, setup);
        if (next.source() || network)
            return status;
        told.push_back(makeWarning("program-gone", "the program is the text in the session file: " +
                                                       status.error().front().message));
        next = next.successor();
    }
    if (network)
        return makeError("not-held", "the weights of a network are in no session file",
                         "open the session file with the network as it is now");
    return next.openText(*session.text, file, session.item, setup);
}

/// A program with mistakes is opened, as its author is at work on it; the mistakes are shown with
/// it. Nothing is opened when the program is another, so that whoever asked can say which of the
/// two is meant, nor when there is none.
Status Controller::openSession(const OpenSession& command) {
    SessionFile session = *command.session;
    Diagnostics told;
    auto setup = sessionSetup(session.settings, told);
    if (!setup)
        return setup.error();
    Explorer next = designs_.explorer().successor();
    const Status status = readSessionProgram(next, command, *setup, told);
    if (!next.source())
        return status;
    const bool same = asHeld(*next.source()) == *session.text;
    if (!same && command.program == SessionProgram::Same)
        return makeError("program-changed",
                         inQuotes(next.file()) + " has changed since the session file was written",
                         kEither);
    if (status) // of a program with mistakes nobody knows what is gone
        for (const Diagnostics& gone :
             {dropGoneBanks(next, session.banks), dropGoneStreams(next, session.streams)})
            told.insert(told.end(), gone.begin(), gone.end());
    next.warn(told);
    ChoiceHistory choices = shared_.choices;
    choices.restart(session.settings, std::move(session.pins), std::move(session.banks),
                    std::move(session.streams), std::move(session.picked));
    shared_.choices = std::move(choices);
    shared_.setup = *std::move(setup);
    if (!opened(std::move(next), status, Choices::Restarted))
        return ok();
    (void)memories_.apply(ShowMemory{session.memory}); // it may be gone
    (void)streams_.apply(ShowStream{session.stream});
    return session.searched ? designs_.searchAgain() : ok();
}

} // namespace marquetry::session
