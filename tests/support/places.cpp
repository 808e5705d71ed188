#include "tests/support/places.h"

namespace marquetry::test {

std::string sourceFolder() {
    return MARQUETRY_SOURCE_DIR;
}

std::string buildFolder() {
    return MARQUETRY_BINARY_DIR;
}

std::string program() {
    return MARQUETRY_EXECUTABLE;
}

} // namespace marquetry::test
