// Appearance: the light and the dark palette of the whole application, and the icons drawn in them.
//
// One style (Fusion) everywhere, so that pictures are the same on every machine. Icons are drawn
// from paths in the palette's ink and therefore sharp at any scale.
// Thread rule: window's thread.
#pragma once

#include <QIcon>
#include <QPalette>

class QApplication;

namespace marquetry::app {

enum class Icon { Open, Gallery, Run, Pause, Step, Stop, Undo, Redo, Export, Verify, Settings };

QPalette windowPalette(bool dark);
/// Style, palette and the small style sheet that follows from it.
void applyAppearance(QApplication& application, bool dark);

QIcon drawnIcon(Icon icon, const QPalette& palette);

} // namespace marquetry::app
