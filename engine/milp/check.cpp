#include "engine/milp/solve.h"

#include <cmath>

namespace marquetry::milp {

namespace {

/// Infinite bounds are fine where they bound nothing; NaN compares false and is caught as well.
bool inOrder(double lower, double upper) {
    return lower <= upper && lower < kInfinity && upper > -kInfinity;
}

Diagnostic bad(const std::string& what) {
    return makeError("milp-bad-model", what);
}

} // namespace

const char* toString(SolveStatus outcome) {
    switch (outcome) {
    case SolveStatus::Optimal:
        return "optimal";
    case SolveStatus::Feasible:
        return "feasible";
    case SolveStatus::Infeasible:
        return "infeasible";
    case SolveStatus::Unbounded:
        return "unbounded";
    case SolveStatus::Limit:
        return "limit";
    }
    return "?";
}

Status check(const Model& model) {
    const auto variables = model.variables();
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const std::string name = "variable " + std::to_string(i);
        if (!inOrder(variables[i].lower, variables[i].upper))
            return bad(name + " has bounds that are no numbers or out of order");
        if (!std::isfinite(variables[i].cost))
            return bad(name + " has a cost that is not finite");
    }
    for (std::size_t r = 0; r < model.rows().size(); ++r) {
        const Row& row = model.rows()[r];
        const std::string name = "row " + std::to_string(r);
        if (!inOrder(row.lower, row.upper))
            return bad(name + " has limits that are no numbers or out of order");
        for (const LinearTerm& term : row.terms) {
            if (term.variable.index() >= variables.size())
                return bad(name + " names a variable that does not exist");
            if (!std::isfinite(term.coefficient))
                return bad(name + " has a coefficient that is not finite");
        }
    }
    return ok();
}

bool verify(const Model& model, std::span<const double> values, double tolerance) {
    const auto variables = model.variables();
    if (values.size() != variables.size())
        return false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Variable& v = variables[i];
        const double slack = tolerance * std::max(1.0, std::abs(values[i]));
        if (!(values[i] >= v.lower - slack && values[i] <= v.upper + slack))
            return false;
        if (v.kind != VariableKind::Continuous && std::abs(values[i] - std::round(values[i])) > 0)
            return false;
    }
    for (const Row& row : model.rows()) {
        double sum = 0;
        double size = 1;
        for (const LinearTerm& term : row.terms) {
            const double part = term.coefficient * values[term.variable.index()];
            sum += part;
            size = std::max(size, std::abs(part));
        }
        if (!(sum >= row.lower - tolerance * size && sum <= row.upper + tolerance * size))
            return false;
    }
    return true;
}

double objectiveOf(const Model& model, std::span<const double> values) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += model.variables()[i].cost * values[i];
    return sum;
}

} // namespace marquetry::milp
