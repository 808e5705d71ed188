// Broken variants of the examples: the front end answers each with a program or with diagnostics
// that have a place and a message, and never crashes or hangs.
#include "engine/frontend/parser.h"
#include "tests/support/mutator.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace marquetry::frontend {
namespace {

const std::vector<std::string> kExamples = {"running_example",  "lenet5",   "vgg_cifar",
                                            "vgg_cifar_block1", "memories", "lockstep"};
constexpr int kVariantsPerExample = 400;

std::string examplePath(const std::string& name) {
    return test::sourceFolder() + "/examples/" + name + "/" + name + ".mq";
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void expectUseful(const Diagnostics& diagnostics, const std::string& text) {
    for (const Diagnostic& d : diagnostics) {
        ASSERT_TRUE(d.range.known()) << d.message << "\n" << text;
        ASSERT_GT(d.range.column, 0) << d.message << "\n" << text;
        ASSERT_FALSE(d.message.empty()) << text;
        ASSERT_FALSE(d.code.empty()) << text;
        ASSERT_FALSE(d.file.empty()) << text;
    }
}

class Mutation : public ::testing::TestWithParam<std::string> {};

TEST_P(Mutation, EveryVariantIsAnswered) {
    const std::string path = examplePath(GetParam());
    const std::string original = contents(path);
    ASSERT_FALSE(original.empty());
    int rejected = 0;
    for (int seed = 0; seed < kVariantsPerExample; ++seed) {
        const std::string text = test::Mutator(static_cast<std::uint64_t>(seed)).mutate(original);
        const auto parsed = parse(text, path);
        if (parsed) {
            EXPECT_FALSE(parsed->order.empty()) << text;
            expectUseful(parsed->warnings, text);
            continue;
        }
        ++rejected;
        EXPECT_TRUE(hasErrors(parsed.error()));
        expectUseful(parsed.error(), text);
    }
    EXPECT_GT(rejected, kVariantsPerExample / 3);
}

INSTANTIATE_TEST_SUITE_P(Examples, Mutation, ::testing::ValuesIn(kExamples),
                         [](const auto& example) { return example.param; });

} // namespace
} // namespace marquetry::frontend
