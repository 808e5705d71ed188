// Which classes every finite term of a class contains (dominators of the AND/OR graph).
//
//   mandatory(c) = {c} ∪ ⋂ over nodes n of c of ⋃ over children d of n of mandatory(d)
// The greatest fixed point of this equation is taken. It is sound: by induction over a term, the
// term contains the sets of all its classes. closure(n), the union over the children of n, is what
// choosing n brings along.
// Complexity: O(classes · edges / 64) per pass over a component, few passes in practice; memory
// classes² / 8 bytes. Thread rule: pure.
#pragma once

#include "engine/term_extract/components.h"

namespace marquetry::term_extract {

/// One row of bits per class.
class ClassSets {
public:
    ClassSets(std::size_t rows, std::size_t classes)
        : words_((classes + 63) / 64), bits_(rows * words_) {}

    std::span<std::uint64_t> row(std::size_t r) { return {bits_.data() + r * words_, words_}; }
    std::span<const std::uint64_t> row(std::size_t r) const {
        return {bits_.data() + r * words_, words_};
    }
    static bool has(std::span<const std::uint64_t> set, ClassIndex c) {
        return (set[c / 64] >> (c % 64) & 1) != 0;
    }
    static void add(std::span<std::uint64_t> set, ClassIndex c) {
        set[c / 64] |= std::uint64_t{1} << (c % 64);
    }
    static void unite(std::span<std::uint64_t> set, std::span<const std::uint64_t> other) {
        for (std::size_t k = 0; k < set.size(); ++k)
            set[k] |= other[k];
    }

private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

/// Calls f(class) for every member, increasing.
template <class F>
void forEach(std::span<const std::uint64_t> set, F&& f) {
    for (std::size_t k = 0; k < set.size(); ++k)
        for (std::uint64_t word = set[k]; word != 0; word &= word - 1)
            f(static_cast<ClassIndex>(k * 64 + static_cast<std::size_t>(__builtin_ctzll(word))));
}

/// Row c is mandatory(c). Classes without a finite term have all classes.
ClassSets mandatoryClasses(const SelectionProblem& problem, const Components& components);

} // namespace marquetry::term_extract
