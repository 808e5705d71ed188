// Changes worth a try as text: for people, as comma-separated values, and as JSON. The order is
// that of NextChanges, the most gain first; text fields of CSV are quoted.
//
// Thread rule: pure.
#pragma once

#include "engine/session/next_change.h"

#include <string>

namespace marquetry::session {

/// "now" and a line for each change. `pins`: that all of them are explored with.
std::string changesText(const NextChanges& changes);
std::string changesCsv(const NextChanges& changes, const std::vector<design::Pin>& pins);
/// {"now": {…}, "tried": […]}, indented.
std::string changesJson(const NextChanges& changes, const std::vector<design::Pin>& pins);

} // namespace marquetry::session
