#include "engine/lower_design/row.h"

#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <optional>
#include <vector>

namespace marquetry::hdl {

using rtl::bits;
using rtl::Expr;
using rtl::ModulePtr;
using rtl::RamStyle;
using rtl::Size;

namespace {

constexpr int kHalf = 16; ///< bits of each of two products in one word
constexpr int kPackedBits = kHalf + kPairedBits + 1;

Expr factor(const Expr& word, const Size& lane, int width, bool isSigned) {
    const Expr element = word.slice(lane * width, width);
    return isSigned ? element.asSigned() : rtl::join({rtl::constant(0, 1), element}).asSigned();
}

/// Plain words, though they are signed: of a sum of signed products yosys synth_ice40 -dsp makes
/// one block with two multipliers and mistakes their registers for each other.
Expr summand(const Expr& word, int width) {
    return word.extended(width).asUnsigned();
}

/// The sum of `count` words of an array, a level of registers after the other. Each is one bit
/// wider, 32 bits at most; of an odd number of them the last one goes on alone. `row`: in front of
/// the names.
Expr adderTree(rtl::Module& m, const Expr& clock, const std::string& row, rtl::Memory words,
               int count) {
    int width = static_cast<int>(words.net()->type.width.value());
    std::optional<Expr> alone;
    for (int level = 2; count + (alone ? 1 : 0) > 1; ++level) {
        width = std::min(32, width + 1);
        const auto at = [&](const Size& i) { return summand(words[rtl::number(i)], width); };
        std::optional<Expr> rest = alone ? std::optional(summand(*alone, width)) : std::nullopt;
        if (count % 2 != 0)
            rest = rest ? at(count - 1) + *rest : at(count - 1);
        if (rest) {
            alone = m.reg(cat(row, "rest_", level), rtl::signedBits(width));
            m.clocked(clock, [&](rtl::Block& b) { b.set(*alone, *rest); });
        }
        count /= 2;
        if (count == 0)
            break;
        const rtl::Memory sums =
            m.memory(cat(row, "sums_", level), rtl::signedBits(width), count, RamStyle::Registers);
        m.repeat(cat(row, "level_", level), count, [&](const Size& i) {
            const Expr sum = at(Size(2) * i) + at(Size(2) * i + 1);
            m.clocked(clock, [&](rtl::Block& b) { b.set(sums[rtl::number(i)], sum); });
        });
        words = sums;
    }
    return count == 0 ? *alone : words[rtl::constant(0, 32)];
}

/// A multiplier's product, two clocks after the weight came and one after its operand.
Expr multiplier(rtl::Module& m, const Expr& clock, const RowForm& f, const Expr& operand,
                const Expr& weight, const std::string& ending) {
    const Expr a = m.wire("a" + ending, operand);
    const Expr b = m.reg("b" + ending, rtl::signedBits(f.weight()));
    const Expr full = m.wire("full" + ending, product(a, b));
    const Expr kept =
        m.regKeptIf("KEEP_PRODUCT_REGISTERS", "product" + ending, rtl::signedBits(f.product()));
    m.clocked(clock, [&](rtl::Block& block) {
        block.set(b, weight);
        block.set(kept, full.resized(f.product()));
    });
    return kept;
}

bool unsignedFactors(const RowForm& f) {
    return !f.operandSigned && !f.weightSigned;
}

/// Signed, as all products are.
int pairedProduct(const RowForm& f) {
    return f.operandBits + f.weightBits + (unsignedFactors(f) ? 1 : 0);
}

/// The products of a word with both, each in its half. The constant inverts the lower one's bit 15.
std::vector<Expr> halves(rtl::Module& m, const RowForm& f, const Expr& word,
                         const std::string& ending) {
    const bool plain = unsignedFactors(f);
    const int width = f.operandBits + f.weightBits;
    const Expr apart =
        m.wire("apart" + ending, plain ? word : word + (std::int64_t{1} << (kHalf - 1)));
    Expr low = apart.slice(0, width);
    if (!plain && width == kHalf)
        low = rtl::join({~apart.bit(kHalf - 1), apart.slice(0, kHalf - 1)});
    const auto half = [&](const std::string& name, const Expr& bitsOf) {
        const Expr value = plain ? rtl::join({rtl::constant(0, 1), bitsOf}) : bitsOf;
        return m.wire(name + ending, value.asSigned());
    };
    return {half("of_0", low), half("of_1", apart.slice(kHalf, width))};
}

/// The products of two rows, with the weights of both and the lower row's first.
std::vector<Expr> sharedMultiplier(rtl::Module& m, const Expr& clock, const RowForm& f,
                                   const Expr& operand, const std::vector<Expr>& weights,
                                   const std::string& ending) {
    const Expr a = m.wire("a" + ending, operand);
    const Expr low = m.reg("low" + ending, rtl::signedBits(f.weight()));
    const Expr high = m.reg("high" + ending, rtl::signedBits(f.weight()));
    const Expr upper = rtl::join({high, rtl::zeros(kHalf)}).asSigned();
    const Expr packed =
        m.wire("packed" + ending, upper.extended(kPackedBits) + low.extended(kPackedBits));
    const Expr full = m.wire("full" + ending, product(packed, a));
    const Expr kept = m.reg("product" + ending, bits(2 * kHalf));
    m.clocked(clock, [&](rtl::Block& block) {
        block.set(low, weights[0]);
        block.set(high, weights[1]);
        block.set(kept, full.resized(2 * kHalf).asUnsigned());
    });
    return halves(m, f, kept, ending);
}

/// For each row the sum of the products that `lane` makes of them, registered behind each level of
/// adders. `rows`: what their names begin with.
template <class Lane>
std::vector<Expr> sumsOfLanes(rtl::Module& m, const Expr& clock, const RowForm& f,
                              const std::vector<std::string>& rows, int productBits,
                              const Lane& lane) {
    if (f.lanes == 1)
        return lane(0, "");
    const int wider = std::min(32, productBits + 1);
    std::vector<rtl::Memory> sums;
    for (const std::string& row : rows)
        sums.push_back(
            m.memory(row + "sums_1", rtl::signedBits(wider), f.lanes / 2, RamStyle::Registers));
    m.repeat("pair", f.lanes / 2, [&](const Size& i) {
        const std::vector<Expr> low = lane(Size(2) * i, "_0");
        const std::vector<Expr> high = lane(Size(2) * i + 1, "_1");
        m.clocked(clock, [&](rtl::Block& b) {
            for (std::size_t r = 0; r < rows.size(); ++r)
                b.set(sums[r][rtl::number(i)], summand(low[r], wider) + summand(high[r], wider));
        });
    });
    std::vector<Expr> all;
    for (std::size_t r = 0; r < rows.size(); ++r)
        all.push_back(adderTree(m, clock, rows[r], sums[r], f.lanes / 2));
    return all;
}

struct RowPorts {
    Expr clock, accumulate, first, operand, weight;
};

RowPorts rowPorts(rtl::Module& m, const RowForm& f, int rows) {
    RowPorts ports;
    ports.clock = m.input("aclk");
    ports.accumulate = m.input("accumulate");
    ports.first = m.input("first");
    ports.operand = m.input("operand", bits(f.lanes * f.operandBits));
    ports.weight = m.input("weight", bits(rows * f.lanes * f.weightBits));
    return ports;
}

void accumulator(rtl::Module& m, const RowPorts& ports, const Expr& sum, const Expr& total) {
    m.clocked(ports.clock, [&](rtl::Block& b) {
        b.when(ports.accumulate,
               [&](rtl::Block& then) { then.set(sum, choose(ports.first, total, sum + total)); });
    });
}

} // namespace

ModulePtr rowModule(const std::string& name, const RowForm& f) {
    rtl::Module m(name);
    m.comment(f.lanes == 1 ? std::string("Lane: a multiplier and its accumulator, modulo 2^32.")
                           : cat("Row of multipliers: Dot[", f.lanes,
                                 "] and its accumulator, modulo 2^32."));
    m.comment("Cycles: one word per clock; a weight meets its operand one clock after it came.");
    m.comment(cat("Resources: ", f.lanes, " multipliers of ", f.operand(), " x ", f.weight(),
                  " bits, no RAM."));
    m.comment("KEEP_PRODUCT_REGISTERS is for targets whose DSP inference mistakes the tree's");
    m.comment("registers for the multipliers' own (Yosys synth_ice40 -dsp).");
    const RowPorts in = rowPorts(m, f, 1);
    const Expr sum = m.outputRegister("sum", bits(32));
    m.lint("lint_off UNUSEDSIGNAL");
    const auto lane = [&](const Size& i, const std::string& ending) {
        return std::vector{multiplier(m, in.clock, f,
                                      factor(in.operand, i, f.operandBits, f.operandSigned),
                                      factor(in.weight, i, f.weightBits, f.weightSigned), ending)};
    };
    const Expr all = sumsOfLanes(m, in.clock, f, {""}, f.product(), lane).front();
    m.lint("lint_on UNUSEDSIGNAL");
    accumulator(m, in, sum, m.wire("total", all.extended(32).asUnsigned()));
    return finished(std::move(m));
}

ModulePtr pairedRowsModule(const std::string& name, const RowForm& f) {
    rtl::Module m(name);
    m.comment(cat("Two rows on one row of multipliers: twice Dot[", f.lanes,
                  "] and its accumulator, modulo 2^32."));
    m.comment("Cycles: one word per clock; a weight meets its operand one clock after it came.");
    m.comment(cat("Resources: ", f.lanes, " multipliers of ", f.operand(), " x ", kPackedBits,
                  " bits, no RAM."));
    m.comment("Each multiplies its operand by high * 2^16 + low; the constant behind it keeps the");
    m.comment("lower product's sign out of the upper one.");
    const RowPorts in = rowPorts(m, f, 2);
    const std::vector<Expr> sums = {m.outputRegister("sum_0", bits(32)),
                                    m.outputRegister("sum_1", bits(32))};
    m.lint("lint_off UNUSEDSIGNAL");
    const auto lane = [&](const Size& i, const std::string& ending) {
        const auto weight = [&](const Size& at) {
            return factor(in.weight, at, f.weightBits, f.weightSigned);
        };
        return sharedMultiplier(m, in.clock, f,
                                factor(in.operand, i, f.operandBits, f.operandSigned),
                                {weight(i), weight(i + f.lanes)}, ending);
    };
    const std::vector<Expr> all =
        sumsOfLanes(m, in.clock, f, {"low_", "high_"}, pairedProduct(f), lane);
    m.lint("lint_on UNUSEDSIGNAL");
    for (std::size_t r = 0; r < sums.size(); ++r)
        accumulator(m, in, sums[r], m.wire(cat("total_", r), all[r].extended(32).asUnsigned()));
    return finished(std::move(m));
}

} // namespace marquetry::hdl
