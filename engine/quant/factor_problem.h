// A request as lines and bounds, with a factor that is not negative.
//
// Thread rule: value types.
#pragma once

#include "engine/quant/exact_factor.h"
#include "engine/quant/step_bounds.h"

namespace marquetry::quant {

/// The request with a factor that is not negative: x becomes −x where it is.
struct FactorProblem {
    RoundedLine line;
    IntegerRange range;
    ResultBounds results;
    SaturatedRanges ranges;
    StepBounds bounds;
    bool mirrored = false;

    explicit FactorProblem(const FactorRequest& request)
        : line(lineOf(request)),
          range(rangeOf(request)),
          results{Integer(request.least) - request.zero, Integer(request.greatest) - request.zero},
          ranges(saturatedRanges(line, range, results)),
          bounds(line, ranges, results),
          mirrored(request.factor.sign() < 0) {}

private:
    static RoundedLine lineOf(const FactorRequest& request) {
        const Rational factor = request.factor.abs();
        const Integer &p = factor.denominator(), &q = request.addend.denominator();
        const Integer common = boost::multiprecision::lcm(p, q);
        return {
            {factor.numerator() * (common / p), request.addend.numerator() * (common / q), common},
            request.mode};
    }
    static IntegerRange rangeOf(const FactorRequest& request) {
        if (request.factor.sign() < 0)
            return {-Integer(request.hi), -Integer(request.lo)};
        return {request.lo, request.hi};
    }
};

} // namespace marquetry::quant
