// A program that is explored in no time.
#pragma once

namespace marquetry::sweep {

inline constexpr const char* kSmallProgram =
    "design d { input x : i8[8] = random(seed: 1); weight w : i8[8, 8] = random(seed: 2); "
    "output y = mv(w, x); }";

} // namespace marquetry::sweep
