// Text that wires modules together: instances, words of elements, choices.
//
// Thread rule: pure but for the body written to.
#pragma once

#include "engine/hdl/netlist.h"

#include <string>
#include <utility>
#include <vector>

namespace marquetry::hdl {

/// (port, signal) of an instance.
using Wiring = std::vector<std::pair<std::string, std::string>>;

/// Instances of a module whose ports are wired to signals of the same name, but for those
/// given.
void instance(Body& body, const Module& module, const std::string& name, const Wiring& wiring);

/// The low bits of the first `count` elements of a word, each extended to `to` bits.
struct Elements {
    std::string word;
    int wordElements = 1;
    int count = 1;
    int stored = 8; ///< bits per element in the word
    int taken = 8;  ///< low bits that count
    bool isSigned = false;
    int to = 8;
};

std::string elements(const Elements& e);

/// Such a word with zeros for the elements that follow, up to `lanes`.
std::string paddedElements(const Elements& e, int lanes);

/// "a ? x : b ? y : z"; the last alternative needs no condition.
class Choice {
public:
    void add(const std::string& condition, const std::string& value) {
        items_.emplace_back(condition, value);
    }
    std::string text(const std::string& otherwise) const;

private:
    std::vector<std::pair<std::string, std::string>> items_;
};

} // namespace marquetry::hdl
