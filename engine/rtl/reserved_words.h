// Words that names in the hardware must not be, and why: the only such table.
//
// The sources of a word are letters:
//   v  Verilog (IEEE 1364-2005, annex B)
//   s  SystemVerilog beside it (IEEE 1800-2017, annex B)
//   a  Verilog-AMS beside both (2.4, annex B)
//   i  Icarus Verilog 11 lexes it in Verilog-2001 too
//   t  Verilator 5 declares it (package std)
//   c  C++20: simulators compile what Verilator writes
//   h  VHDL (IEEE 1076-2008, 15.10): vendors' wrappers name our modules and their ports
//   l  a cell of the libraries that Yosys reads for our devices: modules of it exist already
//   o  a port of our tops, or a signal of a banked memory, whose top bears the item's plain name:
//      Verilator warns of signals that hide modules
//   p  has always been renamed inside longer names too ("s_axis_table_x_tdata")
//
// Letters of both cases are the same: VHDL and file systems do not tell them apart. In a word, "#"
// stands for any number: "r#_data" is r0_data and r17_data.
// Complexity: a look-up is logarithmic in the words. Thread rule: pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace marquetry::rtl {

struct ReservedWord {
    std::string_view word; ///< in lower case
    std::string_view sources;
};

/// Every word once, sorted.
std::span<const ReservedWord> reservedWords();

/// No name of a module, of a signal; no part of a longer name.
inline constexpr std::string_view kNoModule = "vsaitchlo";
inline constexpr std::string_view kNoSignal = "vsaitch";
inline constexpr std::string_view kNoPart = "p";

/// Whether one of these sources reserves the word, whatever its case.
bool isReserved(std::string_view word, std::string_view sources);

std::string lowerCase(std::string_view word);

} // namespace marquetry::rtl
