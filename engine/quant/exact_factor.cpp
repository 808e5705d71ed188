#include "engine/quant/exact_factor.h"

#include "engine/quant/factor_problem.h"
#include "engine/support/numbers.h"

#include <algorithm>

namespace marquetry::quant {
namespace {

struct Choice {
    Integer mul;
    AddendChoice addend;

    Integer add() const { return std::clamp(Integer(0), addend.least, addend.greatest); }
};

/// What one multiplier can do.
struct Trial {
    bool real = false; ///< with real numbers for the addend and the window
    std::optional<Choice> choice;
};

Trial tryMul(const FactorProblem& problem, const Integer& mul, unsigned shift) {
    const HalfBounds bounds = problem.bounds.ofAddend(mul, shift);
    Trial trial;
    trial.real = hasRealAddend(bounds, shift, problem.line.mode);
    if (const auto addend = chooseAddend(bounds, shift, problem.line.mode))
        trial.choice = Choice{mul, *addend};
    return trial;
}

// Multipliers with real addends are an interval around r·2^k. Of those in it, going away from
// r·2^k, integers are missing at most three times in a row before they are missing for good
// (requantisation.md, "The least shift").
constexpr int kNeighbours = 4;

std::optional<Choice> anyChoice(const FactorProblem& problem, unsigned shift) {
    const Integer below = floorDiv(problem.line.line.slope << shift, problem.line.line.divisor);
    for (const int step : {-1, 1}) {
        Integer mul = step < 0 ? below : Integer(below + 1);
        for (int tried = 0; tried < kNeighbours; ++tried, mul += step) {
            Trial trial = tryMul(problem, mul, shift);
            if (trial.choice)
                return trial.choice;
            if (!trial.real)
                break;
        }
    }
    return std::nullopt;
}

/// Of the same shift, the one with the multiplier nearest to 0: the interval's first, or one of the
/// few behind it.
Choice smallestChoice(const FactorProblem& problem, unsigned shift, Choice found) {
    if (found.mul <= 0)
        return found;
    Integer low = 0, high = found.mul;
    while (low < high) {
        const Integer middle = floorDiv(low + high, 2);
        const Trial trial = tryMul(problem, middle, shift);
        if (trial.real || trial.choice)
            high = middle;
        else
            low = middle + 1;
    }
    for (int tried = 0; tried < kNeighbours && low < found.mul; ++tried, ++low)
        if (const Trial trial = tryMul(problem, low, shift); trial.choice)
            return *trial.choice;
    return found;
}

/// The least shift of first … last that has a choice; doubling all integers makes one for the next
/// shift, so they are all that follow.
struct LeastShift {
    unsigned shift = 0;
    Choice choice;
};

std::optional<LeastShift> leastShift(const FactorProblem& problem, unsigned first, unsigned last) {
    std::optional<Choice> choice = anyChoice(problem, last);
    if (!choice)
        return std::nullopt;
    while (first < last) {
        const unsigned middle = (first + last) / 2;
        if (auto earlier = anyChoice(problem, middle)) {
            choice = std::move(earlier);
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return LeastShift{last, smallestChoice(problem, last, *choice)};
}

/// Of ties that half up rounds to another value than the mode does.
bool tiesGoUp(const RoundedLine& line, const IntegerRange& range) {
    const FloorLine& exact = line.line;
    const FloorLine tie = {2 * exact.slope, 2 * exact.offset - exact.divisor, 2 * exact.divisor};
    if (range.empty() || line.mode == RoundingMode::Up)
        return true;
    if (line.mode == RoundingMode::Even)
        return residues(everySecond(tie), range).zeros == 0;
    const IntegerRange negative = {range.first, firstAtLeast(line, range, 0) - 1};
    return negative.empty() || residues(tie, negative).zeros == 0;
}

bool halfUpWill(const FactorProblem& problem, const Choice& choice, unsigned shift) {
    if (problem.line.mode == RoundingMode::Down ||
        !tiesGoUp(problem.line, problem.ranges.deciding()))
        return false;
    const RoundedLine up = {problem.line.line, RoundingMode::Up};
    const StepBounds bounds(up, problem.ranges, problem.results);
    const HalfBounds asked = bounds.ofAddend(choice.mul, shift);
    const Integer twice = 2 * choice.add();
    return (!asked.lowerClosed || twice >= *asked.lowerClosed) &&
           (!asked.upperStrict || twice < *asked.upperStrict);
}

/// Greatest |difference| of two lines over a range: at one of its ends.
Rational greatestError(const FactorProblem& problem, const Choice& choice, unsigned shift,
                       const IntegerRange& range) {
    const FloorLine& line = problem.line.line;
    const auto at = [&](const Integer& x) {
        return (Rational(choice.mul * x + choice.add(), powerOfTwo(shift)) -
                Rational(line.slope * x + line.offset, line.divisor))
            .abs();
    };
    return std::max(at(range.first), at(range.last));
}

FactorProof proofOf(const FactorProblem& problem, const Choice& choice, unsigned shift) {
    const IntegerRange range = problem.ranges.deciding();
    FactorProof proof;
    proof.first = problem.mirrored ? Integer(-range.last) : range.first;
    proof.last = problem.mirrored ? Integer(-range.first) : range.last;
    proof.mulBits = signedBits(problem.mirrored ? Integer(-choice.mul) : choice.mul);
    const FloorLine line =
        problem.line.mode == RoundingMode::Down ? problem.line.line : halfUp(problem.line.line);
    const Residues found = residues(line, range);
    proof.ties = found.zeros;
    if (found.greatest > 0)
        proof.margin = Rational(
            std::min(found.leastPositive, Integer(line.divisor - found.greatest)), line.divisor);
    proof.error = greatestError(problem, choice, shift, range);
    return proof;
}

std::string asked(const FactorRequest& request) {
    return "the factor " + numberText(request.factor.toDouble()) + " over the accumulators " +
           std::to_string(request.lo) + " … " + std::to_string(request.hi);
}

constexpr const char* kFewerBits =
    "a narrower accumulator, a coarser result or scales with fewer bits need fewer";

Diagnostic tooManyBits(const FactorRequest& request, const Choice& choice, unsigned shift) {
    return makeAnswer("requant-multiplier",
                      asked(request) + " needs a multiplier of " +
                          std::to_string(signedBits(choice.mul)) + " bits and an addend of " +
                          std::to_string(signedBits(choice.add())) + " bits at a shift of " +
                          std::to_string(shift) + " to be exact; the limit is 32 bits each",
                      kFewerBits);
}

/// Shifts up to this are looked for, so that the message can name one.
constexpr unsigned kNamedShifts = 1U << 13;

Diagnostic tooLongShift(const FactorRequest& request, const FactorProblem& problem) {
    const auto least = leastShift(problem, kMaxShift + 1, kNamedShifts);
    const std::string needed = least ? "a shift of " + std::to_string(least->shift) +
                                           " and a multiplier of " +
                                           std::to_string(signedBits(least->choice.mul)) + " bits"
                                     : "a shift of more than " + std::to_string(kNamedShifts);
    return makeAnswer("requant-multiplier",
                      asked(request) + " needs " + needed + " to be exact; the limits are " +
                          std::to_string(kMaxShift) + " and 32",
                      kFewerBits);
}

} // namespace

Status check(const FactorRequest& request) {
    if (request.hi < request.lo)
        return makeError("requant-range",
                         "no accumulator lies in " + std::to_string(request.lo) + " … " +
                             std::to_string(request.hi),
                         "give the least value first");
    if (request.greatest <= request.least)
        return makeError("requant-range",
                         "the results " + std::to_string(request.least) + " … " +
                             std::to_string(request.greatest) + " are fewer than two values",
                         "the least result must be below the greatest");
    return ok();
}

std::optional<FactorRequest> asHalfUp(const FactorRequest& request) {
    if (request.mode != RoundingMode::Even || !check(request))
        return std::nullopt;
    const FactorProblem problem(request);
    if (!tiesGoUp(problem.line, problem.ranges.deciding()))
        return std::nullopt;
    FactorRequest half = request;
    half.mode = RoundingMode::Up;
    return half;
}

Result<ExactFactor> exactFactor(const FactorRequest& request) {
    if (const Status status = check(request); !status)
        return status.error();
    const FactorProblem problem(request);
    const auto least = leastShift(problem, 0, kMaxShift);
    if (!least)
        return tooLongShift(request, problem);
    const auto& [shift, choice] = *least;
    const Integer mul = problem.mirrored ? Integer(-choice.mul) : choice.mul;
    if (!fitsInt32(mul) || !fitsInt32(choice.add()) || !fitsInt32(choice.addend.tie))
        return tooManyBits(request, choice, shift);
    ExactFactor answer;
    answer.mul = toInt64(mul);
    answer.add = toInt64(choice.add());
    answer.shift = shift;
    answer.tie = toInt64(choice.addend.tie);
    answer.halfUpWill = halfUpWill(problem, choice, shift);
    answer.proof = proofOf(problem, choice, shift);
    return answer;
}

} // namespace marquetry::quant
