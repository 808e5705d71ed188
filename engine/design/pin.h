// Pins: a user's constraints on extraction. A pin never edits the e-graph, so un-pinning is free.
//
// Thread rule: value types.
#pragma once

#include "engine/support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace marquetry::design {

enum class PinKind : unsigned char {
    Share,      ///< the unit class must be outlined and used
    NeverShare, ///< the unit class must not be outlined
    ForceTerm,  ///< the layer's call must go through the term (printed name)
    ForbidTerm, ///< no call may use the term
};

/// `target` names a unit class ("Mv 64×576") or a term ("TiledMv[288]"); `layer` limits a term pin
/// to one call and may be empty. Names, not ids, so that pins survive another saturation.
struct Pin {
    int id = 0;
    PinKind kind = PinKind::Share;
    std::string target;
    std::string layer;
    bool enabled = true;
    bool operator==(const Pin&) const = default;
};

std::string toString(const Pin& pin);

/// The note by which a diagnostic names a pin of a conflict.
std::string noteOf(const Pin& pin);
/// Whether the diagnostic is about the pin: names it in a note, or says that it is unknown.
bool namesPin(const Diagnostic& diagnostic, const Pin& pin);

/// {"pins":[{"kind":"share|never-share|force|forbid","target":…,"layer":…}]}
/// Errors: pins-file with the entry named.
Result<std::vector<Pin>> parsePins(std::string_view json, const std::string& file);
std::string printPins(const std::vector<Pin>& pins);

} // namespace marquetry::design
