// Programs that are explored or scheduled in no time.
#pragma once

#include "engine/sweep/sweep.h"

#include <gtest/gtest.h>

namespace marquetry::sweep {

inline constexpr const char* kSmallProgram =
    "design d { input x : i8[8] = random(seed: 1); weight w : i8[8, 8] = random(seed: 2); "
    "output y = mv(w, x); }";

inline constexpr const char* kSmallStream =
    "stream s { input a : Seq 8 u8; input b : Seq 8 u8; output y = map2(mul, a, b); }";

/// The first item of the text.
inline SweptItem itemFrom(const std::string& text) {
    auto parsed = frontend::parse(text, "d.mq");
    EXPECT_TRUE(parsed.has_value()) << text;
    auto item = itemOf(*std::move(parsed), "");
    EXPECT_TRUE(item.has_value()) << text;
    return *item;
}

/// Of the first item of the text.
inline Sweep sweepOf(const std::string& grid, const std::string& text = kSmallProgram,
                     const std::string& file = "d.mq") {
    const SweptItem item = itemFrom(text);
    const auto parsed = parseGrid(grid, "grid.json", item.kind());
    EXPECT_TRUE(parsed.has_value()) << grid;
    const auto sweep = makeSweep(*parsed, file, item);
    EXPECT_TRUE(sweep.has_value());
    return *sweep;
}

} // namespace marquetry::sweep
