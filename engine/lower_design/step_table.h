// Constants of the steps of a schedule as tables over the register `step`: those that a step is set
// up with, and those that only choose between others, are there at once; those that meet an adder
// or a counter's comparison are registered, a clock after the step has changed. A constant that is
// the same in every step that reads it is no table. Where most steps are alike, as those of groups
// of frames, a table has one row for all of these, and a small one before it says which.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_library.h"
#include "engine/support/assert.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

class StepTable {
public:
    /// By step; nullopt: the step does not read it.
    using Values = std::vector<std::optional<std::int64_t>>;

    StepTable(rtl::Module& module, Expr step) : module_(module), step_(std::move(step)) {}

    Expr atOnce(const std::string& name, int width, const Values& values);
    Expr registered(const std::string& name, int width, const Values& values);

    bool empty() const { return atOnce_.empty() && registered_.empty(); }
    /// The tables, when all constants are asked for.
    void write(const Expr& clock);

private:
    struct Constant {
        Expr word;
        Values values;
    };
    Expr add(std::vector<Constant>& table, const std::string& name, int width,
             const Values& values);
    void fill(rtl::Block& block, const std::vector<Constant>& table, const Expr& index,
              const std::vector<std::size_t>& steps) const;
    void declareRows(const std::string& name, const std::vector<Constant>& table, Expr& index,
                     std::vector<std::size_t>& steps);

    rtl::Module& module_;
    Expr step_;
    std::vector<Constant> atOnce_, registered_;
};

/// What a mover or a unit of rows has by step, from each of its parts.
template <class Part, class Value>
StepTable::Values valuesOf(const RtlPlan& plan, const std::vector<Part>& parts,
                           const Value& value) {
    StepTable::Values values(plan.places());
    for (const Part& part : parts) {
        std::optional<std::int64_t>& place = values[plan.placeOf(part.step)];
        ENGINE_ASSERT(!place || *place == value(part), "rounds of a loop are alike");
        place = value(part);
    }
    return values;
}

} // namespace marquetry::hdl
