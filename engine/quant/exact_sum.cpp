#include "engine/quant/exact_sum.h"

#include "engine/quant/factor_problem.h"
#include "engine/support/numbers.h"

#include <algorithm>

namespace marquetry::quant {
namespace {

Integer valuesOf(const SumOperand& operand) {
    return Integer(operand.hi) - operand.lo + 1;
}

/// Index of the operand of which each value is looked at.
std::size_t outerOf(const SumRequest& request) {
    return valuesOf(request.operands[0]) <= valuesOf(request.operands[1]) ? 0 : 1;
}

/// The other operand's request where one has a value.
FactorRequest rowRequest(const SumRequest& request, std::int64_t value) {
    const std::size_t outer = outerOf(request);
    const SumOperand& inner = request.operands[1 - outer];
    const Rational addend = request.addend + request.operands[outer].factor * Rational(value);
    return {inner.factor, addend,       inner.lo,      inner.hi,
            request.mode, request.zero, request.least, request.greatest};
}

struct Row {
    Integer value;
    FactorProblem problem;
};

struct SumChoice {
    Integer outer, inner; ///< multipliers; of the mirrored inner operand
    AddendChoice addend;

    Integer add() const { return std::clamp(Integer(0), addend.least, addend.greatest); }
};

struct SumTrial {
    bool real = false;
    std::optional<Integer> room;
    std::optional<SumChoice> choice;

    bool roomierThan(const SumTrial& other) const {
        return other.room && (!room || *room > *other.room);
    }
};

class SumSearch {
public:
    explicit SumSearch(const SumRequest& request)
        : mode_(request.mode),
          outer_(request.operands[outerOf(request)].factor),
          inner_(request.operands[1 - outerOf(request)].factor.abs()) {
        const SumOperand& operand = request.operands[outerOf(request)];
        for (std::int64_t i = 0; i <= operand.hi - operand.lo; ++i)
            rows_.push_back({operand.lo + i, FactorProblem(rowRequest(request, operand.lo + i))});
    }

    const std::vector<Row>& rows() const { return rows_; }

    std::optional<SumChoice> anyChoice(unsigned shift) const {
        const Integer below = (outer_ * Rational(powerOfTwo(shift))).floor();
        for (int away = 0; away < kColumns; ++away)
            for (const Integer& mul : {Integer(below - away), Integer(below + 1 + away)})
                if (auto choice = inColumn(mul, shift))
                    return choice;
        return std::nullopt;
    }

private:
    static constexpr int kColumns = 4;  ///< on each side of the exact factor
    static constexpr int kClimbed = 64; ///< steps towards more room

    SumTrial trial(const Integer& outer, const Integer& inner, unsigned shift) const {
        HalfBounds bounds;
        for (const Row& row : rows_) {
            HalfBounds asked = row.problem.bounds.ofAddend(inner, shift);
            asked.move(-2 * outer * row.value);
            bounds.add(asked);
        }
        SumTrial result;
        result.real = hasRealAddend(bounds, shift, mode_);
        result.room = roomBetween(bounds, shift, mode_);
        if (const auto addend = chooseAddend(bounds, shift, mode_))
            result.choice = SumChoice{outer, inner, *addend};
        return result;
    }

    /// Room is a concave function of the inner multiplier: it is followed up to its top and a few
    /// steps down again, where integers may do although they did not at the top.
    std::optional<SumChoice> inColumn(const Integer& outer, unsigned shift) const {
        const Integer below = (inner_ * Rational(powerOfTwo(shift))).floor();
        const SumTrial left = trial(outer, below, shift);
        if (left.choice)
            return left.choice;
        const SumTrial right = trial(outer, below + 1, shift);
        if (right.choice)
            return right.choice;
        for (const int step : {1, -1}) {
            SumTrial last = step > 0 ? right : left;
            Integer inner = step > 0 ? Integer(below + 1) : below;
            for (int climbed = 0; climbed < kClimbed; ++climbed) {
                SumTrial next = trial(outer, inner += step, shift);
                if (next.choice)
                    return next.choice;
                if (!next.real && !next.roomierThan(last))
                    break;
                last = std::move(next);
            }
        }
        return std::nullopt;
    }

    RoundingMode mode_;
    Rational outer_, inner_;
    std::vector<Row> rows_;
};

struct LeastSum {
    unsigned shift = 0;
    SumChoice choice;
};

std::optional<LeastSum> leastSum(const SumSearch& search) {
    std::optional<SumChoice> choice = search.anyChoice(kMaxShift);
    if (!choice)
        return std::nullopt;
    unsigned first = 0, last = kMaxShift;
    while (first < last) {
        const unsigned middle = (first + last) / 2;
        if (auto earlier = search.anyChoice(middle)) {
            choice = std::move(earlier);
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return LeastSum{last, *choice};
}

Integer tiesOf(const SumSearch& search, RoundingMode mode) {
    Integer ties = 0;
    for (const Row& row : search.rows()) {
        const FloorLine& line = row.problem.line.line;
        ties += residues(mode == RoundingMode::Down ? line : halfUp(line), row.problem.range).zeros;
    }
    return ties;
}

/// At one of the corners.
Rational errorOf(const SumRequest& request, const ExactSum& answer) {
    const auto& [a, b] = request.operands;
    Rational error;
    for (const std::int64_t x : {a.lo, a.hi})
        for (const std::int64_t y : {b.lo, b.hi}) {
            const Integer value =
                Integer(x) * answer.muls[0] + Integer(y) * answer.muls[1] + answer.add;
            const Rational exact = a.factor * Rational(x) + b.factor * Rational(y) + request.addend;
            error = std::max(error, (Rational(value, powerOfTwo(answer.shift)) - exact).abs());
        }
    return error;
}

std::string askedOf(const SumRequest& request) {
    return "the sum with the factors " + numberText(request.operands[0].factor.toDouble()) +
           " and " + numberText(request.operands[1].factor.toDouble());
}

Diagnostic noSum(const SumRequest& request, const std::optional<LeastSum>& least) {
    std::string needed = "a shift of more than " + std::to_string(kMaxShift);
    if (least) {
        const unsigned bits =
            std::max({signedBits(least->choice.outer), signedBits(least->choice.inner),
                      signedBits(least->choice.add())});
        needed = std::to_string(bits) + " bits at a shift of " + std::to_string(least->shift);
    }
    return makeAnswer("requant-multiplier",
                      askedOf(request) + " needs " + needed +
                          " to be exact; the limits are 32 bits and " + std::to_string(kMaxShift),
                      "operands of fewer bits or scales with fewer bits need fewer");
}

} // namespace

Status check(const SumRequest& request) {
    for (const SumOperand& operand : request.operands)
        if (operand.hi < operand.lo)
            return makeError("requant-range", "an operand of the sum has no values",
                             "give the least value first");
    if (valuesOf(request.operands[outerOf(request)]) > kMaxSumValues)
        return makeError("requant-range",
                         "both operands of the sum have more than " +
                             std::to_string(kMaxSumValues) + " values",
                         "one of them must have 12 bits or fewer");
    return check(rowRequest(request, request.operands[outerOf(request)].lo));
}

Result<ExactSum> exactSum(const SumRequest& request) {
    if (const Status status = check(request); !status)
        return status.error();
    const SumSearch search(request);
    const auto least = leastSum(search);
    if (!least)
        return noSum(request, least);
    const std::size_t outer = outerOf(request);
    const bool mirrored = request.operands[1 - outer].factor.sign() < 0;
    const SumChoice& choice = least->choice;
    const Integer inner = mirrored ? Integer(-choice.inner) : choice.inner;
    if (!fitsInt32(choice.outer) || !fitsInt32(inner) || !fitsInt32(choice.add()) ||
        !fitsInt32(choice.addend.tie))
        return noSum(request, least);
    ExactSum answer;
    answer.muls[outer] = toInt64(choice.outer);
    answer.muls[1 - outer] = toInt64(inner);
    answer.add = toInt64(choice.add());
    answer.shift = least->shift;
    answer.tie = toInt64(choice.addend.tie);
    answer.ties = tiesOf(search, request.mode);
    answer.error = errorOf(request, answer);
    return answer;
}

std::int64_t exactResult(const SumRequest& request, std::int64_t a, std::int64_t b) {
    const bool first = outerOf(request) == 0;
    return exactResult(rowRequest(request, first ? a : b), first ? b : a);
}

std::int64_t integerResult(const SumRequest& request, const ExactSum& answer, std::int64_t a,
                           std::int64_t b) {
    const FactorRequest row = rowRequest(request, 0);
    const Integer value = Integer(a) * answer.muls[0] + Integer(b) * answer.muls[1] + answer.add;
    return integerResult(row, RoundedIntegers{1, value, answer.shift, answer.tie}, 0);
}

bool verify(const SumRequest& request, const ExactSum& answer) {
    const bool fits = fitsInt32(answer.muls[0]) && fitsInt32(answer.muls[1]) &&
                      fitsInt32(answer.add) && answer.shift <= kMaxShift;
    const bool window =
        answer.tie == 0 || (request.mode == RoundingMode::Even && answer.tie > 0 &&
                            answer.shift > 0 && answer.tie < powerOfTwo(answer.shift - 1));
    if (!check(request) || !fits || !window)
        return false;
    const std::size_t outer = outerOf(request);
    const SumOperand& operand = request.operands[outer];
    for (std::int64_t i = 0; i <= operand.hi - operand.lo; ++i) {
        const Integer add = answer.add + answer.muls[outer] * (Integer(operand.lo) + i);
        if (!sameResults(rowRequest(request, operand.lo + i),
                         {answer.muls[1 - outer], add, answer.shift, answer.tie}))
            return false;
    }
    return true;
}

} // namespace marquetry::quant
