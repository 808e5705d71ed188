// docs/rules.md has one line for every rewrite the catalogue can make, and is up to date.
#include "tests/support/places.h"
#include "tests/support/programs.h"

#include "engine/rules/lanes.h"
#include "engine/rules/rule_texts.h"
#include "tests/rules/rule_docs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace marquetry {

using rules::Policy;

namespace {

std::size_t callsWithout(std::vector<std::string> groups) {
    rules::LoweringParams params;
    params.without = std::move(groups);
    return rules::lower(test::programOf("design d { input x : i8[8] = zeros; weight w : i8[8, 8]"
                                        " = zeros; output y = relu(mv(w, x)); }"),
                        params)
        ->calls.size();
}

std::size_t groupsWithout(std::vector<std::string> groups) {
    rules::LoweringParams params;
    params.without = std::move(groups);
    const auto program = test::programOf("design d { input x : i8[4, 4, 8] = zeros; weight w : "
                                         "i8[8, 3, 3] = zeros; output y = dwconv(x, w); }");
    return rules::offeredGroups(*program, params).size();
}

} // namespace

TEST(RulesPage, HasOneLinePerRule) {
    std::map<std::string, rules::RuleText> docs;
    for (const rules::RuleText& doc : rules::ruleTexts()) {
        EXPECT_TRUE(docs.emplace(doc.name, doc).second) << doc.name << " twice";
        EXPECT_NE(doc.equation.find(" = "), std::string::npos) << doc.name;
        EXPECT_FALSE(doc.condition.empty()) << doc.name;
        EXPECT_FALSE(doc.source.empty()) << doc.name;
    }
    std::map<std::string, std::string> made; // name → group
    for (Policy policy : {Policy::Published, Policy::Cycles, Policy::Toy}) {
        rules::LoweringParams params;
        params.policy = policy;
        params.overlap = true;
        params.streams = true;
        const auto lowered = rules::lower(
            test::programOf("design d { input x : i8[8] = zeros; weight w : i8[8, 8] = zeros;"
                            " input i : i8[4, 4, 2] = zeros; weight k : i8[2, 3, 3, 2] = zeros;"
                            " output c = conv(i, k);"
                            " output y = mv(w, requant(mv(w, relu(x)), shift: 4)); }"),
            params);
        ASSERT_TRUE(lowered.has_value());
        for (const egraph::Rewrite& rule : lowered->rewrites)
            made[rule.name] = rule.group;
    }
    if (callsWithout({"fusion"}) > callsWithout({}))
        made["R3-FUSE"] = "fusion";
    if (groupsWithout({"grouping"}) < groupsWithout({}))
        made["R-GROUP"] = "grouping";
    for (const auto& [name, group] : made) {
        ASSERT_TRUE(docs.contains(name)) << name << " has no line";
        EXPECT_EQ(docs.at(name).group, group) << name;
    }
    for (const auto& [name, doc] : docs)
        EXPECT_EQ(doc.lowered, name == "R3-FUSE" || name == "R-GROUP") << name;
    EXPECT_EQ(docs.size(), made.size()) << "lines of rules that nothing makes";
}

TEST(RulesPage, IsTheCataloguesAsCommitted) {
    std::ifstream file(test::sourceFolder() + "/docs/rules.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), rules::rulesPage())
        << "regenerate it: rules_page > docs/rules.md (in the folder of this test)";
}

} // namespace marquetry
