// Theme: the colours of canvases and widgets, light and dark, and the fonts that come with us.
//
// Categories use the Okabe–Ito palette, which stays apart under colour-vision deficiencies; colour
// never carries meaning alone (numbers, hatches, dashes go with it). A canvas asks for a Role, so
// that a scene is painted in either theme without being built again. Contrast of text on its
// background is at least 4.5 : 1.
// Errors: none; an unreadable bundled font is our own mistake (ENGINE_ASSERT).
// Thread rule: values; applyTheme and loadFonts belong to the window's thread.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

#include <array>
#include <cstddef>
#include <cstdint>

class QApplication;

namespace marquetry::widgets {

/// What a thing drawn on a canvas is, as far as its colour goes.
enum class Role : std::uint8_t {
    None, ///< not drawn
    Background,
    Ink,
    Muted, ///< labels of second rank
    Line,  ///< edges, dotted frames
    Grid,
    Paper,     ///< inside of an ordinary box
    Raised,    ///< inside of a frame around boxes
    Chosen,    ///< fill of what extraction chose
    ChosenInk, ///< text on Chosen
    ChosenLine,
    Shared,
    Selected,
    Linked, ///< lit because something related is selected
    Pin,
    PinInk,
    InkOfA,   ///< text on Background that speaks for the first of two designs
    InkOfB,   ///< the same for the second
    UnitTint, ///< quiet fills of e-classes by sort
    ValueTint,
    StoredTint,
    Count,
};

struct Theme {
    bool dark = false;
    std::array<QColor, static_cast<std::size_t>(Role::Count)> roles;
    QPalette palette;

    const QColor& operator[](Role role) const { return roles[static_cast<std::size_t>(role)]; }
};

const Theme& lightTheme();
const Theme& darkTheme();
/// The theme whose window colour is as light or dark as the palette's.
const Theme& themeOf(const QPalette& palette);

/// Okabe–Ito for the first eight categories, then shades of them that differ in lightness; the
/// caller writes the number beside it.
QColor categoryColour(std::size_t index);
/// Black or white, whichever reads better on the colour.
QColor inkOn(const QColor& background);

/// Registers the bundled DejaVu fonts once; needs a QGuiApplication.
void loadFonts();
QFont textFont(double pointSize);
QFont monoFont(double pointSize);

/// Fusion style, the theme's palette, the bundled font.
void applyTheme(QApplication& application, const Theme& theme);

} // namespace marquetry::widgets
