// Schemes that a user names: whether they fit an array, what a picture of one needs, and when one
// fails.
//
// Errors: scheme-shape (ranks, numbers below one, or too many banks). Thread rule: pure.
#pragma once

#include "engine/device/device.h"
#include "engine/session/memory_state.h"
#include "engine/support/result.h"

namespace marquetry::session {

Diagnostic wrongShape(const std::string& what);
/// `rank`: dimensions of the array.
Status checkMaps(const std::vector<ir::FlatMap>& maps, std::size_t rank);
Status checkCopies(std::int64_t copies);

std::shared_ptr<const SchemeDetail> detailOf(const banking::AccessPattern& pattern,
                                             const banking::PricedScheme& priced);

/// Tries the scheme on an item that has a pattern: what it costs, or when it fails.
void decide(SchemeAttempt& attempt, const MemoryItem& item, const device::Device& device);

} // namespace marquetry::session
