// Names: nothing in a netlist can bear the name of something else.
#include "engine/rtl/reserved_words.h"
#include "engine/rtl/write.h"
#include "tests/rtl/rtl_bench.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry::rtl {
namespace {

std::string withNumber(std::string_view word) {
    std::string text(word);
    for (char& c : text)
        c = c == '#' ? '7' : c;
    return text;
}

std::string upper(std::string text) {
    for (char& c : text)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

std::vector<std::string> everyWord() {
    std::vector<std::string> words = {"a__b", "a_b", "A_B", "a b", "9", "", "_", "\xc3\xa9", "x"};
    for (const ReservedWord& word : reservedWords())
        words.push_back(withNumber(word.word));
    return words;
}

/// A module in which each kind of thing wants each of the words, in both cases of letters.
ModulePtr crowded(const std::vector<std::string>& words) {
    Module leaf(words.front());
    leaf.assign(leaf.output("q"), leaf.input("d"));
    const ModulePtr inner = finished(std::move(leaf));
    Module m("x");
    const Expr d = m.input("d");
    for (const std::string& word : words) {
        const Expr wire = m.wire(word, d);
        const Expr other = m.wire(upper(word), bits(1));
        m.instance(inner, word, {{"d", wire}, {"q", other}});
        m.repeat(word, 1, [&](const Size& i) { m.wire(word, d.bit(i)); });
        (void)m.input(word);
        m.assign(m.output(word), other);
        (void)m.parameter(word, 1);
    }
    return finished(std::move(m));
}

/// Everything that is declared in a module.
std::vector<const Named*> declared(const Module& module) {
    std::vector<const Named*> all;
    for (const NetPtr& port : module.ports())
        all.push_back(port.get());
    for (const VariablePtr& parameter : module.parameters())
        all.push_back(parameter.get());
    const std::function<void(const std::vector<Item>&)> visit = [&](const auto& items) {
        for (const Item& item : items) {
            if (const auto* declaration = std::get_if<Declaration>(&item.is))
                all.push_back(declaration->net.get());
            if (const auto* instance = std::get_if<Instance>(&item.is))
                all.push_back(instance->name.get());
            if (const auto* loop = std::get_if<GenerateLoop>(&item.is)) {
                all.push_back(loop->name.get());
                all.push_back(loop->variable.get());
                visit(loop->items);
            }
        }
    };
    visit(module.items());
    return all;
}

TEST(Names, AreApartAndFreeWhateverIsWanted) {
    const std::vector<std::string> words = everyWord();
    ASSERT_GT(words.size(), 500U);
    const ModulePtr top = crowded(words);
    const Names names(top, {"bench"});
    std::set<std::string> modules = {"bench"};
    for (const ModulePtr& module : names.modules()) {
        EXPECT_TRUE(modules.insert(lowerCase(names.of(*module))).second);
        EXPECT_FALSE(isReserved(names.of(*module), kNoModule)) << names.of(*module);
    }
    for (const ModulePtr& module : names.modules()) {
        std::set<std::string> here;
        for (const Named* thing : declared(*module)) {
            const std::string& name = names.of(*thing);
            EXPECT_TRUE(here.insert(lowerCase(name)).second) << name;
            EXPECT_FALSE(modules.contains(lowerCase(name))) << name;
            EXPECT_FALSE(isReserved(name, kNoSignal)) << name;
            EXPECT_EQ(name.find("__"), std::string::npos) << name;
            EXPECT_NE(name.back(), '_') << name;
        }
        EXPECT_GT(here.size(), 1U);
    }
}

TEST(Names, AreTakenByEveryTool) {
    const std::vector<std::string> all = everyWord();
    std::vector<std::string> some(all.begin(), all.begin() + 12);
    for (std::size_t k = 12; k < all.size(); k += 9)
        some.push_back(all[k]);
    const ModulePtr top = crowded(some);
    EXPECT_EQ(test::lintOf(top), "");
    EXPECT_EQ(test::synthesisOf(top, "ice40", Vendor::Lattice), "");
    const auto seen = test::simulateRows(top, {{{"d", 1}}, {{"d", 0}}});
    ASSERT_EQ(seen.size(), 2U);
    for (const auto& [port, value] : seen[0])
        EXPECT_EQ(value, 1U) << port;
}

TEST(Names, OfTheTopAndItsPortsComeFirst) {
    Module leaf("top");
    leaf.assign(leaf.output("q"), leaf.input("side"));
    const ModulePtr inner = finished(std::move(leaf));
    Module other("SIDE");
    other.assign(other.output("q"), other.input("top"));
    const ModulePtr second = finished(std::move(other));
    Module m("top");
    const Expr w = m.wire("top", m.input("side"));
    m.instance(inner, "side", {{"side", w}, {"q", m.output("q")}});
    m.instance(second, "top", {{"top", w}, {"q", m.output("Q")}});
    const ModulePtr top = finished(std::move(m));
    const Names names(top);
    EXPECT_EQ(names.of(*top), "top");
    EXPECT_EQ(names.of(*top->port("side")), "side");
    EXPECT_EQ(names.of(*inner), "top_2");
    EXPECT_EQ(names.of(*second), "SIDE_2");
    EXPECT_EQ(names.of(*inner->port("side")), "side");
    EXPECT_EQ(names.of(*second->port("top")), "top_3");
    const std::string text = test::textOf(top);
    EXPECT_NE(text.find("top_2 side_3 ("), std::string::npos) << text;
    EXPECT_NE(text.find("wire top_3 = side;"), std::string::npos) << text;
    EXPECT_NE(text.find("SIDE_2 top_4 ("), std::string::npos) << text;
    EXPECT_EQ(test::lintOf(top), "");
}

} // namespace
} // namespace marquetry::rtl
