// What a design was searched with, as JSON.
#include "engine/session/design_choices.h"
#include "engine/session/setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::session {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;

std::vector<std::string> groupsOff(const char* settings) {
    const auto choices = choicesFrom(Json{{"settings", Json::parse(settings)}});
    EXPECT_TRUE(choices.has_value());
    return choices ? choices->settings.without : std::vector<std::string>{"none was read"};
}

TEST(DesignChoices, OnceHadMembersForTwoRuleGroups) {
    EXPECT_THAT(groupsOff("{}"), ElementsAre());
    EXPECT_THAT(groupsOff(R"({"overlap": true, "streams": true})"), ElementsAre());
    EXPECT_THAT(groupsOff(R"({"without": ["padding"], "overlap": false, "streams": false})"),
                ElementsAre("overlap", "padding", "streams"));
    EXPECT_THAT(groupsOff(R"({"without": ["streams"], "streams": true})"), ElementsAre("streams"))
        << "what is listed is off";
    EXPECT_FALSE(choicesFrom(Json{{"settings", {{"overlap", "no"}}}}).has_value());
}

TEST(DesignChoices, AreReadAsTheyWereWritten) {
    for (const std::vector<std::string>& without :
         {std::vector<std::string>{}, {"overlap"}, {"padding", "sharing", "streams"}}) {
        DesignChoices choices;
        choices.settings.without = without;
        const Json json = Json::parse(toJson(choices).dump());
        EXPECT_EQ(json["settings"]["overlap"], isOn(choices.settings, "overlap"));
        EXPECT_EQ(json["settings"]["streams"], isOn(choices.settings, "streams"));
        const auto read = choicesFrom(json);
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(read->settings, choices.settings);
    }
}

} // namespace
} // namespace marquetry::session
