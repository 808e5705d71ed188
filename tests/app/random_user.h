// RandomUser: hands at the window that know nothing of it. They press, click, type, turn the wheel
// and drag in what is in sight, and answer menus and dialogs that come up.
//
// Whatever is done is drawn from one seeded generator. Menus and file dialogs that run a loop of
// events of their own are answered from within it, so that act() always returns. Files are only
// chosen from `folder`. Thread rule: window's thread.
#pragma once

#include <QObject>
#include <QPoint>
#include <QString>

#include <random>

class QDialog;
class QFileDialog;
class QMenu;
class QWidget;

namespace marquetry::test {

class RandomUser {
public:
    RandomUser(std::uint64_t seed, QString folder);

    /// Something, somewhere in the window, or in the dialog that is open; says what.
    QString act(QWidget* window);
    /// Below `bound`, which is positive.
    int number(int bound);
    bool chance(int percent) { return number(100) < percent; }

private:
    QString touch(QWidget* widget);
    QString pressKeys(QWidget* widget);
    QString useItems(QWidget* widget);
    QString useText(QWidget* widget);
    QString useSurface(QWidget* widget);
    QString wheel(QWidget* widget);
    QString drag(QWidget* widget);
    QString menuOf(QWidget* widget);
    QString finish(QDialog* dialog);
    void chooseFile(QFileDialog* dialog);
    void answerLater();
    void answerPopup();
    void answerMenu(QMenu* menu);
    QPoint placeIn(const QWidget* widget);

    std::mt19937_64 random_;
    QString folder_;
    QObject here_; ///< goes with this
};

} // namespace marquetry::test
