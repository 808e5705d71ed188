// The throughputs that a stream is offered at.
//
// On offer are the clocks that divide the longest input or output (up to 16 elements a clock, all
// when there are few) and small multiples of it, as far as a type of the output takes them.
//
// Errors: infeasible-throughput, type-unknown. Thread rule: pure.
#pragma once

#include "engine/session/stream_state.h"

namespace marquetry::session {

/// Words of the program's output.
std::int64_t outputElements(const ir::StreamProgram& program);
StreamRate rateOf(const ir::StreamProgram& program, std::int64_t clocks);
/// Fewest clocks first.
std::vector<StreamRate> ratesOf(const ir::StreamProgram& program);

Status checkThroughput(const StreamItem& item, std::int64_t clocks);
/// `wanted`: a type of the output as toString writes it; empty: any.
Status checkType(const StreamItem& item, std::int64_t clocks, const std::string& wanted);

/// "2", "1/3".
std::string toText(spacetime::Throughput throughput);
/// The reverse; nothing for other texts. The numbers may be anything.
std::optional<spacetime::Throughput> throughputNamed(std::string_view text);

} // namespace marquetry::session
