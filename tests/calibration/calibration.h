// Calibrations: tables of drawn circuits with what Yosys makes of them, to which models are fitted.
//
// A row is drawn from its seed. The table keeps what the circuit is made from, so that its rows
// stay what they were. Rows with seed mod 4 = 0 are held out: no model is fitted to them.
#pragma once

#include "tests/calibration/synthesis.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::test {

enum class Amount { Lut, Ff };

inline double amountOf(const device::Resources& area, Amount amount) {
    return amount == Amount::Lut ? area.lut : area.ff;
}

inline bool isHeldOut(std::int64_t seed) {
    return seed % 4 == 0;
}

/// A line "seed,lut,ff,bram,dsp,fields…,"text"".
struct SampleRow {
    std::int64_t seed = 0;
    device::Resources made{};
    std::vector<std::string> fields; ///< without commas
    std::string text;                ///< in one line
};

std::string lineOf(const SampleRow& row);
/// `fields`: how many a row has.
std::vector<SampleRow> readTable(const std::string& path, std::size_t fields);

struct Drawn {
    SampleRow row; ///< `made` is still to come
    Circuit circuit;
};

struct Calibration {
    std::string name;                ///< of the program
    std::vector<std::string> fields; ///< names of the columns between "dsp" and the text's
    std::string text;                ///< name of the text's column
    std::size_t rows = 0;            ///< unless the command line says otherwise
    /// Nothing when the seed gives no circuit worth its time.
    std::function<std::optional<Drawn>(std::int64_t seed)> draw;
    CountCell count;
    /// Beside "draw", by name: what it does with a table.
    std::vector<std::pair<std::string, std::function<void(const std::string& path)>>> commands;
};

/// "NAME draw TABLE.csv [ROWS]" draws and synthesises circuits until the table has ROWS rows,
/// continuing a table that is there; "NAME COMMAND TABLE.csv" runs one of the commands. Returns the
/// exit code.
int runCalibration(const Calibration& calibration, int argc, char** argv);

} // namespace marquetry::test
