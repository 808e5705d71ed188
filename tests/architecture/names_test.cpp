#include "tests/architecture/name_rules.h"
#include "tests/architecture/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::architecture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string hidden(const std::string& text) {
    return "namespace marquetry::ir {\nnamespace {\n" + text + "\n}\n}\n";
}

TEST(NamesOfAFolder, StandForOneThing) {
    const Files files = sources({"engine", "widgets", "app", "tests"});
    EXPECT_GT(files.size(), 500U);
    EXPECT_THAT(sharedNames(files), IsEmpty());
}

TEST(NamesOfAFolder, OfEveryKindAreFound) {
    for (const char* const text :
         {"int a(int b) { return b; }", "class a {};", "struct a final : b<c> { int d; };",
          "enum class a { B };", "constexpr int a = 1;", "const std::map<int, int> a = {{1, 2}};",
          "using a = int;", "template <class T>\nT a(T b) {\n    return b;\n}",
          "[[nodiscard]] std::vector<int> a();", "int a[3];", "static int a{3};"})
        EXPECT_THAT(sharedNames({{"engine/ir/a.cpp", hidden(text)},
                                 {"engine/ir/b.cpp", hidden("double a(double);")}}),
                    testing::SizeIs(1))
            << text;
}

TEST(NamesOfAFolder, AreThoseOfItsHeadersToo) {
    EXPECT_THAT(sharedNames({{"engine/ir/a.cpp", hidden("int a() { return 1; }")},
                             {"engine/ir/b.h", "namespace marquetry::ir { int a(int); }"}}),
                ElementsAre("engine/ir: a: engine/ir/a.cpp, engine/ir/b.h"));
    EXPECT_THAT(sharedNames({{"engine/ir/a.cpp", hidden("int a() { return 1; }")},
                             {"engine/support/b.h", "namespace marquetry { int a(int); }"}}),
                ElementsAre("engine/ir: a: engine/ir/a.cpp, engine/support/b.h"));
}

TEST(NamesOfAFolder, MayBeAnotherFoldersOrEqual) {
    const std::string a = hidden("int a() { return 1; }");
    EXPECT_THAT(sharedNames({{"engine/ir/a.cpp", a}, {"engine/egraph/b.cpp", a}}), IsEmpty());
    const std::string alias = hidden("using a = int;");
    EXPECT_THAT(sharedNames({{"engine/ir/a.cpp", alias}, {"engine/ir/b.cpp", alias}}), IsEmpty());
    EXPECT_THAT(sharedNames({{"engine/ir/a.cpp", a},
                             {"engine/ir/b.cpp", hidden("class B { int a() { return 1; } };")},
                             {"engine/ir/c.cpp", "int C::a() { int a = 1; return a; }"},
                             {"engine/support/d.h", "namespace marquetry::d { int a(); }"}}),
                IsEmpty());
}

TEST(NamesOfTypes, StandForOneThing) {
    const Files files = sources({"engine", "widgets", "app"});
    EXPECT_GT(files.size(), 500U);
    EXPECT_THAT(sharedTypes(files), IsEmpty());
}

TEST(NamesOfTypes, OfEveryKindAreFound) {
    const std::string other = "namespace marquetry::egraph { struct A {}; }";
    for (const char* const text :
         {"class A {};", "struct A final : B<C> { int d; };", "enum class A : std::uint8_t { B };",
          "using A = int;", "template <class T>\nclass A { T t; };"})
        EXPECT_THAT(
            sharedTypes({{"engine/ir/a.h", std::string("namespace marquetry::ir { ") + text + "}"},
                         {"engine/egraph/b.h", other}}),
            ElementsAre("A: engine/egraph/b.h, engine/ir/a.h"))
            << text;
}

TEST(NamesOfTypes, MayBeForwardNestedHiddenOrOfOneFolder) {
    const std::string a = "namespace marquetry::ir { struct A {}; }";
    for (const char* const text :
         {"struct A;", "enum class A : int;", "class B { struct A {}; };", "using ir::A;"})
        EXPECT_THAT(sharedTypes({{"engine/ir/a.h", a}, {"engine/egraph/b.h", text}}), IsEmpty())
            << text;
    EXPECT_THAT(sharedTypes({{"engine/ir/a.h", a}, {"engine/ir/b.h", a}}), IsEmpty());
    EXPECT_THAT(sharedTypes({{"widgets/a/a.h", a}, {"widgets/b/b.h", a}}), IsEmpty());
    EXPECT_THAT(sharedTypes({{"engine/ir/a.h", a}, {"engine/egraph/b.cpp", a}}), IsEmpty());
}

} // namespace
} // namespace marquetry::architecture
