#include "random_user.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSplitterHandle>
#include <QTabBar>
#include <QTest>
#include <QTextEdit>
#include <QTimer>
#include <QWheelEvent>

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace marquetry::test {

namespace {

constexpr int kAnswerMs = 5;

/// Kinds of what can be touched; each is as likely as another, however many there are of it.
enum class Kind {
    Button,
    Tabs,
    Choice,
    Number,
    Text,
    Items,
    Header,
    Slider,
    Page,
    Handle,
    Surface
};

std::optional<Kind> kindOf(const QWidget* widget) {
    if (widget->objectName() == QStringLiteral("qt_spinbox_lineedit") ||
        qobject_cast<const QMenuBar*>(widget) || widget->isWindow())
        return std::nullopt;
    if (qobject_cast<const QAbstractButton*>(widget))
        return Kind::Button;
    if (qobject_cast<const QTabBar*>(widget))
        return Kind::Tabs;
    if (qobject_cast<const QComboBox*>(widget))
        return Kind::Choice;
    if (qobject_cast<const QAbstractSpinBox*>(widget))
        return Kind::Number;
    if (qobject_cast<const QLineEdit*>(widget))
        return Kind::Text;
    if (qobject_cast<const QHeaderView*>(widget))
        return Kind::Header;
    if (qobject_cast<const QAbstractItemView*>(widget))
        return Kind::Items;
    if (qobject_cast<const QAbstractSlider*>(widget))
        return Kind::Slider;
    if (qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QTextEdit*>(widget))
        return Kind::Page;
    if (qobject_cast<const QSplitterHandle*>(widget))
        return Kind::Handle;
    if (widget->focusPolicy() != Qt::NoFocus)
        return Kind::Surface;
    return std::nullopt;
}

std::vector<std::vector<QWidget*>> touchable(const QWidget* window) {
    std::map<Kind, std::vector<QWidget*>> found;
    for (QWidget* const widget : window->findChildren<QWidget*>())
        if (widget->window() == window && widget->isVisible() && widget->isEnabled() &&
            !widget->visibleRegion().isEmpty())
            if (const auto kind = kindOf(widget))
                found[*kind].push_back(widget);
    std::vector<std::vector<QWidget*>> kinds;
    for (auto& [kind, widgets] : found)
        kinds.push_back(std::move(widgets));
    return kinds;
}

QString nameOf(const QWidget* widget) {
    for (const QString& name : {widget->objectName(), widget->accessibleName()})
        if (!name.isEmpty())
            return QLatin1String(widget->metaObject()->className()) + u' ' + name;
    const auto* const button = qobject_cast<const QAbstractButton*>(widget);
    return QLatin1String(widget->metaObject()->className()) +
           (button ? u' ' + button->text() : QString());
}

/// Those that Qt makes have a loop of events of their own.
bool isOurs(const QFileDialog& dialog) {
    return dialog.objectName() != QStringLiteral("QFileDialog");
}

constexpr std::array kKeys{Qt::Key_Up,    Qt::Key_Down,   Qt::Key_Left,     Qt::Key_Right,
                           Qt::Key_Space, Qt::Key_Return, Qt::Key_Escape,   Qt::Key_Home,
                           Qt::Key_End,   Qt::Key_Plus,   Qt::Key_Minus,    Qt::Key_F,
                           Qt::Key_W,     Qt::Key_Delete, Qt::Key_PageDown, Qt::Key_Tab};
constexpr std::array kModifiers{Qt::NoModifier,      Qt::NoModifier,    Qt::NoModifier,
                                Qt::ControlModifier, Qt::ShiftModifier, Qt::AltModifier};
constexpr std::array kTexts{"conv", "Mv", "n12", "c3", "(", "2", "0", "7", "1/4", "*", "x y"};

} // namespace

RandomUser::RandomUser(std::uint64_t seed, QString folder)
    : random_(seed), folder_(std::move(folder)) {
    answerLater();
}

/// A timer anew each time: one does not go off within its own handler.
void RandomUser::answerLater() {
    QTimer::singleShot(kAnswerMs, &here_, [this] { answerPopup(); });
}

int RandomUser::number(int bound) {
    return static_cast<int>(random_() % static_cast<std::uint64_t>(bound));
}

QString RandomUser::act(QWidget* window) {
    QWidget* const modal = QApplication::activeModalWidget();
    auto* const dialog = qobject_cast<QDialog*>(modal);
    if (dialog && (qobject_cast<QFileDialog*>(dialog) || chance(35)))
        return finish(dialog);
    const auto kinds = touchable(modal ? modal : window);
    if (kinds.empty())
        return QStringLiteral("nothing");
    const auto& widgets = kinds[static_cast<std::size_t>(number(static_cast<int>(kinds.size())))];
    QWidget* const widget =
        widgets[static_cast<std::size_t>(number(static_cast<int>(widgets.size())))];
    const QString name = nameOf(widget);
    return touch(widget) + QStringLiteral(" on ") + name;
}

QString RandomUser::touch(QWidget* widget) {
    const Kind kind = *kindOf(widget);
    if (kind != Kind::Handle && chance(6))
        return wheel(widget);
    switch (kind) {
    case Kind::Button:
        QTest::mouseClick(widget, Qt::LeftButton, {}, placeIn(widget));
        return QStringLiteral("click");
    case Kind::Tabs:
    case Kind::Header: {
        const QPoint place = placeIn(widget);
        QTest::mouseClick(widget, Qt::LeftButton, {}, place);
        return QStringLiteral("click at %1").arg(place.x());
    }
    case Kind::Choice:
    case Kind::Number:
    case Kind::Slider: {
        const auto key = std::array{Qt::Key_Up, Qt::Key_Down, Qt::Key_Home,
                                    Qt::Key_End}[static_cast<std::size_t>(number(4))];
        QTest::keyClick(widget, key);
        return QStringLiteral("key %1").arg(QKeySequence(key).toString());
    }
    case Kind::Text:
        return useText(widget);
    case Kind::Items:
        return useItems(widget);
    case Kind::Handle:
        return drag(widget);
    case Kind::Page:
    case Kind::Surface:
        return useSurface(widget);
    }
    return {};
}

QString RandomUser::pressKeys(QWidget* widget) {
    const auto key = kKeys[static_cast<std::size_t>(number(kKeys.size()))];
    const auto modifier = kModifiers[static_cast<std::size_t>(number(kModifiers.size()))];
    QTest::keyClick(widget, key, modifier);
    return QStringLiteral("key %1").arg(QKeySequence(modifier | key).toString());
}

QString RandomUser::useText(QWidget* widget) {
    QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
    if (chance(30)) {
        QTest::keyClick(widget, Qt::Key_Delete);
        QTest::keyClick(widget, Qt::Key_Return);
        return QStringLiteral("clear");
    }
    const QString text = QString::fromUtf8(kTexts[static_cast<std::size_t>(number(kTexts.size()))]);
    QTest::keyClicks(widget, text);
    if (chance(60))
        QTest::keyClick(widget, Qt::Key_Return);
    return QStringLiteral("type %1").arg(text);
}

QString RandomUser::useItems(QWidget* widget) {
    auto* const items = qobject_cast<QAbstractItemView*>(widget);
    const QPoint place = placeIn(items->viewport());
    switch (number(8)) {
    case 0:
        QTest::mouseDClick(items->viewport(), Qt::LeftButton, {}, place);
        return QStringLiteral("double click at %1, %2").arg(place.x()).arg(place.y());
    case 1:
        return menuOf(items->viewport());
    case 2:
    case 3:
        return pressKeys(items);
    default:
        QTest::mouseClick(items->viewport(), Qt::LeftButton, {}, place);
        return QStringLiteral("click at %1, %2").arg(place.x()).arg(place.y());
    }
}

QString RandomUser::useSurface(QWidget* widget) {
    const QPoint place = placeIn(widget);
    switch (number(8)) {
    case 0:
        QTest::mouseDClick(widget, Qt::LeftButton, {}, place);
        return QStringLiteral("double click at %1, %2").arg(place.x()).arg(place.y());
    case 1:
        return menuOf(widget);
    case 2:
        return wheel(widget);
    case 3:
        return drag(widget);
    case 4:
    case 5:
        return pressKeys(widget);
    default:
        QTest::mouseClick(widget, Qt::LeftButton, {}, place);
        return QStringLiteral("click at %1, %2").arg(place.x()).arg(place.y());
    }
}

QString RandomUser::wheel(QWidget* widget) {
    const QPoint place = placeIn(widget);
    const int notches = chance(50) ? 120 : -120;
    QWheelEvent event(place, widget->mapToGlobal(place), {}, {0, notches}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
    return QStringLiteral("wheel %1").arg(notches);
}

QString RandomUser::drag(QWidget* widget) {
    const QPoint from = placeIn(widget);
    const QPoint to = from + QPoint(number(401) - 200, number(301) - 150);
    const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButtons held) {
        QMouseEvent event(type, at, widget->mapToGlobal(at), Qt::LeftButton, held, Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    send(QEvent::MouseMove, (from + to) / 2, Qt::LeftButton);
    send(QEvent::MouseMove, to, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, to, Qt::NoButton);
    return QStringLiteral("drag by %1, %2").arg(to.x() - from.x()).arg(to.y() - from.y());
}

QString RandomUser::menuOf(QWidget* widget) {
    const QPoint place = placeIn(widget);
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, widget->mapToGlobal(place));
    QApplication::sendEvent(widget, &event);
    return QStringLiteral("menu at %1, %2").arg(place.x()).arg(place.y());
}

QString RandomUser::finish(QDialog* dialog) {
    const QString name = nameOf(dialog);
    if (auto* const files = qobject_cast<QFileDialog*>(dialog)) {
        chooseFile(files);
        return QStringLiteral("choose a file in ") + name;
    }
    const auto buttons = dialog->findChildren<QPushButton*>();
    if (chance(30) || buttons.isEmpty()) {
        QTest::keyClick(dialog, Qt::Key_Escape);
        return QStringLiteral("leave ") + name;
    }
    QPushButton* const button = buttons[number(static_cast<int>(buttons.size()))];
    const QString text = button->text();
    if (button->isEnabled())
        QTest::mouseClick(button, Qt::LeftButton);
    return QStringLiteral("press %1 in %2").arg(text, name);
}

/// As when its name was typed: a file that is there is selected later than hands can type.
void RandomUser::chooseFile(QFileDialog* dialog) {
    const bool save = dialog->acceptMode() == QFileDialog::AcceptSave;
    const QStringList there =
        QDir(folder_).entryList({"*.mq", "*.mqs", "*.json"}, QDir::Files, QDir::Name);
    const QStringList names = save ? QStringList{"one.mqs", "two.mqs", "three"} : there;
    const QString name =
        names.isEmpty() ? QString() : names[number(static_cast<int>(names.size()))];
    const bool chosen = !name.isEmpty() && dialog->isModal() && chance(70);
    if (chosen && isOurs(*dialog))
        Q_EMIT dialog->fileSelected(folder_ + u'/' + name);
    dialog->reject();
}

void RandomUser::answerPopup() {
    answerLater();
    QWidget* const popup = QApplication::activePopupWidget();
    QWidget* const modal = QApplication::activeModalWidget();
    if (auto* const menu = qobject_cast<QMenu*>(popup))
        answerMenu(menu);
    else if (popup)
        popup->close();
    else if (auto* const files = qobject_cast<QFileDialog*>(modal); files && !isOurs(*files))
        files->reject();
}

void RandomUser::answerMenu(QMenu* menu) {
    const QList<QAction*> actions = menu->actions();
    if (chance(30) || actions.isEmpty())
        return QTest::keyClick(menu, Qt::Key_Escape);
    QAction* const action = actions[number(static_cast<int>(actions.size()))];
    if (!action->isEnabled() || action->isSeparator())
        return QTest::keyClick(menu, Qt::Key_Escape);
    menu->setActiveAction(action);
    QTest::keyClick(menu, Qt::Key_Return);
}

QPoint RandomUser::placeIn(const QWidget* widget) {
    const QRect seen = widget->visibleRegion().boundingRect();
    if (seen.isEmpty())
        return widget->rect().center();
    return seen.topLeft() + QPoint(number(seen.width()), number(seen.height()));
}

} // namespace marquetry::test
