#include "engine/control/register_table.h"

#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

namespace {

std::string hex(std::uint32_t value, int digits) {
    std::string text(static_cast<std::size_t>(digits), '0');
    for (std::size_t at = text.size(); at-- > 0; value >>= 4)
        text[at] = "0123456789abcdef"[value & 15];
    return "0x" + text;
}

const char* nameOf(Access access) {
    switch (access) {
    case Access::Read:
        return "read";
    case Access::ReadWrite:
        return "read, write";
    case Access::ClearByOne:
        return "1 clears";
    case Access::Trigger:
        return "1 asks";
    }
    return "";
}

std::string bitsOf(const ControlField& field) {
    const int high = field.low + field.bits - 1;
    return high == field.low ? cat(field.low) : cat(high, ":", field.low);
}

} // namespace

std::string registerTable(const RegisterMap& map) {
    constexpr int kOffsetDigits = 3;
    std::string text = "| offset | register | bits | field | access | reset | meaning |\n"
                       "|---|---|---|---|---|---|---|\n";
    for (const ControlRegister& r : map.registers)
        for (const ControlField& field : r.fields)
            text += cat("| ", hex(r.offset, kOffsetDigits), " | ", r.name, " | ", bitsOf(field),
                        " | ", field.name, " | ", nameOf(field.access), " | ",
                        field.fixed ? "fixed" : cat(field.reset), " | ", field.text, " |\n");
    return text;
}

} // namespace marquetry::hdl
