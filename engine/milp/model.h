// A mixed-integer linear programme: variables, rows, and the sum to make least.
//
//   minimise Σ cost·x   subject to   lower ≤ Σ coefficient·x ≤ upper (each row), bounds, kinds
//
// Built in any order; rows name variables that exist. A variable that occurs twice in a row counts
// with the sum of its coefficients. kInfinity stands for a missing bound. Units are the caller's.
// Errors: see check() in solve.h. Complexity: amortised O(1) per coefficient.
// Thread rule: one writer or many readers.
#pragma once

#include "engine/support/numbers.h"
#include "engine/support/strong_id.h"

#include <limits>
#include <span>
#include <vector>

namespace marquetry::milp {

using VariableId = StrongId<struct VariableTag>;
using RowId = StrongId<struct RowTag>;

using marquetry::kInfinity;

enum class VariableKind { Continuous, Integer, Binary };

struct Variable {
    VariableKind kind = VariableKind::Continuous;
    double lower = 0;
    double upper = kInfinity;
    double cost = 0;
};

struct LinearTerm {
    VariableId variable;
    double coefficient = 0;
};

struct Row {
    double lower = -kInfinity;
    double upper = kInfinity;
    std::vector<LinearTerm> terms;
};

class Model {
public:
    VariableId addContinuous(double lower, double upper, double cost = 0) {
        return add({VariableKind::Continuous, lower, upper, cost});
    }
    VariableId addInteger(double lower, double upper, double cost = 0) {
        return add({VariableKind::Integer, lower, upper, cost});
    }
    VariableId addBinary(double cost = 0) { return add({VariableKind::Binary, 0, 1, cost}); }

    RowId addRow(double lower, std::vector<LinearTerm> terms, double upper) {
        rows_.push_back({lower, upper, std::move(terms)});
        return RowId{rows_.size() - 1};
    }
    RowId addAtMost(std::vector<LinearTerm> terms, double upper) {
        return addRow(-kInfinity, std::move(terms), upper);
    }
    RowId addAtLeast(std::vector<LinearTerm> terms, double lower) {
        return addRow(lower, std::move(terms), kInfinity);
    }
    RowId addEqual(std::vector<LinearTerm> terms, double value) {
        return addRow(value, std::move(terms), value);
    }

    void setBounds(VariableId id, double lower, double upper) {
        variables_[id.index()].lower = lower;
        variables_[id.index()].upper = upper;
    }
    void setCost(VariableId id, double cost) { variables_[id.index()].cost = cost; }

    std::span<const Variable> variables() const { return variables_; }
    std::span<const Row> rows() const { return rows_; }

private:
    VariableId add(Variable variable) {
        variables_.push_back(variable);
        return VariableId{variables_.size() - 1};
    }

    std::vector<Variable> variables_;
    std::vector<Row> rows_;
};

} // namespace marquetry::milp
