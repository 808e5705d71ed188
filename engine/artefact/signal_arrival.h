// When the signals of a module without loops arrive: the longest path to each from the registers,
// memories and ports that it starts at. Internal to memory_paths.h, which says how signals are
// mapped. Thread rule: one owner.
#pragma once

#include "engine/cost/clock_estimate.h"
#include "engine/rtl/module.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace marquetry::hdl {

class SignalArrival {
public:
    /// `lutInputs`: of the family.
    SignalArrival(const rtl::Module& module, std::string family, int lutInputs);

    /// The latest bit.
    cost::ClockPath at(const rtl::Expr& word) { return valueOf(word).mapped; }
    /// A function of all bits of words, which a step of logic makes of them.
    cost::ClockPath through(const std::vector<rtl::Expr>& words);

    /// What instances give starts here.
    void startAt(const rtl::Expr& output, cost::PathStart start);

private:
    /// An input of a LUT: a bit of a net, or what is computed inside an expression. Bit −1 is
    /// each bit's own.
    struct Leaf {
        const void* of = nullptr;
        std::int64_t bit = 0;
        auto operator<=>(const Leaf&) const = default;
    };
    using Leaves = std::set<Leaf>;
    struct Value {
        Leaves leaves;          ///< that a bit is a function of
        cost::ClockPath mapped; ///< when it is there
    };

    Value valueOf(const rtl::Expr& word);
    const Value& valueOf(const rtl::NetPtr& net);
    Value logicOf(const rtl::Expr& word);
    Value sumOf(const rtl::Expr& word);
    Value joined(const rtl::Expr& word);
    Leaves leavesOf(const rtl::Expr& word, bool inside, bool allBits);
    Leaves leafOf(const rtl::Expr& word, std::int64_t low, bool inside, bool allBits);
    bool isChain(const rtl::Expr& word) const;
    cost::ClockPath mapped(const Leaves& leaves);
    bool isLater(const cost::ClockPath& a, const cost::ClockPath& b) const;

    std::string family_;
    std::size_t lutInputs_;
    std::map<const rtl::Net*, rtl::Expr> drivers_;
    std::map<const rtl::Net*, Value> values_;
    std::map<const void*, cost::ClockPath> arrivals_; ///< of nets and of sums in expressions
};

} // namespace marquetry::hdl
