// The names that a generated Verilog module declares, line by line as our writers lay them out.
#pragma once

#include <string>
#include <vector>

namespace marquetry::test {

struct Declared {
    std::string module;
    std::vector<std::string> signals; ///< ports, wires, registers, integers
    std::vector<std::string> instances;
};

/// Of every module in the text.
std::vector<Declared> declaredIn(const std::string& text);

} // namespace marquetry::test
