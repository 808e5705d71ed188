// Memory that fails when a test says so: operator new of this program, for the threads that are not
// the test's own.
//
// Exempt is what the COIN libraries (Clp, Cbc, Cgl, Osi, CoinUtils) have on the stack: they give up
// arrays before they ask for new ones and hold on to the old pointers, so an exception through them
// ends in freeing memory twice, whatever is done with it outside. malloc never fails here, so C
// libraries and the memory of exceptions are exempt too.
//
// Thread rule: the test's thread arms and disarms; any thread allocates.
#pragma once

#include <cstdint>

namespace marquetry::failing_memory {

/// The `n`-th allocation from now on, counted from 1, throws std::bad_alloc, or when that one is
/// exempt the first after it that is not; only that one.
void failAt(std::uint64_t n);
/// Every allocation throws that would leave more than `bytes` in use, counted from now on.
void limitTo(std::int64_t bytes);
/// Memory is memory again.
void disarm();

/// What the thread asks for meanwhile neither fails nor counts: it is the test's.
class Spared {
public:
    Spared();
    ~Spared();
    Spared(const Spared&) = delete;
    Spared& operator=(const Spared&) = delete;
};

/// Since it was armed last.
std::uint64_t allocations();
bool failed();

} // namespace marquetry::failing_memory
