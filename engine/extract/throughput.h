// Extraction for throughput: the number of frames in a run is a choice, too.
//
// Runs of several frames read each external weight once for all of them, and are set up and drained
// once; their activations take as many times the memory, but where they come in groups
// (design/frame_groups.h). Numbers of frames are tried from 1 on, each twice the one before, or
// four times where that has groups or reads external memory, until one has no design within the
// limits or gains less than kLeastGain. Where external memory is read then the most frames, which
// are taken where they gain that much, and in both cases half and twice the best number; of each
// the best design is searched for, and the one with the fewest cycles per frame is the answer. It
// is never called optimal, as not every number of frames is tried; the bound holds for those that
// were. Errors, cancelling: those of extract(). Thread rule: that of extract().
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

/// Of the cycles per frame, where the number of frames is a choice.
inline constexpr double kLeastGain = 0.01;

/// Of a run: where frames come one by one, each has steps of its own.
std::int64_t mostFrames(const rules::Lowered& lowered);

/// Why runs of the program take one frame; empty: they may take several, at once (design/batch.h)
/// or in flight.
std::string whyOneFrameInARun(const rules::Lowered& lowered);

Result<ExtractResult> extractThroughput(const rules::Lowered& lowered, const ExtractParams& params,
                                        std::stop_token stop);

} // namespace marquetry::extract
