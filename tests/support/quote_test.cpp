#include "engine/support/quote.h"

#include "engine/support/json.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace marquetry {
namespace {

TEST(Printable, TextOfPeopleStays) {
    for (const char* text : {"", "plain", "Mv 120×200", "größer", "日本語", "🙂", "a\\b'c\"d"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlCharactersAndBrokenUtf8AreEscaped) {
    EXPECT_EQ(printable("a\x1b[2Jb\r\n\t\x7f"), "a\\x1b[2Jb\\x0d\\x0a\\x09\\x7f");
    EXPECT_EQ(printable("a\n\tb\r", true), "a\n\tb\\x0d");
    EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");          // CSI in one character
    EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae"); // right-to-left override
    EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
    EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80"), "\\xc0\\xaf\\xed\\xa0\\x80");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, JsonStaysTheSameJson) {
    const nlohmann::json json = {{"a", "x\x7f\xc2\x9b\xe2\x80\xae×"}};
    const std::string text = printableJson(json.dump(1));
    EXPECT_EQ(nlohmann::json::parse(text), json);
    EXPECT_EQ(printable(text, true), text);
}

/// What a shell makes of the word is the text again.
TEST(ShellWord, ComesBackFromAShell) {
    const test::TemporaryFolder folder;
    for (const std::string text : {"plain/path-1.2", "a b", "it's", "$HOME", "`id`", "a;b&c|d", "",
                                   "*", "~", "a\nb\tc", "\x1b[0m'x'\\n", "-rf"}) {
        const std::string file = folder / "out";
        const std::string command = "printf %s " + shellWord(text) + " >" + file;
        std::ofstream(folder / "script") << command;
        ASSERT_EQ(std::system(("bash " + (folder / "script")).c_str()), 0) << command;
        std::ifstream in(file, std::ios::binary);
        std::ostringstream read;
        read << in.rdbuf();
        EXPECT_EQ(read.str(), text) << command;
    }
}

} // namespace
} // namespace marquetry
