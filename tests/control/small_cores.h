// Small cores to put a control shell around, with models of what they compute.
//
// Frames are words, one for each beat of the core, the last one's upper bits 0 where the frame does
// not fill it.
#pragma once

#include "engine/control/control_shell.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace marquetry::test {

using FrameWords = std::vector<std::uint64_t>;

struct SmallStream {
    std::string name;
    int bits = 32;               ///< of a beat, up to 64
    std::int64_t frameBits = 32; ///< whole bytes
    std::int64_t beats() const { return (frameBits + bits - 1) / bits; }
};

struct SmallCore {
    hdl::ShellCore core;
    std::vector<SmallStream> sources, sinks;
    /// A frame of each sink, of one of each source.
    std::function<std::vector<FrameWords>(const std::vector<FrameWords>&)> model;
};

/// With start and done: reads the sources one after another, then writes the sinks.
SmallCore startedCore(const std::vector<SmallStream>& sources,
                      const std::vector<SmallStream>& sinks);

/// With start and done: keeps its frame of x in external memory, from the image's second page on,
/// and gives it to y.
SmallCore keepingCore();

/// Without: a beat of every source becomes one of the sink, two clocks later. All have as many.
SmallCore flowingCore(const std::vector<SmallStream>& sources, const SmallStream& sink);

} // namespace marquetry::test
