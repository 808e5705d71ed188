#include "engine/control/register_table.h"

#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

namespace {

std::string hex(std::uint32_t value, std::size_t digits = 1) {
    std::string text;
    for (; value > 0 || text.size() < digits; value >>= 4)
        text.insert(text.begin(), "0123456789abcdef"[value & 15]);
    return "0x" + text;
}

const char* nameOf(Access access) {
    switch (access) {
    case Access::Read:
        return "read";
    case Access::ReadWrite:
        return "read, write";
    case Access::ClearByOne:
        return "read, 1 clears";
    case Access::Trigger:
        return "read, 1 triggers";
    }
    return "";
}

std::string bitsOf(const ControlField& field) {
    const int high = field.low + field.bits - 1;
    return high == field.low ? cat(field.low) : cat(high, ":", field.low);
}

std::string lineOf(const RegisterRow& cells) {
    std::string line = "|";
    for (const std::string& cell : cells)
        line += " " + cell + " |";
    return line + "\n";
}

} // namespace

RegisterRow registerColumns() {
    return {"offset", "register", "bits", "field", "access", "reset", "meaning"};
}

std::vector<RegisterRow> registerRows(const RegisterMap& map, const std::string& fixed) {
    constexpr int kOffsetDigits = 3;
    std::vector<RegisterRow> rows;
    for (const ControlRegister& r : map.registers)
        for (const ControlField& field : r.fields)
            rows.push_back({hex(r.offset, kOffsetDigits), r.name, bitsOf(field), field.name,
                            nameOf(field.access),
                            field.fixed && !fixed.empty() ? fixed : hex(field.reset), field.text});
    return rows;
}

std::string registerTable(const RegisterMap& map) {
    std::string text = lineOf(registerColumns()) + "|---|---|---|---|---|---|---|\n";
    for (const RegisterRow& row : registerRows(map, "fixed"))
        text += lineOf(row);
    return text;
}

} // namespace marquetry::hdl
