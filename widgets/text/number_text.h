// Numbers as the window writes them: digits in groups of three with a narrow no-break space, powers
// of a thousand with an SI letter, at most the digits that mean something.
//
// Units are the caller's; nothing is rounded silently except by scaled() (three significant
// digits). Thread rule: pure.
#pragma once

#include <QString>

#include <cstdint>

namespace marquetry::widgets {

/// 4310 → "4 310" (U+202F between the groups).
QString grouped(std::int64_t value);

/// 740000 → "0.74 M", 12400 → "12.4 k", 431 → "431".
QString scaled(double value);

/// Whole numbers grouped, others with up to two decimals.
QString amount(double value);

/// "4 310 cycles", or "4 310 cycles a frame, in runs of 8": what a design is ranked by.
QString frameCyclesText(std::int64_t cycles, std::int64_t frames);

} // namespace marquetry::widgets
