// Words, lists, comments and paths, read back by tclsh.
#include "engine/vendor/tcl_text.h"

#include "engine/support/quote.h"
#include "tests/vendor/tclsh.h"

namespace marquetry::test {
namespace {

using vendor::tclComment;
using vendor::tclList;
using vendor::tclPath;
using vendor::tclWord;

/// Texts that a script must not act on.
const std::vector<std::string> kTexts = {
    "",
    "plain",
    "a b",
    "tab\there",
    "\"quoted\"",
    "$here",
    "[exit 3]",
    "{",
    "}",
    "}{",
    "a;b",
    "#comment",
    "~",
    "back\\slash",
    "end\\",
    "\\",
    "\\x41",
    "caf\xc3\xa9 \xe2\x82\xac \xe4\xb8\xad",
    "\xf0\x9f\x98\x80",
    "'",
    "*?",
    "-option",
    "50%",
    "a\xc2\xa0"
    "b",
};

std::string hexOf(const std::string& text) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string hex;
    for (const char c : text) {
        hex += kDigits[static_cast<unsigned char>(c) >> 4];
        hex += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return hex;
}

const std::string kShow = "proc show {text} {\n"
                          "    binary scan [encoding convertto utf-8 $text] H* hex\n"
                          "    puts $hex\n"
                          "}\n";

TEST(TclText, WordsAreReadBackAsTheyWere) {
    std::string script = kShow, expected;
    for (const std::string& text : kTexts) {
        script += "show " + tclWord(text) + "\n";
        expected += hexOf(printable(text)) + "\n";
    }
    const TclRun run = runTclText(script);
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.output, expected);
}

TEST(TclText, WordsStandInBracedBodies) {
    std::string script = kShow + "if {1} {\n", expected;
    for (const std::string& text : kTexts) {
        script += "    show " + tclWord(text) + "\n";
        expected += hexOf(printable(text)) + "\n";
    }
    const TclRun run = runTclText(script + "}\n");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.output, expected);
}

TEST(TclText, WordsAreAscii) {
    for (const std::string& text : kTexts)
        for (const char c : tclWord(text))
            EXPECT_TRUE(c >= ' ' && c < 0x7f) << text;
}

TEST(TclText, BytesThatAreNoTextAreShownAsEscapes) {
    const TclRun run = runTclText("puts " + tclWord("a\xff\nb") + "\n");
    EXPECT_EQ(run.output, "a\\xff\\x0ab\n");
}

TEST(TclText, ListsKeepTheirElements) {
    std::string expected;
    for (const std::string& text : kTexts)
        expected += hexOf(printable(text)) + "\n";
    const TclRun run =
        runTclText(kShow + "foreach text " + tclList(kTexts) + " {\n    show $text\n}\n");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.output, expected);
}

TEST(TclText, CommentsAreOneLine) {
    std::string script, expected;
    for (const std::string& text : kTexts) {
        script += tclComment("about " + text + "\nexit 4\r" + text) + "\nputs next\n";
        expected += "next\n";
    }
    const TclRun run = runTclText(script);
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.output, expected);
}

TEST(TclText, PathsAreJoinedAtTheFolder) {
    const TclRun run =
        runTclText("set root {/x y/[z]}\nputs " + tclPath("root", "a b/$c/d;e.v") + "\n");
    EXPECT_EQ(run.output, "/x y/[z]/a b/$c/d;e.v\n");
}

TEST(TclText, HeadsKnowTheFolderOfTheScript) {
    const TemporaryFolder folder;
    const std::string odd = folder / "a $b [c] {d ;e\\f \"g' \xc3\xa9";
    std::filesystem::create_directories(odd + "/sub");
    const std::string script = odd + "/sub/s.tcl";
    ASSERT_TRUE(writeText(script, vendor::tclHead({"One", "two\\"}, 1) +
                                      "puts [file exists [file join $here s.tcl]]\n"
                                      "puts [expr {[file join $root sub] eq $here}]\n")
                    .has_value());
    EXPECT_EQ(runTcl(script).output, "1\n1\n");
}

} // namespace
} // namespace marquetry::test
