// What sessions write with: at any allocation that fails, texts and JSON values are whole or there
// is an exception, and nothing ends the program.
#include "engine/support/json.h"
#include "engine/support/text_stream.h"
#include "tests/session/failures/failing_memory.h"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <optional>
#include <thread>

namespace marquetry {
namespace {

/// What `made` yields on a thread of its own when its `n`-th allocation fails; 0: none does.
std::optional<std::string> failingAt(std::uint64_t n, const std::function<std::string()>& made) {
    std::optional<std::string> text;
    failing_memory::failAt(n);
    std::thread([&] {
        try {
            std::string whole = made();
            const failing_memory::Spared spared;
            text = whole;
        } catch (const std::bad_alloc&) {
        }
    }).join();
    failing_memory::disarm();
    return text;
}

/// Fails every allocation in turn.
void expectWholeOrNothing(const std::function<std::string()>& made) {
    const auto whole = failingAt(0, made);
    ASSERT_TRUE(whole);
    std::uint64_t n = 0;
    int thrown = 0;
    do {
        const auto text = failingAt(++n, made);
        thrown += text ? 0 : 1;
        if (text) {
            EXPECT_EQ(*text, *whole) << "allocation " << n;
        }
    } while (failing_memory::failed());
    EXPECT_GT(thrown, 1);
}

TEST(FailingText, IsWholeOrNotThere) {
    expectWholeOrNothing([] {
        TextOut out;
        for (int k = 0; k < 200; ++k)
            out << "a line that is no short one, " << k << ", " << 0.5 * k << '\n';
        return out.str();
    });
    expectWholeOrNothing([] {
        TextIn in(std::string(100, 'a') + "\n" + std::string(1000, 'b') + "\n\n");
        std::string text;
        for (std::string line; std::getline(in, line);)
            text += line + ";";
        return text;
    });
}

template <class Json>
std::string tree() {
    Json json; // from nulls, by every way that makes something of one
    json["numbers"].push_back(1);
    json["numbers"].emplace_back("a text that is too long to be kept without memory");
    json["objects"]["deep"]["deeper"] = Json::array({1, 2, Json::object()});
    json["pairs"] = {{"first", 1}, {"second", {{"third", Json::array()}}}};
    return json.dump();
}

TEST(FailingJson, IsWholeOrNotThere) {
    const auto parsed = [] {
        return nlohmann::ordered_json::parse(
                   R"({"a": [1, {"b": [[], {}]}, "a text of some length"]})")
            .dump();
    };
    expectWholeOrNothing(parsed);
    expectWholeOrNothing(tree<nlohmann::json>);
    expectWholeOrNothing(tree<nlohmann::ordered_json>);
}

} // namespace
} // namespace marquetry
