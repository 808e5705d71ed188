// Sizes: polynomials in one form.
#include "engine/rtl/module.h"

#include <gtest/gtest.h>

namespace marquetry::rtl {
namespace {

std::string sizeText(const Size& size) {
    return size.text([](const SizeVariable& variable) { return variable.wanted; });
}

TEST(Size, OfNumbersIsANumber) {
    const Size six = Size(2) * Size(5) - Size(4);
    EXPECT_TRUE(six.known());
    EXPECT_EQ(six.value(), 6);
    EXPECT_EQ(sizeText(six), "6");
    EXPECT_EQ(sizeText(six - 6), "0");
    EXPECT_EQ(sizeText(six - 7), "-1");
}

TEST(Size, IsTheSameHoweverItIsWritten) {
    Module m("m");
    const Size w = m.parameter("W", 8);
    const Size n = m.parameter("N", 4);
    EXPECT_EQ((n + 1) * (n - 1), n * n - 1);
    EXPECT_EQ(w + w, Size(2) * w);
    EXPECT_EQ(w - w, Size(0));
    EXPECT_FALSE(w == n);
    EXPECT_FALSE((w * n).known());
    EXPECT_EQ(sizeText((n + 1) * w), "W*N + W");
    EXPECT_EQ(sizeText(Size(2) * w - 1), "2*W - 1");
    EXPECT_EQ(sizeText(Size(1) - w), "1 - W");
}

TEST(Size, TakesValuesForVariables) {
    Module m("m");
    const Size w = m.parameter("W", 8);
    const Size n = m.parameter("N", 4);
    const Size size = w * n - 1;
    EXPECT_EQ(size.with({}).value(), 31);
    EXPECT_EQ(size.with({{n.variables()[0].get(), 10}}).value(), 79);
    Module outer("outer");
    const Size v = outer.parameter("V", 3);
    EXPECT_EQ(size.with({{w.variables()[0].get(), v}, {n.variables()[0].get(), v + 1}}),
              v * v + v - 1);
}

TEST(Size, OfALoopHasNoValue) {
    Module m("m");
    const Expr x = m.input("x", bits(8));
    const Expr y = m.output("y", bits(8));
    m.repeat("each", 8, [&](const Size& i) {
        EXPECT_FALSE(i.with({}).known());
        m.assign(y.bit(i), x.bit(Size(7) - i));
    });
    EXPECT_DEATH((void)m.parameter("W", 1).value(), "depends on a parameter");
}

} // namespace
} // namespace marquetry::rtl
