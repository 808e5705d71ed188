// Words for the address logic of banked memories: unsigned signals, tables, and arithmetic with
// constants that needs no divider and no multiplier.
//
// Tables of more than six inputs are multiplexers of smaller ones. Equal tables are written once.
// Widths: a signal of width 0 is the constant 0 and has no text. Thread rule: one owner.
#pragma once

#include "engine/banking/hardware_plan.h"
#include "engine/banking/truth_table.h"
#include "engine/hdl/netlist.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace marquetry::hdl {

using banking::selectBits;

/// An unsigned signal or literal; `text` is an identifier, an identifier's bits or a literal.
struct Signal {
    std::string text;
    int width = 0;

    bool constant() const { return width == 0 || value >= 0; }
    std::int64_t value = -1; ///< of a constant
};

class Logic {
public:
    Logic(Body& body, std::string prefix) : body_(body), prefix_(std::move(prefix)) {}

    Body& body() { return body_; }

    static Signal constant(std::int64_t value, int width);
    /// A new wire with this value; `expression` has exactly `width` bits.
    Signal wire(int width, const std::string& expression);
    /// The low bits, or zero-extended.
    Signal fit(const Signal& signal, int width);
    Signal concat(const std::vector<Signal>& highFirst);

    /// rows[input] truncated to `width`; kAny and rows past the end: whatever is smallest.
    static constexpr std::int64_t kAny = banking::kAnyValue;
    Signal table(const Signal& input, const std::vector<std::int64_t>& rows, int width);

    Signal add(const Signal& a, const Signal& b, int width);
    /// a · factor modulo 2^width by shifts and additions.
    Signal times(const Signal& a, std::int64_t factor, int width);

    struct Reduced {
        Signal value;
        Signal carry; ///< one bit: the modulus was subtracted
    };
    /// a + b for a, b < modulus.
    Reduced addModulo(const Signal& a, const Signal& b, std::int64_t modulus);

    struct Division {
        Signal quotient;
        Signal remainder;
    };
    /// By a constant, for a < bound.
    Division divide(const Signal& a, std::int64_t divisor, std::int64_t bound);

    /// inputs[select]; empty inputs are never selected. All inputs have `width` bits.
    Signal select(const Signal& select, const std::vector<std::string>& inputs, int width);

private:
    std::string fresh();
    Signal tableBit(const Signal& input, banking::TruthTable output);
    std::string selectText(const std::string& select, int bit,
                           const std::vector<std::string>& inputs) const;

    Body& body_;
    std::string prefix_;
    int next_ = 0;
    std::map<std::pair<std::string, std::string>, Signal> tables_;
};

} // namespace marquetry::hdl
