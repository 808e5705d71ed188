// What a memory is made of, in the words of the vendor whose synthesis reads the module.
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace marquetry::rtl {

/// Registers: an array whose words are all there at once.
enum class RamStyle : std::uint8_t { Block, Distributed, BlockRom, Registers };

/// Ice40: Lattice's family whose LUTs are no memories.
enum class Vendor : std::uint8_t { Xilinx, Intel, Lattice, Ice40 };

/// Of a device family ("xc7", "arria10", "ecp5"); those that are not known are read as Xilinx's,
/// whose attribute most tools understand.
Vendor vendorOf(std::string_view family);

/// `ram_style = "block"`, without the brackets of an attribute.
std::string attribute(RamStyle style, Vendor vendor);

} // namespace marquetry::rtl
