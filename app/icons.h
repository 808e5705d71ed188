// Icons of the actions, drawn from paths in the palette's ink and therefore sharp at any scale.
//
// Colour goes with shape: green means go, vermilion means stop (Okabe–Ito). A disabled icon has the
// palette's disabled ink. Thread rule: window's thread.
#pragma once

#include <QIcon>
#include <QPalette>

namespace marquetry::app {

enum class Icon { Open, Gallery, Run, Pause, Step, Stop, Undo, Redo, Export, Verify, Settings };

QIcon drawnIcon(Icon icon, const QPalette& palette);

} // namespace marquetry::app
