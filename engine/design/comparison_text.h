// A comparison as text: for people, as comma-separated values, and as JSON.
//
// CSV has the columns of comparison_table.h under their keys and a row each; text fields are
// quoted. JSON holds everything. Thread rule: pure.
#pragma once

#include "engine/design/comparison_table.h"

#include <string>

namespace marquetry::design {

/// Which designs they are, what to know before, and all tables.
std::string comparisonText(const Comparison& comparison);
std::string comparisonCsv(const Comparison& comparison, ComparisonRows rows);
/// One object, indented.
std::string comparisonJson(const Comparison& comparison);

} // namespace marquetry::design
