// The metrics of a design space (M1 … M8) as rows of text.
//
// M1 follows every iteration; the others are there once they were measured, and say so when the
// e-graph or the designs have changed since. Thread rule: pure.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

#include <vector>

namespace marquetry::widgets {

struct MetricRow {
    QString name; ///< "M1 terms"
    QString value;
    QString meaning;
};

std::vector<MetricRow> metricRows(const session::Snapshot& snapshot);

} // namespace marquetry::widgets
