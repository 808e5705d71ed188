// Programs made by code in place of a file of the language: importers, generators, tests.
//
// Names that are wanted become identifiers that no other value has. Values are checked as those of
// a file are; ranges of weights are those of their values.
// Errors (without place): those of inferType. Thread rule: one owner.
#pragma once

#include "engine/ir/program.h"

#include <map>
#include <string>
#include <vector>

namespace marquetry::frontend {

class ProgramBuilder {
public:
    /// Names become identifiers of at most about a hundred letters: a number tells equal ones
    /// apart.
    explicit ProgramBuilder(const std::string& name);

    Result<ir::ValueId> input(const std::string& name, ir::Type type);
    /// Values lie in the scalar's range, row-major, as many as the type has elements.
    Result<ir::ValueId> weight(const std::string& name, ir::Type type,
                               std::vector<std::int64_t> values);
    Result<ir::ValueId> op(const std::string& name, ir::OpKind kind,
                           std::vector<ir::ValueId> operands, ir::OpParams params = {});
    void output(const std::string& name, ir::ValueId value);

    const ir::Value& value(ir::ValueId id) const { return program_.value(id); }
    const Diagnostics& warnings() const { return warnings_; }
    /// What was built; the builder is empty then.
    ir::Program take();

private:
    ir::ValueId append(ir::Value value);
    std::string unused(const std::string& wanted);

    ir::Program program_;
    std::map<std::string, int> names_; ///< how often each was wanted
    Diagnostics warnings_;
};

} // namespace marquetry::frontend
