#include "engine/frontend/memory_bounds.h"

#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <optional>

namespace marquetry::frontend {

namespace {

/// The least that the other loops' part of an index can be, `sign` times; nothing when a loop whose
/// end is open makes it ever smaller.
std::optional<std::int64_t> leastOfOthers(const ir::AffineForm& form, const ir::MemoryNest& nest,
                                          std::size_t but, std::int64_t sign) {
    std::int64_t least = sign * form.constant;
    for (std::size_t j = 0; j < form.coefficients.size(); ++j) {
        const std::int64_t factor = sign * form.coefficients[j];
        if (j == but || factor == 0)
            continue;
        const auto& bound = nest.loops[j].bound;
        if (factor < 0 && bound && isOpen(*bound, nest))
            return std::nullopt;
        least += factor * (factor > 0 ? nest.loops[j].begin : nest.loops[j].end - 1);
    }
    return least;
}

/// The last value of iterator `j` with which the index can be inside 0 … extent − 1.
std::optional<std::int64_t> lastInside(const ir::AffineForm& form, const ir::MemoryNest& nest,
                                       std::size_t j, std::int64_t extent) {
    const std::int64_t factor = form.coefficients[j];
    if (factor == 0 || isUnknown(form))
        return std::nullopt;
    // factor · j + rest ≤ extent − 1, or for negative factors |factor| · j − rest ≤ 0.
    const auto rest = leastOfOthers(form, nest, j, factor > 0 ? 1 : -1);
    if (!rest)
        return std::nullopt;
    const std::int64_t room = (factor > 0 ? extent - 1 : 0) - *rest;
    return room < 0 ? nest.loops[j].begin : room / std::abs(factor);
}

} // namespace

bool isUnknown(const ir::AffineForm& form) {
    return std::ranges::any_of(form.symbols, [](std::int64_t factor) { return factor != 0; });
}

bool isNumber(const ir::AffineForm& form) {
    return !isUnknown(form) &&
           std::ranges::all_of(form.coefficients, [](std::int64_t factor) { return factor == 0; });
}

std::int64_t largest(const ir::AffineForm& form, const ir::MemoryNest& nest) {
    if (!staysSmall(form, nest))
        return kMaxMemoryIndex + 1;
    std::int64_t most = form.constant;
    for (std::size_t j = 0; j < form.coefficients.size(); ++j) {
        const ir::MemoryLoop& loop = nest.loops[j];
        const std::int64_t last = loop.begin + (loop.end - 1 - loop.begin) / loop.step * loop.step;
        most += form.coefficients[j] * (form.coefficients[j] > 0 ? last : loop.begin);
    }
    return most;
}

bool staysSmall(const ir::AffineForm& form, const ir::MemoryNest& nest) {
    std::int64_t sum = std::abs(form.constant);
    for (std::size_t j = 0; j < form.coefficients.size() && sum <= kMaxMemoryIndex; ++j) {
        const std::int64_t reach =
            std::max(std::abs(nest.loops[j].begin), std::abs(nest.loops[j].end));
        const auto part = checkedMul(std::abs(form.coefficients[j]), reach);
        sum = part ? checkedAdd(sum, *part).value_or(kMaxMemoryIndex + 1) : kMaxMemoryIndex + 1;
    }
    return sum <= kMaxMemoryIndex;
}

bool isOpen(const ir::AffineForm& form, const ir::MemoryNest& nest) {
    for (std::size_t j = 0; j < form.coefficients.size(); ++j) {
        const auto& bound = nest.loops[j].bound;
        if (form.coefficients[j] != 0 && bound && isOpen(*bound, nest))
            return true;
    }
    return isUnknown(form);
}

bool endsOutside(const NestSyntax& nest, std::size_t index, Reporter& reporter) {
    const std::string& own = nest.loops[index].name.text;
    bool right = true;
    const auto check = [&](const WordSyntax& name) {
        const auto named = [&](const LoopSyntax& loop) { return loop.name.text == name.text; };
        const auto begin = nest.loops.begin();
        const auto here = begin + static_cast<std::ptrdiff_t>(index);
        if (std::any_of(begin, here, named) || std::none_of(here, nest.loops.end(), named))
            return; // an outer one, or none at all, which is said elsewhere
        right = false;
        reporter.report(
            makeError("inner-iterator",
                      "the end of '" + own + "' depends on '" + name.text + "'" +
                          (name.text == own ? " itself" : ", which runs inside it"),
                      "an end is made of numbers, unknown values and the iterators before it"),
            name.range);
    };
    for (const TermSyntax& term : nest.loops[index].end.terms) {
        if (!term.unknown && !term.name.text.empty())
            check(term.name);
        for (const WordSyntax& iterator : term.iterators)
            check(iterator);
    }
    return right;
}

namespace {

/// Says how far open loops run, from the inside out.
class Closing {
public:
    Closing(ir::MemoryNest& nest, const ir::Shape& dims)
        : nest_(nest), dims_(dims), last_(nest.loops.size()) {}

    Diagnostics run() && {
        for (std::size_t j = nest_.loops.size(); j-- > 0;)
            if (open(j)) {
                last_[j] = lastOf(j);
                if (errors_.empty())
                    last_[j] = std::max(last_[j], lastOfFirstRound(j));
            }
        for (std::size_t j = 0; j < nest_.loops.size(); ++j)
            if (open(j))
                close(j);
        return std::move(errors_);
    }

private:
    bool open(std::size_t j) const {
        const auto& bound = nest_.loops[j].bound;
        return bound && isOpen(*bound, nest_);
    }

    std::int64_t lastOf(std::size_t j) {
        const std::int64_t last = std::max(byReferences(j), byInnerEnds(j));
        if (last < kMaxMemoryNumber)
            return last;
        refuse(j, toString(nest_.loops[j], nest_));
        return nest_.loops[j].begin;
    }

    /// Nothing says that a lane stands still, whether or not an index needs its iterator.
    std::int64_t lastOfFirstRound(std::size_t j) const {
        const ir::MemoryLoop& loop = nest_.loops[j];
        const auto reach = checkedMul(loop.step, loop.parallel - 1);
        return loop.begin + std::min(reach.value_or(kMaxMemoryIndex), kMaxMemoryIndex);
    }

    void close(std::size_t j) {
        ir::MemoryLoop& loop = nest_.loops[j];
        loop.end = last_[j] + 1;
        if (!isUnknown(*loop.bound))
            loop.end = std::max(loop.begin + 1, std::min(loop.end, largest(*loop.bound, nest_)));
    }

    void refuse(std::size_t j, const std::string& where) {
        errors_.push_back(
            makeError("open-end",
                      "nothing says how far '" + nest_.loops[j].name + "' runs in '" + where + "'",
                      "make its end a number, or use it in an index without unknown "
                      "values"));
    }

    /// The last value that some reference needs.
    std::int64_t byReferences(std::size_t j) {
        std::int64_t last = nest_.loops[j].begin;
        for (const ir::MemoryReference& reference : nest_.references) {
            std::optional<std::int64_t> inside;
            bool depends = false;
            for (std::size_t d = 0; d < dims_.size(); ++d) {
                const auto here = lastInside(reference.index[d], nest_, j, dims_[d]);
                depends = depends || reference.index[d].coefficients[j] != 0;
                if (here)
                    inside = std::min(inside.value_or(*here), *here);
            }
            if (depends && !inside)
                refuse(j, reference.text);
            last = std::max(last, inside.value_or(last));
        }
        return last;
    }

    /// The first value with which the loops whose ends name the iterator get as far as they need.
    std::int64_t byInnerEnds(std::size_t j) {
        std::int64_t last = nest_.loops[j].begin;
        for (std::size_t k = j + 1; k < nest_.loops.size(); ++k) {
            const auto& bound = nest_.loops[k].bound;
            if (!bound || isUnknown(*bound) || bound->coefficients[j] <= 0)
                continue;
            const auto rest = leastOfOthers(*bound, nest_, j, 1);
            if (!rest)
                refuse(j, toString(nest_.loops[k], nest_));
            const std::int64_t missing = last_[k] + 1 - rest.value_or(0);
            if (missing > 0)
                last = std::max(last, inEveryLane(j, ceilDiv(missing, bound->coefficients[j])));
        }
        return last;
    }

    /// The last value of the round in which every lane is at `value` or beyond.
    std::int64_t inEveryLane(std::size_t j, std::int64_t value) const {
        const ir::MemoryLoop& loop = nest_.loops[j];
        if (value <= loop.begin)
            return value;
        const std::int64_t round = loop.step * loop.parallel; // both are at most 2^31
        if (round > kMaxMemoryNumber)
            return kMaxMemoryNumber;
        return loop.begin + ceilDiv(value - loop.begin, round) * round + round - loop.step;
    }

    ir::MemoryNest& nest_;
    const ir::Shape& dims_;
    std::vector<std::int64_t> last_; ///< value of each open loop that is needed
    Diagnostics errors_;
};

} // namespace

Diagnostics closeOpenEnds(ir::MemoryNest& nest, const ir::Shape& dims) {
    return Closing(nest, dims).run();
}

} // namespace marquetry::frontend
