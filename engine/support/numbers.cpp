#include "engine/support/numbers.h"

#include "engine/support/text_stream.h"

#include <cmath>

namespace marquetry {

std::string numberText(double value) {
    TextOut text;
    text.precision(12);
    text << value;
    return text.str();
}

std::string roundedText(double value) {
    return numberText(std::round(value * 100) / 100);
}

} // namespace marquetry
