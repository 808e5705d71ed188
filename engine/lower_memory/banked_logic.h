// Words for the address logic of banked memories: tables, and arithmetic with constants that needs
// no divider and no multiplier.
//
// Tables of more than six inputs are multiplexers of smaller ones. Equal tables are written once.
// Widths: a word of no bits is the constant 0. Thread rule: one owner.
#pragma once

#include "engine/banking/hardware_plan.h"
#include "engine/banking/truth_table.h"
#include "engine/rtl/module.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

using banking::selectBits;
using rtl::Expr;

class Logic {
public:
    explicit Logic(rtl::Module& module) : module_(module) {}

    rtl::Module& module() { return module_; }
    /// What the wires from here on are for: they are named after it.
    void serve(std::string what) { purpose_ = std::move(what); }

    /// As a net: what is none gets a wire. Constants stay what they are.
    Expr named(const Expr& value);
    /// The low bits, or extended.
    Expr fit(const Expr& value, int width);
    Expr bitsOf(const Expr& value, int low, int count);

    /// rows[input] truncated to `width`; kAny and rows past the end: whatever is smallest.
    static constexpr std::int64_t kAny = banking::kAnyValue;
    Expr table(const Expr& input, const std::vector<std::int64_t>& rows, int width);

    Expr add(const Expr& a, const Expr& b, int width);
    /// a · factor modulo 2^width by shifts and additions.
    Expr times(const Expr& a, std::int64_t factor, int width);

    struct Reduced {
        Expr value;
        Expr carry; ///< one bit: the modulus was subtracted
    };
    /// a + b for a, b < modulus.
    Reduced addModulo(const Expr& a, const Expr& b, std::int64_t modulus);

    struct Division {
        Expr quotient;
        Expr remainder;
    };
    /// By a constant, for a < bound.
    Division divide(const Expr& a, std::int64_t divisor, std::int64_t bound);

    /// inputs[select]; those that are missing are never selected. One of them is not.
    Expr select(const Expr& select, const std::vector<std::optional<Expr>>& inputs);

private:
    Expr tableBit(const Expr& input, banking::TruthTable output);
    Expr tableMultiplexer(const Expr& input, const banking::TruthTable& output);
    Division divideByTables(const Expr& a, std::int64_t divisor, int quotientBits);
    std::optional<Expr> chosen(const Expr& select, int bit,
                               const std::vector<std::optional<Expr>>& inputs) const;

    rtl::Module& module_;
    std::string purpose_ = "s";
    /// By the number of their values and these: indices and what they look up.
    std::map<std::pair<int, std::uint64_t>, std::vector<std::pair<Expr, Expr>>> tables_;
};

} // namespace marquetry::hdl
