// What the modules that load and store tensors share: their ports, and the walk over a stored
// tensor in the order of a stream, in chunks of elements moved per clock.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_library.h"
#include "engine/rtl/axis_ports.h"

#include <string>

namespace marquetry::hdl {

struct StreamWalk {
    std::int64_t chunksPerWord = 1;
    std::int64_t chunksPerPixel = 1;
    std::int64_t pixels = 1;
    std::vector<std::int64_t> ends; ///< of more parts than one: the last pixel of each
    std::int64_t base = 0;          ///< first word
    std::int64_t rowPixels = 0;     ///< where rows of pixels lie apart
    std::int64_t rowSkip = 0;       ///< words between them
    int slotBits = 8;               ///< per element
    int wordBits = 64;
    int addressBits = 1;
    std::int64_t wraps = 0; ///< words of a ring in which addresses begin again; 0: in none
    /// Registers: of the chunk within a word and within a pixel, of the pixel and whether it is the
    /// last one, of the word's address.
    Expr chunk, pixelChunk, pixel, pixelLast, address, column;
    Expr place;                           ///< of the address in a ring
    Expr part, partEnd;                   ///< likewise the part and its last pixel
    Expr pixelEnd, wordEnd, rowEnd, last; ///< `last`: of a part
    Expr streamLast;                      ///< of all parts

    void declare(rtl::Module& m);
    /// Each part is one pixel.
    bool singlePixels() const { return pixels == std::ssize(ends); }
    /// All parts have as many pixels.
    bool alike() const;
    /// In every clock, before `start` or `advance` in the same block. The end of a part is known a
    /// clock after the part: parts have two pixels at least, or all of them one, and a clock lies
    /// between two of them.
    void lookUp(rtl::Block& b) const;
    void start(rtl::Block& b) const;
    void advance(rtl::Block& b) const;
};

StreamWalk walkOf(const RtlPlan& plan, const StreamPlan& stream);

/// The ports that loaders and storers have alike.
struct MoverPorts {
    Expr clock, reset, setup, active;
    rtl::AxisPorts axis; ///< out of a storer, from registers
    Expr advance, finished;
};
MoverPorts declareMover(rtl::Module& m, bool loads);

/// Comments of a module that loads or stores.
void describeStream(rtl::Module& m, const RtlPlan& plan, const StreamPlan& s, const char* what);

} // namespace marquetry::hdl
