// Clocks by estimate: the longest of a circuit's paths between registers, as delays of the cells of
// the device's family and an allowance for wires.
//
// A path is described by what it goes through, not by cells: stages of logic by their inputs, sums
// by their bits. How many LUTs in a row a stage takes follows from the inputs that a LUT of the
// family has. Speed grades are not told apart: a family has one set of cells, of a slow grade.
// What each figure rests on stands in ClockEstimate::basis and in cost-model.md.
// Units: ps, MHz. Thread rule: pure.
#pragma once

#include <string>
#include <vector>

namespace marquetry::cost {

enum class PathStart : std::uint8_t {
    Register,
    BlockRam, ///< its output, which has no register of its own
    Product,  ///< the register of a multiplier's product
    LutRam,   ///< a word that is read while it is written
};

enum class PathEnd : std::uint8_t {
    Register,
    Control, ///< enable or reset of registers
    RamAddress,
    RamData,
    LutRamRead,  ///< the address of a memory in LUTs, through it into a register
    LutRamWrite, ///< its enable, address or data
    Multiplier,  ///< the register in front of a multiplier
};

struct ClockPath {
    std::string what; ///< "operand of unit_0"
    PathStart start = PathStart::Register;
    std::vector<int> logic{}; ///< inputs of each stage, one after another
    std::vector<int> sums{};  ///< bits of each, one after another
    PathEnd end = PathEnd::Register;
    bool multiplies = false; ///< goes through a multiplier
    /// Of a timed kernel: the delay that datapath::path_delay.h gives it, in place of all above.
    double kernel = 0;
};

struct ClockEstimate {
    double cellsPs = 0; ///< of the path that is longest without wires, which may be another one
    double pathPs = 0;  ///< of the longest path with wires
    double mhz = 0;     ///< by pathPs
    std::string path{}; ///< what that is
    std::string basis{};

    bool meets(double requestedMhz) const { return mhz >= requestedMhz; }
};

/// With wires; 0 of families without cells.
double delayOf(const ClockPath& path, const std::string& family);
/// Without wires.
double cellsOf(const ClockPath& path, const std::string& family);

/// The longest with wires; of families without cells, and without a path, nothing is estimated:
/// `mhz` is 0 and `basis` says why.
ClockEstimate estimateClock(const std::string& family, const std::vector<ClockPath>& paths);

/// The longest delay of a kernel (ClockPath::kernel) that is estimated to meet a clock; 0 where
/// none does, and of families without cells.
double kernelWithin(const std::string& family, double mhz);

/// "not estimated: why".
ClockEstimate notEstimated(const std::string& why);

} // namespace marquetry::cost
