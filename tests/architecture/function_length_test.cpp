#include "tests/architecture/declarations.h"
#include "tests/architecture/long_functions.h"
#include "tests/architecture/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace marquetry::architecture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kMostLines = 40;

/// {"path: name", lines} of each function of more lines.
std::vector<LongFunction> longerThan(int most, const Files& files) {
    std::vector<LongFunction> found;
    for (const auto& [path, source] : files)
        for (const Declaration& function : declarationsOf(source))
            if (function.body && function.lines > most)
                found.push_back({path + ": " + function.name, function.lines});
    return found;
}

/// What breaks the rule, and what the table need not hold any more.
std::vector<std::string> breaches(const std::vector<LongFunction>& found,
                                  const std::vector<LongFunction>& table) {
    std::map<std::string, int> allowed;
    for (const LongFunction& function : table)
        allowed[function.name] = function.lines;
    std::vector<std::string> said;
    for (const LongFunction& function : found) {
        const auto entry = allowed.find(function.name);
        const int most = entry == allowed.end() ? kMostLines : entry->second;
        if (function.lines > most)
            said.push_back(function.name + " has " + std::to_string(function.lines) +
                           " lines, more than " + std::to_string(most));
        if (entry != allowed.end())
            allowed.erase(entry);
    }
    for (const auto& [name, lines] : allowed)
        said.push_back(name + " is no longer long: take it out of long_functions.h");
    return said;
}

TEST(FunctionLength, IsTheLimitOrThatOfTheTable) {
    EXPECT_THAT(breaches(longerThan(kMostLines, sources({"engine", "widgets", "app", "tests"})),
                         kLongFunctions),
                IsEmpty());
}

TEST(FunctionLength, TheTableOnlyShrinks) {
    const std::vector<LongFunction> table = {{"a.cpp: f", 50}};
    EXPECT_THAT(breaches({{"a.cpp: f", 50}}, table), IsEmpty());
    EXPECT_THAT(breaches({{"a.cpp: f", 44}}, table), IsEmpty());
    EXPECT_THAT(breaches({{"a.cpp: f", 51}}, table),
                ElementsAre("a.cpp: f has 51 lines, more than 50"));
    EXPECT_THAT(breaches({{"a.cpp: f", 50}, {"a.cpp: g", 41}}, table),
                ElementsAre("a.cpp: g has 41 lines, more than 40"));
    EXPECT_THAT(breaches({}, table),
                ElementsAre("a.cpp: f is no longer long: take it out of long_functions.h"));
}

TEST(FunctionLength, LongFunctionsAreFound) {
    const std::string body = "{\n    one();\n    two();\n}\n";
    for (const std::string head :
         {"int f()", "template <class T>\nT f(const std::vector<T>& a)", "A::f() : a_{1}, b_(2)",
          "class A {\npublic:\n    int f() const noexcept override", "auto f(int a = 0) -> int",
          "namespace a {\nvoid f(std::function<void(int)> b)", "int f(int a[], B b = {})"})
        EXPECT_EQ(longerThan(3, {{"a.cpp", "// 1\n\n" + head + body}}).size(), 1U) << head;
    EXPECT_THAT(longerThan(3, {{"a.cpp", "TEST(A, B)" + body}}),
                ElementsAre(LongFunction{"a.cpp: TEST(A, B)", 4}));
    EXPECT_THAT(longerThan(4, {{"a.cpp", "int f()" + body}}), IsEmpty());
}

TEST(FunctionLength, OfValuesAndTypesIsNotCounted) {
    for (const char* const text :
         {"const int a[] = {\n1,\n2,\n3,\n4};", "class A {\nint a;\nint b;\nint c;\n};",
          "enum class A {\nB,\nC,\nD,\nE };", "const A a{\n1,\n2,\n3,\n4};",
          "const char* const a = R\"(\nint f() {\n\n\n\n})\";", "#define A() { \\\n\\\n\\\n\\\n}"})
        EXPECT_THAT(longerThan(3, {{"a.cpp", text}}), IsEmpty()) << text;
}

} // namespace
} // namespace marquetry::architecture
