// A small structured form of Verilog modules, and the words to print them with.
//
// A module is its comment, its ports and its body text; ports are kept apart so that instances and
// headers cannot disagree about order or width. The body is plain Verilog-2001.
// Thread rule: value types.
#pragma once

#include "engine/support/text_stream.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::hdl {

enum class Direction : std::uint8_t { Input, Output, OutputReg };

struct Port {
    Direction direction = Direction::Input;
    int width = 1;
    std::string name;
};

struct Module {
    std::string name;
    std::vector<std::string> comment;    ///< what it implements, predicted cycles and resources
    std::vector<std::string> parameters; ///< "WIDTH = 64"
    std::vector<Port> ports;
    /// Without `ports`, starts with the port list: widths may be parameters.
    std::string body;
    std::string verilog; ///< the whole text, of modules that a typed netlist printed
};

/// Initial contents of one memory bank: a $readmemh file.
struct MemoryFile {
    std::string name;
    std::string text;
};

struct Netlist {
    std::string top;             ///< name of the top module
    std::vector<Module> modules; ///< every module before its users; the top is the last
    std::vector<MemoryFile> memories;
};

/// The arguments, one after another.
template <class... Parts>
std::string cat(Parts&&... parts) {
    TextOut out;
    (out << ... << std::forward<Parts>(parts));
    return out.str();
}

/// The text as one line of a comment: spaces for control characters.
std::string commentLine(std::string text);

/// "[7:0] ", or nothing for one bit.
std::string range(int width);

/// "8'hff": the low `width` bits of a two's complement value. 1 ≤ width ≤ 64.
std::string literal(int width, std::int64_t value);

/// A signed literal of the same bits: "$signed(8'hff)".
std::string signedLiteral(int width, std::int64_t value);

/// The named signal of `from` bits, sign-extended to `to` ≥ `from` bits.
std::string signExtend(const std::string& name, int from, int to);

/// "name[high:low]" of a signal of `width` bits; the plain name when that is all of it.
std::string slice(const std::string& name, int width, int high, int low);

/// Body text, a line at a time.
class Body {
public:
    template <class... Parts>
    Body& line(Parts&&... parts) {
        text_ += cat("    ", std::forward<Parts>(parts)..., "\n");
        return *this;
    }
    Body& blank() {
        text_ += "\n";
        return *this;
    }
    template <class... Parts>
    Body& note(Parts&&... parts) {
        text_ += cat("    // ", std::forward<Parts>(parts)..., "\n");
        return *this;
    }
    std::string text() const { return text_; }

private:
    std::string text_;
};

} // namespace marquetry::hdl
