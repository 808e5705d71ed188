// The arrays that `bank` looks at: a `memory` item, the shifted values of a stream's circuit
// (design/stream_buffers.h), or the buffers of an explored design (design/buffer_accesses.h).
//
// Without an item's name: the first memory of the file; of a file without any its first item.
// Errors: those of the front end, of spacetime/schedule.h, of the exploration (without a design its
// reasons), no-array (the stream shifts nothing, or no buffer has that name), option-value (an
// option of another kind of item). Thread rule: main thread.
#pragma once

#include "engine/frontend/parser.h"
#include "engine/support/result.h"

#include <optional>

namespace marquetry::cli {

struct BankArraysRequest {
    std::string file;
    std::string item;
    std::string array;      ///< of a stream or design: only this one; empty: all
    std::string device;     ///< id or file
    std::string throughput; ///< of a stream: "N" or "N/M"; empty: `clocks`, or 1 without those
    std::optional<std::int64_t> clocks;
    double seconds = 0; ///< of a stream or design: to find it; 0: as long as its command takes
};

struct BankArrays {
    frontend::ItemKind kind = frontend::ItemKind::Memory;
    std::string item;
    std::string throughput;                ///< of a stream: elements of the output per clock
    std::vector<ir::MemoryProgram> arrays; ///< exactly one of a memory item
};

/// Warnings go to standard error.
/// Of a program that has been read.
Result<BankArrays> arraysOf(const BankArraysRequest& request, frontend::ParseResult parsed);

} // namespace marquetry::cli
