// Waits of window tests, with the patience of all tests: those of QTest end after five seconds
// unless told otherwise. All return at once when what they wait for is there.
// Thread rule: window's thread; events are processed meanwhile.
#pragma once

#include "tests/support/patience.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

namespace marquetry::test {

inline constexpr int kPatienceMs = static_cast<int>(std::chrono::milliseconds(kPatience).count());

template <class Condition>
bool waitFor(Condition condition) {
    return QTest::qWaitFor(condition, kPatienceMs);
}

/// For the next signal.
inline bool waitForNext(QSignalSpy& spy) {
    return spy.wait(kPatienceMs);
}

inline bool waitForExposed(QWidget* window) {
    return QTest::qWaitForWindowExposed(window, kPatienceMs);
}

inline bool waitForActive(QWidget* window) {
    return QTest::qWaitForWindowActive(window, kPatienceMs);
}

/// Until every timer of this thread that is due in so many milliseconds has gone off, however late
/// that is: for what must not happen.
inline bool passTimersOf(int milliseconds) {
    bool over = false;
    // A coarse timer may be a twentieth late.
    QTimer::singleShot(milliseconds + milliseconds / 10, Qt::PreciseTimer,
                       [&over] { over = true; });
    return waitFor([&over] { return over; });
}

} // namespace marquetry::test
