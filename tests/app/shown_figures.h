// ShownFigures: what the window says, read as a user reads it, against what the design on show
// says when it is counted anew. Whatever differs is told in words.
//
// The figures are read from texts of widgets and models; numbers are parsed, never formatted as the
// window does it. The design is counted from its parts: its schedule by the cycle model, its rows
// by their clocks. Thread rule: window's thread.
#pragma once

#include "app/main_window.h"

#include <QStringList>

#include <map>
#include <memory>

namespace marquetry::test {

/// A number as the window writes it: "12 345", "26.6 k", "0.74 M", and how far from it the value
/// may be that it stands for.
struct ReadNumber {
    double value = 0;
    double within = 0;
    bool standsFor(double wanted) const;
};
/// The first that comes behind `before`.
std::optional<ReadNumber> readNumber(const QString& text, const QString& before);

class ShownFigures {
public:
    /// Nothing, or what is not so. `resting`: no command is under way.
    QStringList faults(app::MainWindow& window, bool resting);

private:
    void checkDesign(const session::Snapshot& snapshot);
    void checkStatusLine(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkDesignInLine(const QString& line, const session::Snapshot& snapshot);
    void checkBar(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkLedger(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkLedgerRows(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkSchedule(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkPareto(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkBadge(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkHdl(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkPins(app::MainWindow& window, const session::Snapshot& snapshot);
    void checkTitle(app::MainWindow& window, const session::Snapshot& snapshot);
    void expect(bool so, const QString& fault);
    void expectNumber(const QString& text, const QString& before, double wanted);

    QStringList faults_;
    std::shared_ptr<const design::Design> counted_; ///< found sound
};

} // namespace marquetry::test
