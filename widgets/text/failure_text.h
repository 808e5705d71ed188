// Why something is not there, for a person: a message a line, with its notes and what to try.
// Thread rule: pure.
#pragma once

#include "engine/support/diagnostic.h"

#include <QString>

namespace marquetry::widgets {

QString failureText(const Diagnostics& failure);

} // namespace marquetry::widgets
