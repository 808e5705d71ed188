// Windows of pictures, written in shifts and choices.
//
// A picture is a value of type Seq h (Seq w t), one line after the other. Pixel (i, j) of the
// window of rows × columns at (y, x) is pixel (y + i − ⌊rows / 2⌋, x + j − ⌊columns / 2⌋) of the
// picture. Each is the picture, shifted by as many pixels, and where that pixel is outside, what
// the border says. The choices are made along columns first and then, on what results, along lines,
// by comparisons of counters of pixels: a window of 3 × 3 has 2 choices along columns and 6 along
// lines. Shifts of one value share their stores in the hardware, whatever its border.
//
// Complexity: linear in the pixels of the window; mirror: times its rows plus columns. Errors:
// those of StreamWriter. Thread rule: as the elaborator.
#pragma once

#include "engine/frontend/stream_writer.h"

namespace marquetry::frontend {

/// What windows see outside of the picture.
struct WindowBorder {
    enum class Kind : std::uint8_t {
        Word,   ///< `words`: everywhere the same atom, perhaps an undefined one
        Clamp,  ///< the nearest pixel
        Mirror, ///< the pixel as far inside of the outermost one as this is outside
    };
    Kind kind = Kind::Word;
    std::vector<std::int64_t> words{};
};

struct WindowShape {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    WindowBorder border{};
};

/// `picture` has at least as many rows and columns as the window, and atoms.
StreamWriter::Meaning writeWindow(StreamWriter& writer, ir::StreamNodeId picture,
                                  const WindowShape& params);
/// Number of the column, and of the row, of each pixel.
StreamWriter::Meaning writePixelX(StreamWriter& writer, ir::StreamNodeId picture,
                                  ir::Scalar scalar);
StreamWriter::Meaning writePixelY(StreamWriter& writer, ir::StreamNodeId picture,
                                  ir::Scalar scalar);

} // namespace marquetry::frontend
