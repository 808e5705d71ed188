// Lines of Verilog testbenches: what drives and watches hardware and is none. Hardware itself is
// built as values (engine/rtl).
//
// Thread rule: one writer.
#pragma once

#include "engine/rtl/netlist.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::hdl {

/// "[7:0] ", or nothing for one bit.
std::string range(int width);

/// "8'hff": the low `width` bits of a two's complement value. 1 ≤ width ≤ 64.
std::string literal(int width, std::int64_t value);

/// "name[high:low]" of a signal of `width` bits; the plain name when that is all of it.
std::string slice(const std::string& name, int width, int high, int low);

/// "@place@" and what is put there, once each.
using BenchPlaces = std::vector<std::pair<std::string, std::string>>;
std::string filledIn(std::string text, const BenchPlaces& places);

/// A line at a time, indented as the inside of a module.
class BenchText {
public:
    template <class... Parts>
    BenchText& line(Parts&&... parts) {
        text_ += cat("    ", std::forward<Parts>(parts)..., "\n");
        return *this;
    }
    BenchText& blank() {
        text_ += "\n";
        return *this;
    }
    std::string text() const { return text_; }

private:
    std::string text_;
};

} // namespace marquetry::hdl
