// Where the sources, the build and its program are: known to one file, so that no other test is
// compiled anew in another folder. Absolute paths. Thread rule: pure.
#pragma once

#include <string>

namespace marquetry::test {

std::string sourceFolder();
std::string buildFolder();
/// The command line and the window.
std::string program();

} // namespace marquetry::test
