// "Did you mean": the known word nearest to a misspelt one.
//
// Distance: Levenshtein with transpositions of neighbours as one step, at most a third of the
// word's length (at least 1). Complexity O(words · length²) with lengths cut at 64.
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace marquetry::frontend {

int editDistance(std::string_view a, std::string_view b);

/// "did you mean 'conv'?", or empty when nothing is near. The first of equally near words wins.
std::string didYouMean(std::string_view word, const std::vector<std::string>& known);

} // namespace marquetry::frontend
