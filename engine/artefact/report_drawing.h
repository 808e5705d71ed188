// Drawings of reports that need no window: waveforms of interfaces, steps over time, banks of an
// array. Each is one <svg> element, well-formed, with its texts escaped, and the same in
// characters.
//
// Same value, same bytes. Complexity: linear in what is drawn. Thread rule: value types, pure
// functions.
#pragma once

#include "engine/artefact/report_page.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// One letter for each clock: 'p' a clock of the clock signal, '0' and '1' levels, 'x' a value
/// that does not matter, '=' the next of `values`, '.' as before, '|' as before for a while.
struct WaveSignal {
    std::string name;
    std::string clocks;
    std::vector<std::string> values{};
};

ReportDrawing waveform(const std::string& title, const std::string& caption,
                       const std::vector<WaveSignal>& signals);

/// A bar of a drawing of steps: clocks from `begin` to `end`.
struct DrawnStep {
    std::size_t row = 0;
    std::string label;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// `rows`: what the steps are on, by name. All steps end by `cycles`, which is at least 1.
ReportDrawing stepsOverTime(const std::vector<std::string>& rows,
                            const std::vector<DrawnStep>& steps, std::int64_t cycles);

/// The bank of each element of a corner of an array; rows of equal length.
ReportDrawing banksOf(const std::vector<std::vector<std::int64_t>>& banks,
                      const std::string& caption);

} // namespace marquetry::hdl
