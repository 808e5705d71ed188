// Pins in the words of the window. Thread rule: pure.
#pragma once

#include "engine/design/pin.h"

#include <QString>

namespace marquetry::widgets {

/// "never share", "force", … in the words of the window.
QString pinVerb(design::PinKind kind);
/// "never share Mv 64×576 (layer fc)".
QString pinText(const design::Pin& pin);

} // namespace marquetry::widgets
