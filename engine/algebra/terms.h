// Terms: what a stream program computes for each element, without the layers of types around it.
//
// A term is a stream of `length` words of one scalar type. It is a source (a leaf of an opaque
// value, see flatten.h), a constant, another term shifted by a number of elements, or a scalar
// operator on terms of one length. A term refers only to terms before it. The constructors apply
// the rewrites that look at one operator: `common`, `constants`, `strength`, `ranges`, `choices`
// and `shifts`. A term made of constants alone has length 0 and fits every length.
//
// A word may be undefined (ir::kUndefined); then any value may take its place. Complexity:
// constructors are logarithmic in the terms. Thread rule: one writer.
#pragma once

#include "engine/algebra/rewrites.h"
#include "engine/ir/stream_ranges.h"

#include <map>
#include <vector>

namespace marquetry::algebra {

using TermId = StrongId<struct TermTag>;

using ir::WordRange;

struct Term {
    ir::StreamOp op = ir::StreamOp::Input; ///< Input: a source
    ir::StreamType type;                   ///< a scalar, or fixed-point
    std::int64_t length = 0;
    /// Source: its number; constant: the word; shift: the distance; lookup: of its table.
    std::int64_t number = 0;
    std::vector<TermId> operands{};
    WordRange range{};          ///< of its defined words
    ir::StreamTablePtr table{}; ///< lookup
};

class Terms {
public:
    explicit Terms(Rewrites rewrites) : rewrites_(rewrites) {}

    const Term& operator[](TermId id) const { return terms_[id.index()]; }
    std::size_t size() const { return terms_.size(); }
    const Rewrites& rewrites() const { return rewrites_; }

    TermId source(const ir::StreamType& type, std::int64_t length, std::int64_t number);
    TermId constant(const ir::StreamType& type, std::int64_t word);
    /// By `distance` elements: its word k is word k − distance of `term`.
    TermId shifted(TermId term, std::int64_t distance);
    /// An operator of scalars, `if`, or a lookup in a table; `type` is that of the result.
    TermId apply(ir::StreamOp op, const ir::StreamType& type, std::vector<TermId> operands,
                 const ir::StreamTablePtr& table = nullptr);

    bool isConstant(TermId id) const { return (*this)[id].op == ir::StreamOp::Const; }
    /// What is shifted, and by how much; the term itself and 0 when nothing is.
    TermId unshifted(TermId id) const;
    std::int64_t shiftOf(TermId id) const;

private:
    using Key = std::tuple<ir::StreamOp, ir::StreamType::Kind, ir::Scalar, std::int64_t,
                           std::int64_t, std::vector<TermId>>;

    TermId intern(Term term);
    TermId pulledOut(Term term);
    /// A term that means the same, if a rewrite finds one.
    TermId folded(const Term& term);
    TermId unchanged(ir::StreamOp op, const ir::StreamType& type,
                     const std::vector<TermId>& operands);
    TermId unchangedBits(ir::StreamOp op, const ir::StreamType& type, TermId a, TermId b);
    TermId castBack(const ir::StreamType& type, TermId a) const;
    TermId cheaper(ir::StreamOp op, const ir::StreamType& type,
                   const std::vector<TermId>& operands);
    bool isWord(TermId id, std::int64_t word) const;
    /// Of a term whose operator and operands are known.
    WordRange rangeFor(const Term& term) const;
    /// Equal tables have one.
    std::int64_t numberOf(const ir::StreamTablePtr& table);

    Rewrites rewrites_;
    std::vector<Term> terms_;
    std::vector<ir::StreamTablePtr> tables_; ///< by number
    std::map<Key, TermId> known_;
};

/// The scalar by whose width an operator on leaves of this type computes.
ir::Scalar scalarOf(const ir::StreamType& leaf);
int bitsOf(const ir::StreamType& leaf);

} // namespace marquetry::algebra
