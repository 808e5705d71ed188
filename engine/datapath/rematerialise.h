// Rematerialisation in the datapath: words that are computed again instead of being stored for
// long.
//
// Cells that compute the same at different times are one cell (datapath.h), and its word waits in a
// line buffer for its late users. Its operands may wait in a line buffer for other users anyway.
// Then a second cell at the later time is far smaller than the buffer: a sum costs one LUT per bit,
// a line of it thousands of bits. Thread rule: pure. Complexity: cells × uses for each word made
// again.
#pragma once

#include "engine/datapath/lower_datapath.h"

#include <stop_token>

namespace marquetry::datapath {

/// Uses at least so many steps apart are far from each other.
inline constexpr std::int64_t kFarSteps = 96;

/// What is done when `stop` fires stays done.
void rematerialise(Datapath& datapath, const std::stop_token& stop = {});

} // namespace marquetry::datapath
