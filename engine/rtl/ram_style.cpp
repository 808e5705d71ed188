#include "engine/rtl/ram_style.h"

#include <algorithm>

namespace marquetry::rtl {

Vendor vendorOf(std::string_view family) {
    constexpr std::string_view kIntel[] = {"arria", "cyclone", "stratix", "agilex", "max10"};
    constexpr std::string_view kLattice[] = {"ecp5", "ice40", "nexus", "machxo"};
    const auto starts = [&](std::string_view stem) { return family.starts_with(stem); };
    if (std::ranges::any_of(kIntel, starts))
        return Vendor::Intel;
    return std::ranges::any_of(kLattice, starts) ? Vendor::Lattice : Vendor::Xilinx;
}

std::string attribute(RamStyle style, Vendor vendor) {
    const bool rom = style == RamStyle::BlockRom;
    const bool block = style != RamStyle::Distributed;
    if (style == RamStyle::Registers) // mem2reg: of Yosys, whatever the vendor
        return std::string("mem2reg, ") + (vendor == Vendor::Intel ? "ramstyle = \"logic\""
                                           : vendor == Vendor::Lattice
                                               ? "syn_ramstyle = \"registers\""
                                               : "ram_style = \"registers\"");
    switch (vendor) {
    case Vendor::Intel:
        return std::string(rom ? "romstyle" : "ramstyle") + (block ? " = \"M20K\"" : " = \"MLAB\"");
    case Vendor::Lattice:
        return std::string(rom ? "syn_romstyle" : "syn_ramstyle") + (!block ? " = \"distributed\""
                                                                     : rom  ? " = \"EBR\""
                                                                            : " = \"block_ram\"");
    case Vendor::Xilinx:
        break;
    }
    return std::string(rom ? "rom_style" : "ram_style") +
           (block ? " = \"block\"" : " = \"distributed\"");
}

} // namespace marquetry::rtl
