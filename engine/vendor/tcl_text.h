// Texts as scripts of Tcl say them: words, lists, comments.
//
// Scripts are read in the encoding of whoever runs them, so words are ASCII: other characters are
// written as escapes of four digits, which every Tcl from 8.4 on reads alike. Bytes that are no
// UTF-8 become "\xff", as in messages. Complexity: linear. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace marquetry::vendor {

/// The text as one word of a command: as it is when nothing in it acts, else in double quotes with
/// every character that acts escaped, so that it may stand in braced bodies too.
std::string tclWord(std::string_view text);

/// "[list a b c]": a word that is a list, whatever the elements hold.
std::string tclList(const std::vector<std::string>& elements);

/// A comment of exactly one line, without its line feed: "# text". For the top level of a script
/// alone, because braces in it count inside of bodies.
std::string tclComment(std::string_view text);

/// "[file join $folder a b.v]" of "a/b.v"; `folder` is the name of a variable that holds a path.
std::string tclPath(const std::string& folder, const std::string& path);

/// The first lines of every script: what it is, and the variables `here`, the script's folder, and
/// `root`, the folder that is `levels` above it. Nothing depends on where the script is started.
std::string tclHead(const std::vector<std::string>& comments, int levels);

} // namespace marquetry::vendor
