#include "engine/algebra/constant_multiplication.h"

#include "engine/algebra/polynomial.h"
#include "engine/algebra/symmetry.h"
#include "engine/ir/op.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace marquetry::algebra {

using ir::StreamOp;

namespace {

/// Sums of more terms stay as they are written.
constexpr std::size_t kMostSumTerms = 256;

/// A weighted sum of symbols, by symbol and distance, and a constant.
template <class Symbol>
struct Sum {
    std::map<std::pair<Symbol, std::int64_t>, std::int64_t> weights;
    std::int64_t constant = 0;
    auto operator<=>(const Sum&) const = default;
};

bool isInteger(const ir::StreamType& type) {
    return type.is(ir::StreamType::Kind::Scalar) && type.scalar != ir::Scalar::Bit;
}

/// Coefficients that mean the same modulo the width, around 0.
std::int64_t centred(std::int64_t n, int bits) {
    const std::int64_t modulus = std::int64_t{1} << bits;
    const std::int64_t rest = ((n % modulus) + modulus) % modulus;
    return rest > modulus / 2 ? rest - modulus : rest;
}

/// Finds the sums of a dataflow graph: which terms are one, of which others.
class SumFinder {
public:
    explicit SumFinder(const DataflowGraph& dataflow)
        : dataflow_(dataflow), terms_(dataflow.terms), forms_(dataflow.terms.size()) {
        const std::vector<bool> needed = neededBy(dataflow);
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            if (needed[k])
                forms_[k] = formOf(TermId(k));
        }
    }

    /// Of a term that is a sum; otherwise of the term itself.
    const Sum<TermId>& form(TermId id) const { return *forms_[id.index()]; }

    /// Whether the term is computed as the sum it is, not by an operator of its own.
    bool isSum(TermId id) const {
        const auto& weights = forms_[id.index()]->weights;
        return !(weights.size() == 1 && weights.begin()->first == std::pair(id, std::int64_t{0})) &&
               !terms_.isConstant(id);
    }

private:
    std::optional<std::int64_t> constantFactor(const Term& term) const {
        for (const TermId operand : term.operands) {
            if (terms_.isConstant(operand) && terms_[operand].number != ir::kUndefined)
                return terms_[operand].number;
        }
        return std::nullopt;
    }

    Sum<TermId> itself(TermId id) const { return {{{{id, 0}, 1}}, 0}; }

    Sum<TermId> formOf(TermId id) const {
        const Term& term = terms_[id];
        if (!isInteger(term.type) || term.length == 0)
            return terms_.isConstant(id) && isInteger(term.type) && term.number != ir::kUndefined
                       ? Sum<TermId>{{}, term.number}
                       : itself(id);
        const auto factor = constantFactor(term);
        Sum<TermId> sum;
        if (term.op == StreamOp::Shift) {
            add(sum, form(term.operands[0]), 1, term.number, term.type);
        } else if (term.op == StreamOp::Add || term.op == StreamOp::Sub) {
            add(sum, form(term.operands[0]), 1, 0, term.type);
            add(sum, form(term.operands[1]), term.op == StreamOp::Sub ? -1 : 1, 0, term.type);
        } else if (term.op == StreamOp::Mul && factor) {
            const bool first = terms_.isConstant(term.operands[0]);
            add(sum, form(term.operands[first ? 1 : 0]), *factor, 0, term.type);
        } else if (term.op == StreamOp::Lsl && terms_.isConstant(term.operands[1]) && factor &&
                   *factor < bitsOf(term.type)) {
            add(sum, form(term.operands[0]), std::int64_t{1} << *factor, 0, term.type);
        } else {
            return itself(id);
        }
        return sum.weights.size() > kMostSumTerms || sum.weights.empty() ? itself(id) : sum;
    }

    static void add(Sum<TermId>& sum, const Sum<TermId>& other, std::int64_t factor,
                    std::int64_t distance, const ir::StreamType& type) {
        const int bits = bitsOf(type);
        const std::int64_t by = centred(factor, bits);
        for (const auto& [place, weight] : other.weights) {
            std::int64_t& own = sum.weights[{place.first, place.second + distance}];
            own = centred(own + by * weight, bits);
            if (own == 0)
                sum.weights.erase({place.first, place.second + distance});
        }
        sum.constant = centred(sum.constant + by * other.constant, bits);
    }

    const DataflowGraph& dataflow_;
    const Terms& terms_;
    std::vector<std::optional<Sum<TermId>>> forms_;
};

using SymbolId = StrongId<struct SymbolTag>;

/// ± 2^shift of a symbol, `distance` elements before.
struct Entry {
    SymbolId symbol;
    std::int64_t distance = 0;
    int shift = 0;
    bool negative = false;
    auto operator<=>(const Entry&) const = default;
};

/// Two entries at their least distance and shift; the first one positive.
struct Pattern {
    Entry first;
    Entry second;
    auto operator<=>(const Pattern&) const = default;

    std::int64_t reach() const { return std::abs(first.distance - second.distance); }
};

struct Symbol {
    TermId term; ///< of the old dataflow graph; none: a sum
    ir::StreamType type;
    std::int64_t constant = 0;
    std::vector<Entry> entries{};
};

class SumWriter {
public:
    SumWriter(const DataflowGraph& dataflow, const SumParams& params)
        : dataflow_(dataflow), params_(params), finder_(dataflow), ofTerm_(dataflow.terms.size()) {}

    DataflowGraph write() && {
        const std::vector<bool> wanted = wantedSums();
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            if (wanted[k])
                whole_[TermId(k)] = placed(TermId(k));
        }
        if (params_.share)
            share();
        result_.emplace(DataflowGraph{Terms(dataflow_.terms.rewrites()), {}});
        copies_.resize(dataflow_.terms.size());
        built_.resize(symbols_.size());
        for (const TermId root : dataflow_.roots)
            result_->roots.push_back(copy(root));
        return *std::move(result_);
    }

private:
    /// A symbol `distance` elements before, times 2^shift.
    struct Placed {
        SymbolId symbol;
        std::int64_t distance = 0;
        int shift = 0;
    };

    /// The sums that something else than a sum uses.
    std::vector<bool> wantedSums() const {
        const Terms& terms = dataflow_.terms;
        const std::vector<bool> needed = neededBy(dataflow_);
        std::vector<bool> wanted(terms.size(), false);
        const auto want = [&](TermId id) {
            const TermId base = terms.unshifted(id);
            if (finder_.isSum(base))
                wanted[base.index()] = true;
        };
        for (const TermId root : dataflow_.roots)
            want(root);
        for (std::size_t k = 0; k < terms.size(); ++k) {
            if (!needed[k] || terms[TermId(k)].op == StreamOp::Shift || finder_.isSum(TermId(k)))
                continue;
            for (const TermId operand : terms[TermId(k)].operands)
                want(operand);
        }
        return wanted;
    }

    SymbolId symbolOf(TermId term) {
        SymbolId& symbol = ofTerm_[term.index()];
        if (!symbol.valid()) {
            symbol = SymbolId(symbols_.size());
            symbols_.push_back({term, dataflow_.terms[term].type});
        }
        return symbol;
    }

    Placed placed(TermId term) {
        Sum<SymbolId> sum;
        for (const auto& [place, weight] : finder_.form(term).weights)
            sum.weights[{symbolOf(place.first), place.second}] = weight;
        sum.constant = finder_.form(term).constant;
        return placed(std::move(sum), dataflow_.terms[term].type);
    }

    /// Takes common distances and powers of two out of a sum, then common factors.
    Placed placed(Sum<SymbolId> sum, const ir::StreamType& type) {
        std::int64_t distance = std::numeric_limits<std::int64_t>::max();
        std::int64_t all = sum.constant;
        for (const auto& [place, weight] : sum.weights) {
            distance = std::min(distance, place.second);
            all |= weight;
        }
        const int shift = std::countr_zero(static_cast<std::uint64_t>(all));
        Sum<SymbolId> reduced;
        reduced.constant = sum.constant >> shift;
        for (const auto& [place, weight] : sum.weights)
            reduced.weights[{place.first, place.second - distance}] = weight >> shift;
        const bool single = reduced.weights.size() == 1 && reduced.constant == 0 &&
                            reduced.weights.begin()->second == 1;
        const SymbolId symbol =
            single ? reduced.weights.begin()->first.first : symbolOf(reduced, type);
        return {symbol, distance, shift};
    }

    SymbolId symbolOf(const Sum<SymbolId>& sum, const ir::StreamType& type) {
        const auto key = std::pair(type, sum);
        if (const auto known = known_.find(key); known != known_.end())
            return known->second;
        const SymbolId base = sum.weights.begin()->first.first;
        const bool single =
            sum.constant == 0 && std::ranges::all_of(sum.weights, [&](const auto& weight) {
                return weight.first.first == base;
            });
        Sum<SymbolId> last = single && params_.separate ? lastFactor(sum, base, type) : sum;
        if (params_.fold)
            last = withEqualWeights(withEqualRows(last, type), type);
        const SymbolId symbol(symbols_.size());
        symbols_.push_back({TermId(), type, last.constant});
        for (const auto& [place, weight] : last.weights) {
            for (const Digit& digit : signedDigits(weight))
                symbols_.back().entries.push_back(
                    {place.first, place.second, digit.shift, digit.negative});
        }
        known_[key] = symbol;
        return symbol;
    }

    /// The sum of the stream that the other factors make.
    Sum<SymbolId> lastFactor(const Sum<SymbolId>& sum, SymbolId base, const ir::StreamType& type) {
        Polynomial polynomial;
        for (const auto& [place, weight] : sum.weights)
            polynomial[place.second] = weight;
        std::vector<Polynomial> all = factors(polynomial);
        if (all.size() == 1)
            return sum;
        Sum<SymbolId> factor;
        for (std::size_t k = 0; k < all.size(); ++k) {
            factor = {};
            for (const auto& [distance, weight] : all[k])
                factor.weights[{base, distance}] = weight;
            if (k + 1 < all.size())
                base = symbolOf(factor, type);
        }
        return factor;
    }

    /// Of rows that are equal the elements are added.
    Sum<SymbolId> withEqualRows(const Sum<SymbolId>& sum, const ir::StreamType& type) {
        std::map<SymbolId, Polynomial> polynomials;
        for (const auto& [place, weight] : sum.weights)
            polynomials[place.first][place.second] = weight;
        Sum<SymbolId> result{{}, sum.constant};
        for (const auto& [symbol, polynomial] : polynomials) {
            for (const EqualRows& rows : equalRows(polynomial)) {
                Sum<SymbolId> places;
                for (const auto& [distance, sign] : rows.places)
                    places.weights[{symbol, distance}] = sign;
                const SymbolId base = rows.places.size() == 1 ? symbol : symbolOf(places, type);
                for (const auto& [distance, weight] : rows.row)
                    result.weights[{base, distance}] += weight;
            }
        }
        return result;
    }

    /// What has the same weight, which is more than a shift, is added.
    Sum<SymbolId> withEqualWeights(const Sum<SymbolId>& sum, const ir::StreamType& type) {
        std::map<std::int64_t, Sum<SymbolId>> taps;
        for (const auto& [place, weight] : sum.weights)
            taps[std::abs(weight)].weights[place] = weight < 0 ? -1 : 1;
        Sum<SymbolId> result{{}, sum.constant};
        for (const auto& [weight, tap] : taps) {
            if (tap.weights.size() > 1 && signedDigits(weight).size() > 1) {
                const Placed added = placed(tap, type);
                result.weights[{added.symbol, added.distance}] += weight << added.shift;
            } else {
                for (const auto& [place, sign] : tap.weights)
                    result.weights[place] += sign * weight;
            }
        }
        return result;
    }

    static Pattern patternOf(Entry a, Entry b) {
        const std::int64_t distance = std::min(a.distance, b.distance);
        const int shift = std::min(a.shift, b.shift);
        for (Entry* entry : {&a, &b}) {
            entry->distance -= distance;
            entry->shift -= shift;
        }
        b.negative = a.negative != b.negative;
        a.negative = false;
        if (Entry plain = b; plain.negative = false, plain < a) {
            const bool apart = b.negative;
            b.negative = false;
            std::swap(a, b);
            b.negative = apart;
        }
        return {a, b};
    }

    /// Pairs of entries of a sum that are a pattern, no entry in two of them.
    static std::vector<std::pair<std::size_t, std::size_t>>
    occurrences(const std::vector<Entry>& entries, const Pattern& pattern) {
        std::vector<std::pair<std::size_t, std::size_t>> found;
        std::vector<bool> taken(entries.size(), false);
        for (std::size_t a = 0; a < entries.size(); ++a) {
            for (std::size_t b = a + 1; b < entries.size() && !taken[a]; ++b) {
                if (taken[b] || patternOf(entries[a], entries[b]) != pattern)
                    continue;
                found.emplace_back(a, b);
                taken[a] = taken[b] = true;
            }
        }
        return found;
    }

    std::optional<Pattern> mostFrequent() const {
        std::map<Pattern, int> candidates;
        for (const Symbol& symbol : symbols_) {
            for (std::size_t a = 0; a < symbol.entries.size(); ++a) {
                for (std::size_t b = a + 1; b < symbol.entries.size(); ++b)
                    ++candidates[patternOf(symbol.entries[a], symbol.entries[b])];
            }
        }
        std::optional<Pattern> best;
        std::pair<int, std::int64_t> most{1, 0};
        for (const auto& [pattern, upTo] : candidates) {
            if (upTo < std::max(2, most.first))
                continue;
            int count = 0;
            for (const Symbol& symbol : symbols_)
                count += static_cast<int>(occurrences(symbol.entries, pattern).size());
            const std::int64_t reach = params_.farFirst ? pattern.reach() : -pattern.reach();
            if (count < 2 || (best && std::pair(count, reach) <= most))
                continue;
            best = pattern;
            most = {count, reach};
        }
        return best;
    }

    void share() {
        while (const auto pattern = mostFrequent()) {
            const SymbolId sum(symbols_.size());
            for (Symbol& symbol : symbols_)
                replace(symbol.entries, *pattern, sum);
            const ir::StreamType type = symbols_[pattern->first.symbol.index()].type;
            symbols_.push_back({TermId(), type, 0, {pattern->first, pattern->second}});
        }
    }

    static void replace(std::vector<Entry>& entries, const Pattern& pattern, SymbolId sum) {
        std::vector<bool> gone(entries.size(), false);
        std::vector<Entry> kept;
        for (const auto& [a, b] : occurrences(entries, pattern)) {
            const Entry& x = entries[a];
            const Entry& y = entries[b];
            const Entry plain{x.symbol, pattern.first.distance, pattern.first.shift, false};
            const bool inOrder = x.symbol == pattern.first.symbol &&
                                 x.distance - std::min(x.distance, y.distance) == plain.distance &&
                                 x.shift - std::min(x.shift, y.shift) == plain.shift;
            kept.push_back({sum, std::min(x.distance, y.distance), std::min(x.shift, y.shift),
                            inOrder ? x.negative : y.negative});
            gone[a] = gone[b] = true;
        }
        for (std::size_t k = 0; k < entries.size(); ++k) {
            if (!gone[k])
                kept.push_back(entries[k]);
        }
        entries = std::move(kept);
    }

    TermId copy(TermId id) {
        TermId& known = copies_[id.index()];
        if (known.valid())
            return known;
        const Terms& old = dataflow_.terms;
        const Term& term = old[id];
        Terms& fresh = result_->terms;
        TermId made;
        if (const auto whole = whole_.find(id); whole != whole_.end()) {
            made = scaled(fresh.shifted(build(whole->second.symbol), whole->second.distance),
                          whole->second.shift);
        } else {
            for (const TermId operand : term.operands)
                copy(operand);
            made = copied(fresh, old, id, copies_);
        }
        return copies_[id.index()] = made;
    }

    TermId scaled(TermId term, int shift) {
        Terms& terms = result_->terms;
        if (shift == 0)
            return term;
        const TermId amount = terms.constant(ir::scalarStream(ir::Scalar::U8), shift);
        return terms.apply(StreamOp::Lsl, terms[term].type, {term, amount});
    }

    TermId build(SymbolId id) {
        if (id.index() < built_.size() && built_[id.index()].valid())
            return built_[id.index()];
        const Symbol symbol = symbols_[id.index()];
        const TermId made = symbol.term.valid() ? copy(symbol.term) : tree(symbol);
        return built_[id.index()] = made;
    }

    struct Signed {
        TermId term;
        bool negative;
    };

    /// Nearby elements meet first, in a balanced tree.
    TermId tree(const Symbol& symbol) {
        Terms& terms = result_->terms;
        std::vector<Entry> entries = symbol.entries;
        std::ranges::sort(entries, {}, [](const Entry& e) {
            return std::tuple(e.distance, e.negative, e.symbol, e.shift);
        });
        std::vector<Signed> level;
        for (const Entry& entry : entries)
            level.push_back(
                {scaled(terms.shifted(build(entry.symbol), entry.distance), entry.shift),
                 entry.negative});
        if (symbol.constant != 0)
            level.push_back({terms.constant(symbol.type, wordOf(symbol)), false});
        while (level.size() > 1) {
            std::vector<Signed> next;
            for (std::size_t k = 0; k + 1 < level.size(); k += 2)
                next.push_back(meeting(level[k], level[k + 1], symbol.type));
            if (level.size() % 2 == 1)
                next.push_back(level.back());
            level = std::move(next);
        }
        if (!level[0].negative)
            return level[0].term;
        return terms.apply(StreamOp::Sub, symbol.type,
                           {terms.constant(symbol.type, 0), level[0].term});
    }

    static std::int64_t wordOf(const Symbol& symbol) {
        return ir::wrap(symbol.type.scalar, symbol.constant);
    }

    Signed meeting(const Signed& a, const Signed& b, const ir::StreamType& type) {
        Terms& terms = result_->terms;
        if (a.negative == b.negative)
            return {terms.apply(StreamOp::Add, type, {a.term, b.term}), a.negative};
        const Signed& plus = a.negative ? b : a;
        const Signed& minus = a.negative ? a : b;
        return {terms.apply(StreamOp::Sub, type, {plus.term, minus.term}), false};
    }

    const DataflowGraph& dataflow_;
    const SumParams& params_;
    SumFinder finder_;
    std::vector<Symbol> symbols_;
    std::vector<SymbolId> ofTerm_;
    std::map<std::pair<ir::StreamType, Sum<SymbolId>>, SymbolId> known_;
    std::map<TermId, Placed> whole_;
    std::optional<DataflowGraph> result_;
    std::vector<TermId> copies_;
    std::vector<TermId> built_;
};

} // namespace

DataflowGraph withFewerSums(const DataflowGraph& dataflow, const SumParams& params) {
    return SumWriter(dataflow, params).write();
}

} // namespace marquetry::algebra
