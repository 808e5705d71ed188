// Hardware as exports take it: the text of each module, and what memories hold.
//
// Thread rule: value types.
#pragma once

#include "engine/support/text_stream.h"

#include <string>
#include <utility>
#include <vector>

namespace marquetry::hdl {

struct Module {
    std::string name;
    std::string verilog; ///< the whole text
};

/// Initial contents of a memory: a $readmemh file.
struct MemoryFile {
    std::string name;
    std::string text;
};

struct NetlistPort {
    std::string name;
    int bits = 1;
    bool isInput = true;
};

struct Netlist {
    std::string top;                ///< name of the top module
    std::vector<NetlistPort> ports; ///< of the top, in their order
    std::vector<Module> modules;    ///< every module before its users; the top is the last
    std::vector<MemoryFile> memories;
};

/// The arguments, one after another.
template <class... Parts>
std::string cat(Parts&&... parts) {
    TextOut out;
    (out << ... << std::forward<Parts>(parts));
    return out.str();
}

} // namespace marquetry::hdl
