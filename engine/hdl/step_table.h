// Constants of the steps of a schedule as one combinational table over the register `step`. A
// constant that is the same in every step that reads it becomes a plain wire.
//
// Thread rule: a StepTable belongs to one thread.
#pragma once

#include "engine/hdl/netlist.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

class StepTable {
public:
    /// One row per value of `step`, each with a comment.
    StepTable(int stepBits, std::vector<std::string> comments)
        : stepBits_(stepBits), comments_(std::move(comments)), rows_(comments_.size()) {}

    /// nullopt: the step does not read it.
    void add(const std::string& name, int width,
             const std::vector<std::optional<std::int64_t>>& values);
    void write(Body& body) const;

private:
    int stepBits_;
    std::vector<std::string> comments_;
    Body wires_;
    std::vector<std::string> defaults_;
    std::vector<std::vector<std::string>> rows_; ///< index: step
};

} // namespace marquetry::hdl
