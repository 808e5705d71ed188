// Perspectives: the named arrangements of the window — Explore, Inspect, Export.
//
// Each has a first arrangement and remembers how the user left it (QMainWindow state, in the
// settings under "layout/<version>/<name>"). A state of another version of the window is left out:
// the first arrangement is used. Thread rule: window's thread.
#pragma once

#include <QObject>

#include <array>

class QDockWidget;
class QMainWindow;
class QSettings;

namespace marquetry::app {

struct WindowDocks {
    QDockWidget* program = nullptr;
    QDockWidget* rules = nullptr;
    QDockWidget* inspector = nullptr;
    QDockWidget* pareto = nullptr;
    QDockWidget* progress = nullptr;
    QDockWidget* pins = nullptr;
    QDockWidget* log = nullptr;

    std::array<QDockWidget*, 7> all() const {
        return {program, rules, inspector, pareto, progress, pins, log};
    }
};

enum class Perspective { Explore, Inspect, Export };

class Perspectives : public QObject {
    Q_OBJECT
public:
    /// Grows when docks are added: states of another version are not restored.
    static constexpr int kVersion = 2;

    Perspectives(QMainWindow& window, const WindowDocks& docks, QSettings& settings);

    Perspective current() const { return current_; }
    /// Remembers the arrangement left and restores (or makes) the one entered.
    void enter(Perspective perspective);
    /// The first arrangement of the current perspective.
    void reset();
    /// Writes the current arrangement and the name of the perspective.
    void save();
    /// The perspective and arrangement of the last save().
    void restore();

Q_SIGNALS:
    void entered(marquetry::app::Perspective perspective);

private:
    void arrange();
    void arrangeExplore();
    void arrangeInspect();
    void arrangeExport();
    QString key(Perspective perspective) const;
    bool restoreState();

    QMainWindow& window_;
    WindowDocks docks_;
    QSettings& settings_;
    Perspective current_ = Perspective::Explore;
};

} // namespace marquetry::app
