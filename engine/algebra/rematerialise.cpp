#include "engine/algebra/rematerialise.h"

#include "engine/algebra/ranges.h"

#include <numeric>
#include <set>

namespace marquetry::algebra {

using ir::StreamOp;

namespace {

class Recomputing {
public:
    Recomputing(const DataflowGraph& dataflow, const std::vector<Repetition>& repetitions,
                std::int64_t longShift)
        : dataflow_(dataflow),
          old_(dataflow.terms),
          repetitions_(repetitions),
          longShift_(longShift),
          // With `shifts` the constructors would move the shifts back.
          result_{Terms(dataflow.terms.rewrites().without(KernelRewrite::Shifts)), {}} {
        const std::vector<bool> needed = neededBy(dataflow);
        for (std::size_t k = 0; k < old_.size(); ++k) {
            const Term& term = old_[TermId(k)];
            if (needed[k] && term.op == StreamOp::Shift && term.number >= longShift)
                distances_[term.operands[0]].insert(term.number);
            ownPeriods_.push_back(periodOf(term));
        }
    }

    DataflowGraph run() && {
        for (const TermId root : dataflow_.roots)
            result_.roots.push_back(later(root, 0));
        return failed_ ? dataflow_ : std::move(result_);
    }

private:
    /// Of a term that only repeats; 0 of others.
    std::int64_t periodOf(const Term& term) const {
        if (term.op == StreamOp::Input)
            return repetitions_[static_cast<std::size_t>(term.number)].period;
        if (term.op == StreamOp::Shift)
            return 0;
        std::int64_t period = 1;
        for (const TermId operand : term.operands) {
            const std::int64_t other = ownPeriods_[operand.index()];
            period = other == 0 ? 0 : std::lcm(period, other);
        }
        return period;
    }

    bool isComputed(TermId id) const {
        const Term& term = old_[id];
        const bool bit =
            term.type.is(ir::StreamType::Kind::Scalar) && term.type.scalar == ir::Scalar::Bit;
        return !term.operands.empty() && term.op != StreamOp::Shift && !bit;
    }

    /// The furthest long distance up to `distance` that starts a window: others are near it.
    std::int64_t startOf(TermId base, std::int64_t distance) const {
        std::int64_t start = 0;
        const auto all = distances_.find(base);
        if (all == distances_.end())
            return 0;
        for (const std::int64_t each : all->second) {
            if (each <= distance && (start == 0 || each - start >= longShift_))
                start = each;
        }
        return start;
    }

    /// A term of the old dataflow graph, `distance` elements later.
    TermId later(TermId id, std::int64_t distance) {
        const auto known = known_.find({id, distance});
        if (known != known_.end())
            return known->second;
        const TermId made = make(id, distance);
        known_[{id, distance}] = made;
        return made;
    }

    TermId make(TermId id, std::int64_t distance) {
        const Term& term = old_[id];
        Terms& terms = result_.terms;
        if (term.op == StreamOp::Const)
            return terms.constant(term.type, term.number);
        if (term.op == StreamOp::Shift)
            return shifted(term.operands[0], term.number, distance);
        const std::int64_t period = ownPeriods_[id.index()];
        if (distance > 0 && period > 0 && distance % period == 0)
            return later(id, 0);
        if (term.op == StreamOp::Input && distance > 0 && period > 0)
            return rotated(id, distance % period);
        if (term.op == StreamOp::Input)
            return terms.shifted(terms.source(term.type, term.length, term.number), distance);
        if (distance > 0 && period == 0 && !isComputed(id))
            return terms.shifted(later(id, 0), distance);
        std::vector<TermId> operands;
        for (const TermId operand : term.operands)
            operands.push_back(later(operand, distance));
        return terms.apply(term.op, term.type, std::move(operands), term.table);
    }

    /// A counter `distance` elements before, which is less than its period: the numbers before its
    /// first are its last ones.
    TermId rotated(TermId id, std::int64_t distance) {
        const Term& term = old_[id];
        Terms& terms = result_.terms;
        const auto [period, step] = repetitions_[static_cast<std::size_t>(term.number)];
        const auto word = [&](std::int64_t n) { return terms.constant(term.type, n * step); };
        failed_ = failed_ || step <= 0 || (period - 1) * step > fullRange(term.type).high;
        if (failed_)
            return later(id, 0);
        const TermId counted = later(id, 0);
        const ir::StreamType bit = ir::scalarStream(ir::Scalar::Bit);
        return terms.apply(
            StreamOp::If, term.type,
            {terms.apply(StreamOp::Lt, bit, {counted, word(distance)}),
             terms.apply(StreamOp::Add, term.type, {counted, word(period - distance)}),
             terms.apply(StreamOp::Sub, term.type, {counted, word(distance)})});
    }

    /// base, `own` elements before, all of it `distance` elements later.
    TermId shifted(TermId base, std::int64_t own, std::int64_t distance) {
        const bool moves = isComputed(base) || ownPeriods_[base.index()] > 0;
        const std::int64_t start = moves ? startOf(base, own) : own;
        return result_.terms.shifted(later(base, distance + start), own - start);
    }

    const DataflowGraph& dataflow_;
    const Terms& old_;
    const std::vector<Repetition>& repetitions_;
    const std::int64_t longShift_;
    std::map<TermId, std::set<std::int64_t>> distances_;
    std::vector<std::int64_t> ownPeriods_;
    std::map<std::pair<TermId, std::int64_t>, TermId> known_;
    DataflowGraph result_;
    bool failed_ = false;
};

} // namespace

DataflowGraph rematerialised(const DataflowGraph& dataflow,
                             const std::vector<Repetition>& repetitions, std::int64_t longShift) {
    return Recomputing(dataflow, repetitions, longShift).run();
}

} // namespace marquetry::algebra
