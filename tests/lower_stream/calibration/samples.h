// Kernels of many kinds, what Yosys makes of them, and the table of both (calibration.h).
//
// A sample is a small image pipeline, a program on words or one with layers, and a time for its
// frame. The table keeps text and time; the circuit is what the scheduler makes of them, so that
// the table is drawn again when circuits or their hardware change.
#pragma once

#include "engine/datapath/make_datapath.h"
#include "engine/lower_stream/stream_kernel.h"
#include "tests/calibration/calibration.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::test {

struct Sample {
    std::int64_t seed = 0;
    std::int64_t clocks = 1; ///< of the frame
    std::string text;        ///< of the stream, in one line
    device::Resources made;

    bool heldOut() const { return isHeldOut(seed); }
};

/// Text and time alone.
Sample drawSample(std::int64_t seed);

struct Built {
    datapath::SharedDatapath timed;
    hdl::StreamKernel kernel; ///< module s<seed>
};
/// Nothing when no circuit takes the time, or none is hardware.
std::optional<Built> build(const Sample& sample);

/// The row of the table: its field is `clocks`.
SampleRow rowOf(const Sample& sample);
std::vector<Sample> readSamples(const std::string& path);

} // namespace marquetry::test
