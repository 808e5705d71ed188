// A program that takes a session a while to explore.
#pragma once

#include <string>

namespace marquetry::session {

/// A chain of many different convolutions: its e-graph takes a while.
inline std::string largeProgram(int layers = 10) {
    std::string text = "design large {\n  input x0 : i8[16, 16, 48] = random(seed: 1);\n";
    int channels = 48;
    for (int k = 1; k <= layers; ++k) {
        const int out = 48 + 24 * (k % 5) + 8 * k;
        const std::string n = std::to_string(k);
        text += "  weight w" + n + " : i8[" + std::to_string(out) + ", 3, 3, " +
                std::to_string(channels) + "] = random(seed: " + n + ");\n";
        const std::string name = k == layers ? "output y" : "let x" + n;
        text += "  " + name + " = requant(conv(x" + std::to_string(k - 1) + ", w" + n +
                ", pad: 1), shift: 12);\n";
        channels = out;
    }
    return text + "}\n";
}

} // namespace marquetry::session
