// Expressions: their types, what is folded, and their values against a model of their own.
#include "engine/rtl/write.h"
#include "tests/rtl/rtl_bench.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace marquetry::rtl {
namespace {

using test::lintOf;
using test::PortValues;
using test::simulateRows;
using test::synthesisOf;

TEST(Expr, HasTheWidthOfItsOperands) {
    Module m("m");
    const Expr a = m.input("a", bits(8));
    const Expr b = m.input("b", bits(8));
    const Expr s = m.input("s", signedBits(5));
    EXPECT_EQ((a + b).width(), 8);
    EXPECT_EQ((a == b).width(), 1);
    EXPECT_EQ(join({a, s}).width(), 13);
    EXPECT_FALSE(join({s, s}).isSigned());
    EXPECT_EQ(a.slice(2, 3).width(), 3);
    EXPECT_FALSE(s.slice(0, 4).isSigned());
    EXPECT_TRUE((s + s).isSigned());
    EXPECT_FALSE((s < s).isSigned());
    EXPECT_EQ(product(s, s).type(), signedBits(10));
    EXPECT_EQ(s.extended(9).type(), signedBits(9));
    EXPECT_EQ(a.repeated(3).width(), 24);
    EXPECT_EQ(Expr().width(), 0);
}

TEST(Expr, OfMixedTypesIsRefused) {
    Module m("m");
    const Expr a = m.input("a", bits(8));
    const Expr b = m.input("b", bits(7));
    const Expr s = m.input("s", signedBits(8));
    EXPECT_DEATH((void)(a + b), "one width");
    EXPECT_DEATH((void)(a & b), "one width");
    EXPECT_DEATH((void)(a < s), "one sign");
    EXPECT_DEATH((void)choose(a, a, a), "one bit");
    EXPECT_DEATH((void)choose(a.bit(0), a, b), "one width");
    EXPECT_DEATH((void)product(a, s), "one sign");
    EXPECT_DEATH((void)(a + a).slice(1, 2), "give the expression a name");
    EXPECT_DEATH((void)b.extended(6), "does not narrow");
}

TEST(Expr, FoldsWhatIsKnown) {
    Module m("m");
    const Expr a = m.input("a", bits(4));
    const Expr one = constant(1, 1);
    const Expr zero = constant(0, 1);
    EXPECT_TRUE((a.bit(0) & one).same(a.bit(0)));
    EXPECT_EQ((a.bit(0) & zero).constant(), 0);
    EXPECT_TRUE((zero | a.bit(1)).same(a.bit(1)));
    EXPECT_EQ((one | a.bit(1)).constant(), 1);
    EXPECT_TRUE((a + 0).same(a));
    EXPECT_EQ((constant(9, 4) + 9).constant(), 2);
    EXPECT_TRUE((~~a).same(a));
    EXPECT_EQ((~constant(5, 4)).constant(), 10);
    EXPECT_TRUE(choose(one, a, a + 1).same(a));
    EXPECT_TRUE(a.slice(0, 4).same(a));
    EXPECT_TRUE(a.slice(1, 3).slice(1, 1).same(a.bit(2)));
    EXPECT_TRUE(join({a, constant(3, 2)}).slice(2, 4).same(a));
    EXPECT_TRUE(join({a, constant(3, 2)}).slice(3, 2).same(a.slice(1, 2)));
    EXPECT_EQ(join({constant(2, 2), constant(1, 2)}).constant(), 9);
    EXPECT_TRUE(join({Expr(), a, Expr()}).same(a));
    EXPECT_EQ(Expr().extended(3).constant(), 0);
    EXPECT_EQ(signedConstant(-3, 4).extended(9).constant(), -3);
    EXPECT_EQ(signedConstant(13, 4).constant(), -3);
    EXPECT_EQ(constant(-1, 4).constant(), 15);
}

/// A value of known width and sign, and how to compute it from the inputs.
struct Sample {
    Expr expr;
    std::function<std::uint64_t(const PortValues&)> value; ///< the low bits
    int width() const { return expr.width(); }
};

std::uint64_t mask(int width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::int64_t number(std::uint64_t low, int width, bool isSigned) {
    const bool minus = isSigned && (low >> (width - 1) & 1) != 0;
    return static_cast<std::int64_t>(minus ? low | ~mask(width) : low);
}

/// Random expressions in a module, each next to a function that says what it means.
class Samples {
public:
    explicit Samples(std::uint64_t seed) : random_(seed) {
        for (const auto& [name, width, isSigned] : {std::tuple("a", 1, false),
                                                    {"b", 7, false},
                                                    {"c", 7, true},
                                                    {"d", 12, false},
                                                    {"e", 12, true},
                                                    {"f", 1, true},
                                                    {"g", 20, true}}) {
            const std::string port = name;
            inputs_.push_back({port, width});
            add({module.input(port, {width, isSigned}),
                 [port](const PortValues& row) { return row.at(port); }});
        }
    }

    /// One more, of any that exist.
    void grow() {
        const Sample x = any();
        const int width = x.width();
        switch (random_() % 13) {
        case 8:
            return add({keptApart(x.expr), x.value});
        case 0:
            return add({~x.expr, [=](const auto& row) { return ~x.value(row) & mask(width); }});
        case 1:
            return growShift(x);
        case 2:
            return growSlice(x);
        case 3: {
            const int wider = width + static_cast<int>(random_() % 5);
            const bool isSigned = x.expr.isSigned();
            return add({net(x.expr).extended(wider), [=](const auto& row) {
                            return static_cast<std::uint64_t>(
                                       number(x.value(row), width, isSigned)) &
                                   mask(wider);
                        }});
        }
        case 4:
            return add({x.expr.isSigned() ? x.expr.asUnsigned() : x.expr.asSigned(), x.value});
        case 5: {
            const Sample y = any();
            if (width + y.width() > 40)
                return;
            return add({join({x.expr, y.expr}),
                        [=](const auto& row) { return x.value(row) << y.width() | y.value(row); }});
        }
        case 6:
        case 7:
            return growReduction(x);
        default:
            return growBinary(x);
        }
    }

    PortValues randomRow() {
        PortValues row;
        for (const auto& [name, width] : inputs_)
            row[name] = random_() % 4 == 0 ? mask(width) : random_() & mask(width);
        return row;
    }

    Module module{"sampled"};
    std::vector<Sample> all;

private:
    const Sample& any() { return all[random_() % all.size()]; }

    Expr net(const Expr& e) { return e.node().op == ExprOp::Net ? e : module.wire("n", e); }

    /// Slices need nets: what comes out of an operator gets a name. Some stay inside others.
    void add(Sample sample) {
        const ExprOp op = sample.expr.node().op;
        if (op != ExprOp::Net && (op == ExprOp::Product || random_() % 2 == 0))
            sample.expr = module.wire("w", sample.expr);
        all.push_back(std::move(sample));
    }

    void growSlice(const Sample& x) {
        if (x.expr.node().op != ExprOp::Net)
            return;
        const int low = static_cast<int>(random_()) & 3;
        const int count = x.width() - low;
        if (count < 1)
            return;
        const Sample index = any();
        if (random_() % 2 == 0 && index.width() <= 3 && x.width() >= 8)
            return add({x.expr.at(index.expr),
                        [=](const auto& row) { return x.value(row) >> index.value(row) & 1; }});
        add({x.expr.slice(low, count), [=](const auto& row) { return x.value(row) >> low; }});
    }

    void growShift(const Sample& x) {
        const Sample by = any();
        if (by.width() > 5)
            return;
        const int width = x.width();
        const bool isSigned = x.expr.isSigned();
        if (random_() % 2 == 0)
            return add({x.expr << by.expr, [=](const auto& row) {
                            return x.value(row) << by.value(row) & mask(width);
                        }});
        add({x.expr >> by.expr, [=](const auto& row) {
                 return static_cast<std::uint64_t>(number(x.value(row), width, isSigned) >>
                                                   by.value(row)) &
                        mask(width);
             }});
    }

    /// Another of the same type, made so if need be.
    Sample like(const Sample& x) {
        const Sample y = any();
        const int from = y.width();
        const int to = x.width();
        const bool isSigned = y.expr.isSigned();
        Expr e = net(y.expr).resized(to);
        e = x.expr.isSigned() ? e.asSigned() : e.asUnsigned();
        const auto value = y.value;
        return {e, [=](const auto& row) {
                    return static_cast<std::uint64_t>(number(value(row), from, isSigned)) &
                           mask(to);
                }};
    }

    void growReduction(const Sample& x) {
        const int width = x.width();
        if (random_() % 2 == 0)
            return add({allOf(x.expr), [=](const auto& row) {
                            return std::uint64_t{x.value(row) == mask(width)};
                        }});
        add({anyOf(x.expr), [=](const auto& row) { return std::uint64_t{x.value(row) != 0}; }});
    }

    void growChoice(const Sample& x, const Sample& y) {
        const Sample base = any();
        const Sample c{module.wire("flag", anyOf(base.expr)),
                       [=](const auto& row) { return std::uint64_t{base.value(row) != 0}; }};
        add({choose(c.expr, x.expr, y.expr),
             [=](const auto& row) { return c.value(row) != 0 ? x.value(row) : y.value(row); }});
    }

    template <class Combine>
    void growComparison(const Sample& x, const Sample& y, const Combine& combine) {
        switch (random_() % 5) {
        case 0:
            return combine(x.expr < y.expr, [](auto a, auto b) { return a < b; });
        case 1:
            return combine(x.expr >= y.expr, [](auto a, auto b) { return a >= b; });
        case 2:
            return combine(x.expr == y.expr, [](auto a, auto b) { return a == b; });
        case 3:
            return combine(x.expr != y.expr, [](auto a, auto b) { return a != b; });
        default:
            return combine(x.expr <= y.expr, [](auto a, auto b) { return a <= b; });
        }
    }

    void growBinary(const Sample& x) {
        const Sample y = like(x);
        const int width = x.width();
        const bool isSigned = x.expr.isSigned();
        const auto combine = [&](const Expr& expr, auto compute) {
            add({expr, [=](const auto& row) {
                     const std::int64_t a = number(x.value(row), width, isSigned);
                     const std::int64_t b = number(y.value(row), width, isSigned);
                     return static_cast<std::uint64_t>(compute(a, b)) & mask(expr.width());
                 }});
        };
        switch (random_() % 13) {
        case 0:
            return combine(x.expr + y.expr, [](auto a, auto b) { return a + b; });
        case 1:
            return combine(x.expr - y.expr, [](auto a, auto b) { return a - b; });
        case 2:
            return combine(x.expr * y.expr, [](auto a, auto b) { return a * b; });
        case 3:
            return combine(x.expr & y.expr, [](auto a, auto b) { return a & b; });
        case 4:
            return combine(x.expr | y.expr, [](auto a, auto b) { return a | b; });
        case 5:
            return combine(x.expr ^ y.expr, [](auto a, auto b) { return a ^ b; });
        case 6:
            return growChoice(x, y);
        case 7:
            if (width > 20)
                return;
            return combine(product(x.expr, y.expr), [](auto a, auto b) { return a * b; });
        default:
            return growComparison(x, y, combine);
        }
    }

    std::mt19937_64 random_;
    std::vector<std::pair<std::string, int>> inputs_;
};

TEST(Expr, MeansInVerilogWhatItMeansHere) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Samples samples(seed);
        while (samples.all.size() < 120)
            samples.grow();
        std::vector<PortValues> rows;
        for (int k = 0; k < 60; ++k)
            rows.push_back(samples.randomRow());
        for (std::size_t k = 0; k < samples.all.size(); ++k) {
            const Expr& e = samples.all[k].expr;
            samples.module.assign(samples.module.output("y" + std::to_string(k), bits(e.size())),
                                  e);
        }
        const ModulePtr top = finished(std::move(samples.module));
        const auto seen = test::simulateRows(top, rows);
        ASSERT_EQ(seen.size(), rows.size());
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t k = 0; k < samples.all.size(); ++k)
                ASSERT_EQ(seen[r].at("y" + std::to_string(k)), samples.all[k].value(rows[r]))
                    << "seed " << seed << " y" << k << "\n"
                    << test::textOf(top);
        // Random comparisons may always hold.
        EXPECT_EQ(test::lintOf(top, {"UNSIGNED", "CMPCONST"}), "") << "seed " << seed;
    }
}

TEST(Expr, APartIsTheRunThatAnIndexCounts) {
    Module module("parts");
    const Expr word = module.input("word", bits(24));
    const Expr index = module.input("index", bits(2));
    module.assign(module.output("run", bits(8)), word.part(index, 8));
    module.assign(module.output("next", bits(8)), word.part(index + constant(1, 2), 8));
    module.assign(module.output("second", bits(8)), word.part(constant(1, 2), 8));
    module.assign(module.output("one"), word.part(index, 1));
    const ModulePtr top = finished(std::move(module));
    const auto seen = simulateRows(top, {{{"word", 0x345612}, {"index", 0}},
                                         {{"word", 0x345612}, {"index", 1}},
                                         {{"word", 0x345612}, {"index", 2}},
                                         {{"word", 0x345612}, {"index", 3}}});
    ASSERT_EQ(seen.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) {
        if (k < 3) {
            EXPECT_EQ(seen[k].at("run"), std::uint64_t{0x345612} >> (8 * k) & 0xff);
        }
        if (k != 2) { // the index that follows 3 is 0
            EXPECT_EQ(seen[k].at("next"), std::uint64_t{0x345612} >> (8 * ((k + 1) % 4)) & 0xff);
        }
        EXPECT_EQ(seen[k].at("second"), 0x56U);
        EXPECT_EQ(seen[k].at("one"), std::uint64_t{0x345612} >> k & 1);
    }
    EXPECT_EQ(lintOf(top), "");
    EXPECT_EQ(synthesisOf(top, "ecp5", Vendor::Lattice), "");
}

} // namespace
} // namespace marquetry::rtl
