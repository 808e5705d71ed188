#include "engine/support/json_place.h"

#include "engine/support/json.h"

#include <gtest/gtest.h>

namespace marquetry {
namespace {

using Json = nlohmann::ordered_json;

const char* const kText = R"( { "a" : [1, [ ] , {"x": "]}\"", "y": {}}],
  "b\u00e9": {"c": null, "d": [[2, 3], -4.5e3]}, "": true, "2": "\\" } )";

JsonPath partsOf(const Json::json_pointer& pointer) {
    JsonPath path;
    for (Json::json_pointer at = pointer; !at.empty(); at.pop_back())
        path.insert(path.begin(), at.back());
    return path;
}

TEST(JsonPlace, IsWhereTheValueBegins) {
    const Json json = Json::parse(kText);
    const std::string_view text = kText;
    int seen = 0;
    const Json flat = json.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        for (JsonPath path = partsOf(Json::json_pointer(pointer)); !path.empty(); path.pop_back()) {
            Json::json_pointer at;
            for (const std::string& part : path)
                at.push_back(part);
            const std::size_t byte = byteOf(text, path);
            // Whatever follows the value, a prefix of what begins here is the value.
            bool equal = false;
            for (std::size_t size = 1; size <= text.size() - byte && !equal; ++size) {
                const Json part = Json::parse(text.substr(byte, size), nullptr, false);
                equal = !part.is_discarded() && part == json.at(at);
            }
            EXPECT_TRUE(equal) << pathText(path) << " at byte " << byte;
            EXPECT_EQ(std::string_view(" \t\n").find(text[byte]), std::string_view::npos);
            ++seen;
        }
    }
    EXPECT_GT(seen, 15);
}

TEST(JsonPlace, OfWhatIsNotThereIsThatOfWhatIsAroundIt) {
    const std::string_view text = kText;
    EXPECT_EQ(byteOf(text, {}), text.find('{'));
    EXPECT_EQ(byteOf(text, {"missing", "x"}), text.find('{'));
    EXPECT_EQ(byteOf(text, {"a", "7"}), text.find('['));
    EXPECT_EQ(byteOf(text, {"a", "0", "deep"}), text.find('1'));
}

TEST(JsonPlace, OfAMemberThatIsThereTwiceIsTheLast) {
    EXPECT_EQ(byteOf(R"({"a": 1, "a": 2})", {"a"}), 14U);
}

TEST(JsonPlace, IsWrittenAsAPath) {
    EXPECT_EQ(pathText(JsonPath{"streams", "fir", "circuits", "2", "clocks"}),
              "streams.fir.circuits[2].clocks");
    EXPECT_EQ(pathText(JsonPath{}), "");
}

} // namespace
} // namespace marquetry
