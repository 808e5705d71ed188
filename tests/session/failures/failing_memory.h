// Memory that fails when a test says so: operator new of this program, for the threads that are not
// the test's own.
//
// Thread rule: the test's thread arms and disarms; any thread allocates.
#pragma once

#include <cstdint>

namespace marquetry::failing_memory {

/// The `n`-th allocation from now on, counted from 1, throws std::bad_alloc; only that one.
void failAt(std::uint64_t n);
/// Every allocation throws that would leave more than `bytes` in use, counted from now on.
void limitTo(std::int64_t bytes);
/// Memory is memory again.
void disarm();

/// Since it was armed last.
std::uint64_t allocations();
bool failed();

} // namespace marquetry::failing_memory
