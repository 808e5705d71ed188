// The page that says what to do with an export: ten lines or so, in Markdown.
//
// Thread rule: pure.
#pragma once

#include "engine/vendor/project.h"

#include <string>
#include <vector>

namespace marquetry::vendor {

struct Readme {
    std::string tools;                 ///< "Yosys and nextpnr"
    std::vector<std::string> commands; ///< the two to run, from the export's folder
    std::vector<std::string> remarks;  ///< one line each, Markdown
};

std::string readmeText(const Project& project, const Readme& readme);

/// "7.5"; "100"
std::string plainNumber(double value);

} // namespace marquetry::vendor
