// What makes one text of another, line by line (Myers, "An O(ND) difference algorithm", 1986, with
// the refinement for linear space).
//
// The difference is the least in lines, unless that takes too many steps to find: then what is
// between two places that are known to be equal counts as replaced. A last line without an end is a
// line like any other. Complexity: O(lines · lines that differ) time, O(lines) memory. Thread rule:
// pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry {

enum class LineOrigin : char { Both = ' ', First = '-', Second = '+' };

struct DiffLine {
    LineOrigin origin = LineOrigin::Both;
    std::string_view text; ///< of the texts that were given
};

/// Both texts in one: without the lines of the second it is the first, and the other way round.
std::vector<DiffLine> lineDiff(std::string_view first, std::string_view second);

/// The form of `diff -u`: hunks with lines around them and "@@ -1,4 +1,5 @@" above. Empty: equal.
struct UnifiedDiff {
    std::string text;
    std::size_t removed = 0; ///< lines of the first alone
    std::size_t added = 0;   ///< lines of the second alone
    bool operator==(const UnifiedDiff&) const = default;
};
UnifiedDiff unifiedDiff(std::string_view first, std::string_view second, std::size_t context = 3);

} // namespace marquetry
