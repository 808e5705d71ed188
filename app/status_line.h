// The status line of the toolbar: "iteration 12 · 4 310 e-nodes · best 0.74 Mcycles · bound 0.70 ·
// gap 5 %".
//
// Parts that are not known yet are left out; an infeasible problem says so in place of the best. A
// failure, as running out of memory, comes first.
// Cycles are those of the cost model in force. Thread rule: pure.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

namespace marquetry::app {

QString statusLine(const session::Snapshot& snapshot);

/// 742 311 → "0.74 Mcycles"; 431 → "431 cycles".
QString cyclesText(std::int64_t cycles);

} // namespace marquetry::app
