// What windows of a picture hold, written plainly: one pixel at a time, from its coordinates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::test {

/// Where a coordinate outside of 0 … length − 1 leads to: walks there and back, one step at a time.
inline std::int64_t walkedInside(std::int64_t at, std::int64_t length, bool mirrored) {
    std::int64_t place = at < 0 ? 0 : length - 1;
    if (!mirrored)
        return place;
    const std::int64_t away = at < 0 ? -at : at - (length - 1);
    for (std::int64_t step = 0; step < away; ++step)
        place += at < 0 ? 1 : -1;
    return place;
}

struct PictureSize {
    std::int64_t height = 1;
    std::int64_t width = 1;
};

/// The picture's pixel at (y, x), or what the border (undefined, zero, clamp, mirror or a number)
/// says there; nothing where it is undefined.
inline std::optional<std::int64_t> pixelSeen(const std::vector<std::int64_t>& picture,
                                             PictureSize size, std::int64_t y, std::int64_t x,
                                             const std::string& border) {
    const bool rowInside = y >= 0 && y < size.height;
    const bool columnInside = x >= 0 && x < size.width;
    if (!rowInside || !columnInside) {
        if (border == "undefined")
            return std::nullopt;
        if (border == "zero")
            return 0;
        if (border != "clamp" && border != "mirror")
            return std::stoll(border);
    }
    const std::int64_t row = rowInside ? y : walkedInside(y, size.height, border == "mirror");
    const std::int64_t column = columnInside ? x : walkedInside(x, size.width, border == "mirror");
    return picture[static_cast<std::size_t>(row * size.width + column)];
}

/// All windows of `rows` × `columns` pixels, those of the first line first.
inline std::vector<std::optional<std::int64_t>>
windowPixels(const std::vector<std::int64_t>& picture, PictureSize size, std::int64_t rows,
             std::int64_t columns, const std::string& border) {
    std::vector<std::optional<std::int64_t>> all;
    for (std::int64_t y = 0; y < size.height; ++y) {
        for (std::int64_t x = 0; x < size.width; ++x) {
            for (std::int64_t i = 0; i < rows; ++i) {
                for (std::int64_t j = 0; j < columns; ++j)
                    all.push_back(
                        pixelSeen(picture, size, y + i - rows / 2, x + j - columns / 2, border));
            }
        }
    }
    return all;
}

} // namespace marquetry::test
