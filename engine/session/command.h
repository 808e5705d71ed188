// Commands to a session: values, put in a queue by any thread, done by the engine thread in order.
//
// Every command is acknowledged with its ticket, so that a caller (or a test) waits for facts and
// never for time. Thread rule: value types.
#pragma once

#include "engine/design/pin.h"
#include "engine/session/snapshot.h"

#include <cstdint>
#include <string>
#include <variant>

namespace marquetry::session {

struct OpenFile {
    std::string path;
    std::string item; ///< empty: the first
};
struct OpenText {
    std::string text;
    std::string file;
};
struct ChangeSettings {
    Settings settings;
};
struct Run {};
struct Pause {};
struct Step {}; ///< one iteration of saturation, then pause
struct Stop {}; ///< end saturation (or extraction) here; what is found so far stays
struct AddPin {
    design::Pin pin; ///< its id is given by the session
};
struct RemovePin {
    int id = 0;
};
struct EnablePin {
    int id = 0;
    bool enabled = true;
};
struct Undo {};
struct Redo {};
struct Export {
    std::string folder;
    std::string target = "verilog";
};
struct Verify {
    /// Empty: the last export if it holds the design at hand, else a temporary one of that.
    std::string folder;
    std::string simulator = "verilator";
    int vectors = 1;
    std::uint64_t seed = 1;
};

using Command = std::variant<OpenFile, OpenText, ChangeSettings, Run, Pause, Step, Stop, AddPin,
                             RemovePin, EnablePin, Undo, Redo, Export, Verify>;

using Ticket = std::uint64_t;

/// What became of a command. `accepted` is false when it made no sense now (Export without a
/// design) or failed; the diagnostics say why.
struct Acknowledgement {
    Ticket ticket = 0;
    bool accepted = true;
    Diagnostics diagnostics;
    std::uint64_t epoch = 0; ///< the snapshot that shows its effect has at least this epoch
};

} // namespace marquetry::session
