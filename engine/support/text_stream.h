// Streams of text in memory that report when they run out of it.
//
// The streams of the standard library catch what their buffers throw and go on. A text that ran out
// of memory is then shorter and looks like any other. These streams throw. Thread rule: one thread
// each.
#pragma once

#include <sstream>
#include <string>

namespace marquetry {

class TextOut : public std::ostringstream {
public:
    TextOut() { exceptions(std::ios_base::badbit); }
};

class TextIn : public std::istringstream {
public:
    explicit TextIn(const std::string& text) : std::istringstream(text) {
        exceptions(std::ios_base::badbit);
    }
};

} // namespace marquetry
