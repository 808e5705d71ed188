#include "widgets/theme/theme.h"

#include "engine/support/assert.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>

#include <initializer_list>
#include <utility>

// Outside any namespace: the macro declares a function of the global one.
static void initFontResource() {
    Q_INIT_RESOURCE(fonts);
}

namespace marquetry::widgets {

namespace {

constexpr std::array<QRgb, 8> kOkabeIto{0xFFE69F00, 0xFF56B4E9, 0xFF009E73, 0xFFF0E442,
                                        0xFF0072B2, 0xFFD55E00, 0xFFCC79A7, 0xFF999999};

struct RoleShade {
    Role role;
    QRgb light;
    QRgb dark;
};

constexpr std::array kRoleShades{
    RoleShade{Role::Background, 0xFFFFFFFF, 0xFF1C1E22},
    RoleShade{Role::Ink, 0xFF1F2328, 0xFFE9EBEE},
    RoleShade{Role::Muted, 0xFF5F6771, 0xFFA3ABB5},
    RoleShade{Role::Line, 0xFFA8AEB6, 0xFF69707A},
    RoleShade{Role::Grid, 0xFFE1E4E8, 0xFF343941},
    RoleShade{Role::Paper, 0xFFFFFFFF, 0xFF262A30},
    RoleShade{Role::Raised, 0xFFF7F8FA, 0xFF202328},
    RoleShade{Role::Chosen, 0xFFE69F00, 0xFFE69F00},
    RoleShade{Role::ChosenInk, 0xFF17191C, 0xFF17191C},
    RoleShade{Role::ChosenLine, 0xFFD55E00, 0xFFE0701A},
    RoleShade{Role::Shared, 0xFF0072B2, 0xFF3D9BD8},
    RoleShade{Role::Selected, 0xFFD0006F, 0xFFFF6FB5},
    RoleShade{Role::Linked, 0xFFCC79A7, 0xFFCC79A7},
    RoleShade{Role::Pin, 0xFFF0E442, 0xFFF0E442},
    RoleShade{Role::PinInk, 0xFF17191C, 0xFF17191C},
    RoleShade{Role::InkOfA, 0xFF9A3B00, 0xFFFFA36B},
    RoleShade{Role::InkOfB, 0xFF005A9C, 0xFF7CC4FF},
    RoleShade{Role::UnitTint, 0xFFDCEBF5, 0xFF29485C},
    RoleShade{Role::ValueTint, 0xFFDFF1EA, 0xFF234A3F},
    RoleShade{Role::StoredTint, 0xFFECEDEF, 0xFF3B4048},
};

struct PaletteShade {
    QPalette::ColorRole role;
    QRgb light;
    QRgb dark;
};

constexpr std::array kPaletteShades{
    PaletteShade{QPalette::Window, 0xFFF3F4F6, 0xFF24272C},
    PaletteShade{QPalette::WindowText, 0xFF1F2328, 0xFFE3E5E8},
    PaletteShade{QPalette::Base, 0xFFFFFFFF, 0xFF1C1E22},
    PaletteShade{QPalette::AlternateBase, 0xFFF6F7F9, 0xFF22252A},
    PaletteShade{QPalette::Text, 0xFF1F2328, 0xFFE3E5E8},
    PaletteShade{QPalette::Button, 0xFFEDEFF2, 0xFF2E3238},
    PaletteShade{QPalette::ButtonText, 0xFF1F2328, 0xFFE3E5E8},
    PaletteShade{QPalette::BrightText, 0xFFFFFFFF, 0xFFFFFFFF},
    PaletteShade{QPalette::ToolTipBase, 0xFFFFFFFF, 0xFF33373E},
    PaletteShade{QPalette::ToolTipText, 0xFF1F2328, 0xFFE3E5E8},
    PaletteShade{QPalette::PlaceholderText, 0xFF5F6771, 0xFF9BA3AD},
    PaletteShade{QPalette::Highlight, 0xFF0072B2, 0xFF2B7FB8},
    PaletteShade{QPalette::HighlightedText, 0xFFFFFFFF, 0xFFFFFFFF},
    PaletteShade{QPalette::Link, 0xFF005A8F, 0xFF56B4E9},
    PaletteShade{QPalette::LinkVisited, 0xFF9A3F77, 0xFFCC79A7},
    PaletteShade{QPalette::Light, 0xFFFFFFFF, 0xFF3A3F46},
    PaletteShade{QPalette::Midlight, 0xFFE4E7EB, 0xFF33373E},
    PaletteShade{QPalette::Mid, 0xFFC4C9D0, 0xFF1A1C20},
    PaletteShade{QPalette::Dark, 0xFFA0A7B0, 0xFF15171A},
    PaletteShade{QPalette::Shadow, 0xFF6E7681, 0xFF0D0E10},
};

Theme makeTheme(bool dark) {
    Theme theme;
    theme.dark = dark;
    for (const RoleShade& shade : kRoleShades)
        theme.roles[static_cast<std::size_t>(shade.role)] =
            QColor::fromRgb(dark ? shade.dark : shade.light);
    for (const PaletteShade& shade : kPaletteShades)
        theme.palette.setColor(shade.role, QColor::fromRgb(dark ? shade.dark : shade.light));
    const QColor faded = QColor::fromRgb(dark ? 0xFF6B727B : 0xFF9AA1AA);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        theme.palette.setColor(QPalette::Disabled, role, faded);
    theme.palette.setColor(QPalette::Disabled, QPalette::Highlight,
                           theme.palette.color(QPalette::Mid));
    return theme;
}

double luminance(const QColor& colour) {
    return 0.2126 * colour.redF() + 0.7152 * colour.greenF() + 0.0722 * colour.blueF();
}

QFont bundled(const char* family, double pointSize) {
    loadFonts();
    QFont font{QString::fromLatin1(family)};
    font.setPointSizeF(pointSize);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

} // namespace

const Theme& lightTheme() {
    static const Theme theme = makeTheme(false);
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme = makeTheme(true);
    return theme;
}

const Theme& themeOf(const QPalette& palette) {
    return luminance(palette.color(QPalette::Window)) < 0.5 ? darkTheme() : lightTheme();
}

QColor categoryColour(std::size_t index) {
    const QColor base = QColor::fromRgb(kOkabeIto[index % kOkabeIto.size()]);
    switch ((index / kOkabeIto.size()) % 3) {
    case 1:
        return base.lighter(145);
    case 2:
        return base.darker(160);
    default:
        return base;
    }
}

QColor inkOn(const QColor& background) {
    return luminance(background) > 0.42 ? QColor(0x17, 0x19, 0x1C) : QColor(Qt::white);
}

void loadFonts() {
    static const bool loaded = [] {
        initFontResource();
        for (const char* file : {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"}) {
            const int id =
                QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/") + QLatin1String(file));
            ENGINE_ASSERT(id >= 0, "the bundled fonts can be read");
        }
        return true;
    }();
    static_cast<void>(loaded);
}

QFont textFont(double pointSize) {
    return bundled("DejaVu Sans", pointSize);
}

QFont monoFont(double pointSize) {
    return bundled("DejaVu Sans Mono", pointSize);
}

void applyTheme(QApplication& application, const Theme& theme) {
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(theme.palette);
    application.setFont(textFont(9.5));
    const QPalette& palette = theme.palette;
    application.setStyleSheet(
        QStringLiteral("QToolTip { color: %1; background: %2; border: 1px solid %3; padding: 3px; }"
                       "QDockWidget::title { background: %4; padding: 4px 6px; }")
            .arg(palette.color(QPalette::ToolTipText).name(),
                 palette.color(QPalette::ToolTipBase).name(), palette.color(QPalette::Mid).name(),
                 palette.color(QPalette::Midlight).name()));
}

} // namespace marquetry::widgets
