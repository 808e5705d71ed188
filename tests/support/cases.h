// How many cases a test takes of those that it could: a few in every run of the tests, all of them
// in the long ones, which are the same tests registered once more (marquetry_all_cases).
// Thread rule: pure.
#pragma once

#include <cstdlib>

namespace marquetry::test {

/// `all` where MARQUETRY_ALL_CASES is set, `few` elsewhere. For the numbers of cases and what the
/// test demands of the numbers of those that count; what it demands of a case is always the same.
inline int cases(int few, int all) {
    return std::getenv("MARQUETRY_ALL_CASES") == nullptr ? few : all;
}

} // namespace marquetry::test
