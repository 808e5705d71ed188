// What is different between two designs, figure by figure: one row per figure that either has.
//
// Thread rule: pure.
#pragma once

#include "engine/design/design.h"

#include <QString>

#include <vector>

namespace marquetry::widgets {

struct DeltaRow {
    QString name; ///< "cycles", "DSP", …
    double before = 0;
    double after = 0;
    double change() const { return after - before; }
};

/// Cycles, resources, units and shared units; less of the first kinds is better.
std::vector<DeltaRow> designDelta(const design::Design& before, const design::Design& after);

/// "+57 400 (+16.2 %)", "−64 (−50 %)", "the same".
QString changeText(const DeltaRow& row);

} // namespace marquetry::widgets
