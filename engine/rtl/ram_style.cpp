#include "engine/rtl/ram_style.h"

#include <algorithm>

namespace marquetry::rtl {

Vendor vendorOf(std::string_view family) {
    constexpr std::string_view kIntel[] = {"arria", "cyclone", "stratix", "agilex", "max10"};
    constexpr std::string_view kLattice[] = {"ecp5", "nexus", "machxo"};
    const auto starts = [&](std::string_view stem) { return family.starts_with(stem); };
    if (std::ranges::any_of(kIntel, starts))
        return Vendor::Intel;
    if (family.starts_with("ice40"))
        return Vendor::Ice40;
    return std::ranges::any_of(kLattice, starts) ? Vendor::Lattice : Vendor::Xilinx;
}

namespace {

/// mem2reg: of Yosys, whatever the vendor.
std::string registersAttribute(Vendor vendor) {
    switch (vendor) {
    case Vendor::Intel:
        return "mem2reg, ramstyle = \"logic\"";
    case Vendor::Lattice:
    case Vendor::Ice40:
        return "mem2reg, syn_ramstyle = \"registers\"";
    case Vendor::Xilinx:
        break;
    }
    return "mem2reg, ram_style = \"registers\"";
}

} // namespace

std::string attribute(RamStyle style, Vendor vendor) {
    const bool rom = style == RamStyle::BlockRom;
    const bool block = style != RamStyle::Distributed;
    if (style == RamStyle::Registers)
        return registersAttribute(vendor);
    switch (vendor) {
    case Vendor::Intel:
        return std::string(rom ? "romstyle" : "ramstyle") + (block ? " = \"M20K\"" : " = \"MLAB\"");
    case Vendor::Ice40:
        if (!block) // asked for what is not there, Yosys ends with an error
            return "syn_ramstyle = \"registers\"";
        [[fallthrough]];
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
