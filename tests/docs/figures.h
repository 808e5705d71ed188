// Figures that pages quote, beside what the program prints.
//
// A page marks them in comments that readers do not see. One block per page or section:
//
//   <!-- figures
//   explore examples/lenet5/lenet5.mq --json
//     /design/cycles: [26 641] cycles
//   -->
//
// A line at the margin is a command of marquetry that prints a JSON object; an indented one names a
// value in it and the words of the page in which it is quoted, the figure in brackets. Digits are
// grouped by spaces; a figure has to be the value rounded to the digits that are quoted; small
// numbers may be words; of a list it is the number of its elements; other words are compared as
// text. A table whose rows are alike has its commands for all rows:
//
//   <!-- figures of each row
//   schedule examples/streams/{1:_}/{1:_}.mq --item {1} --throughput {2} --json
//     3: /area/lut
//   -->
//
// {1} is the text of the first column, {1:_} that before its first underscore; columns are compared
// with values. "long figures" take longer than a second or so and are left to the long tests.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::docs_test {

using Json = nlohmann::ordered_json;

struct Figure {
    std::string command;
    std::string pointer;
    std::string words;  ///< in which the page quotes it; empty: a cell of a table
    std::string quoted; ///< the figure alone
    int line = 0;       ///< of the page
};

struct Figures {
    std::vector<Figure> figures;
    std::vector<std::string> errors; ///< marks that say nothing
};

/// The figures of a page that are marked as long, or not.
Figures figuresOf(const std::string& page, bool areLong);

/// Nothing when `value` is quoted as `quoted`, else how it should be.
std::optional<std::string> difference(const std::string& quoted, const Json& value);

/// "line: what is wrong". `run` gives the JSON that a command prints, or nothing.
std::vector<std::string>
wrongFigures(const std::string& page, bool areLong,
             const std::function<std::optional<Json>(const std::string&)>& run);

/// Figures with groups of digits ("26 641") that stand in no mark.
std::vector<std::string> unmarkedFigures(const std::string& page);

} // namespace marquetry::docs_test
