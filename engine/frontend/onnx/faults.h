// Everything that is wrong with one ONNX file, gathered: a user mends a network in one go.
//
// At most kMostShown diagnostics are kept; the last of what is taken then says how many more there
// were. Thread rule: one import's own.
#pragma once

#include "engine/support/result.h"

#include <cstddef>
#include <string>

namespace marquetry::frontend::onnx {

class Faults {
public:
    static constexpr std::size_t kMostShown = 40;

    void add(std::string code, std::string message, std::string hint = {});
    bool any() const { return count_ > 0; }
    /// Diagnostics in the order found, each with `file`; not empty when any().
    Diagnostics take(const std::string& file);

private:
    Diagnostics shown_;
    std::size_t count_ = 0;
};

} // namespace marquetry::frontend::onnx
