// Limits on what a program may ask for, each with its reason, and the diagnostic for what asks for
// more.
//
// A large number in a program takes a few digits to write, while computing, storing or printing
// what it asks for can take any amount of time and memory. Everything that grows with such a number
// therefore has a limit here. Within all limits the program takes less than 4 GB of memory, and
// what takes long looks at a stop token. Where a limit only makes an answer coarser (steps of a
// search, states, samples), it stays with its search.
//
// Units: as the names say; a word is one leaf of a stream's atom. Thread rule: pure.
#pragma once

#include "engine/support/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace marquetry {

// ---- programs ----

/// Of one value. Indices of elements fit 32 bits, products of two of them 64.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;
/// Of the numbers of a `memory` item, and its indices with their factors: sums of a few do not
/// overflow.
inline constexpr std::int64_t kMaxMemoryNumber = std::int64_t{1} << 31;
inline constexpr std::int64_t kMaxMemoryIndex = std::int64_t{1} << 40;
/// Of an array, and of the loops of a nest: more are mistakes.
inline constexpr std::int64_t kMaxArrayRank = 8;
inline constexpr std::int64_t kMaxNestLoops = 16;
/// No memory serves more accesses in one cycle; their pairs are looked at.
inline constexpr std::int64_t kMaxMemoryLanes = 1024;
/// Of an array: copies cost block RAM for every word, banks a way of every multiplexer.
inline constexpr std::int64_t kMaxArrayCopies = 64;
inline constexpr std::int64_t kMaxBanks = 4096;
/// Of the number of a bank in an XOR-linear scheme: 2^12 = kMaxBanks.
inline constexpr std::int64_t kMaxBankBits = 12;
/// Parts of a pair of pairs, which exist side by side in one clock: each level may double them.
inline constexpr std::int64_t kMaxAtomWords = 4096;
/// Operators of a stream with its functions written out for each use: functions of functions grow
/// with the power of their depth.
inline constexpr std::int64_t kMaxStreamNodes = 100'000;
/// Levels of expressions and types: parsing them is recursive.
inline constexpr int kMaxDepth = 200;

// ---- interpreters ----

/// Alive at the same time, 8 bytes each: a GB, and as much again for inputs, outputs and files.
inline constexpr std::int64_t kMaxInterpretedElements = std::int64_t{1} << 27;
/// Multiply–accumulates, or operations on elements: about an hour.
inline constexpr std::int64_t kMaxInterpretedSteps = 4'000'000'000'000;
/// Of those, for what is computed before a program is explored: some seconds.
inline constexpr std::int64_t kMaxFoldedSteps = 4'000'000'000;

// ---- streams in space and time ----

/// Of an output: what follows multiplies clocks, and tries their divisors.
inline constexpr std::int64_t kMaxStreamClocks = std::int64_t{1} << 40;
/// Of an output in one time: each is searched for.
inline constexpr std::int64_t kMaxOutputTypes = 200'000;
/// Of the output, side by side: more wires than the largest device has registers for. A circuit has
/// an operator for every element of a clock.
inline constexpr std::int64_t kMaxBitsPerClock = std::int64_t{1} << 20;
/// Cells of a datapath, some hundred bytes each, and a few variables of the programme that times
/// it.
inline constexpr std::int64_t kMaxDatapathWords = std::int64_t{1} << 18;
/// Of a datapath whose area is estimated in passing: timing more takes seconds.
inline constexpr std::int64_t kMaxEstimatedWords = 4096;
/// Elements, and slots in steps, of a change of layout or a constant that are listed one by one.
inline constexpr std::int64_t kMaxListedWords = std::int64_t{1} << 22;
/// Steps of the condition of a FIFO, a few bytes each.
inline constexpr std::int64_t kMaxConditionSteps = std::int64_t{1} << 26;
/// Words of a constant in all copies of the function it is in: with more it counts as a value that
/// changes.
inline constexpr std::int64_t kMaxKnownWords = std::int64_t{1} << 18;
/// Elements whose wait in a change of layout is looked at one by one.
inline constexpr std::int64_t kMaxTimedWords = std::int64_t{1} << 24;
/// That a word waits in a delay line: far more than a device stores, and what a linear programme
/// in floating point tells apart.
inline constexpr std::int64_t kMaxWaitedSteps = 10'000'000;

// ---- exports and tables ----

/// Text of the vectors of an export, held until it is written.
inline constexpr std::int64_t kMaxVectorBytes = std::int64_t{1} << 29;
/// Lines of those of a stream: a simulator reads each into a word of a memory, of 16 bytes in
/// Icarus.
inline constexpr std::int64_t kMaxVectorLines = std::int64_t{1} << 27;
/// Words of an array, and of all its banks: a simulator has an object for each.
inline constexpr std::int64_t kMaxSimulatedWords = std::int64_t{1} << 22;
inline constexpr std::int64_t kMaxSimulatedBankWords = 4 * kMaxSimulatedWords;
/// Of a table of addresses: a few hundred MB of text.
inline constexpr std::int64_t kMaxTableRows = std::int64_t{1} << 24;

/// The error `too-large`: "<subject> <asked> <unit>; the limit is <limit>", as in "the value has
/// 4294967296 elements; the limit is 2147483648". A number that overflowed is INT64_MAX.
Diagnostic tooLarge(const std::string& subject, std::int64_t asked, std::int64_t limit,
                    const std::string& unit, std::string hint = {});

} // namespace marquetry
