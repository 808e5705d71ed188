// The modules of generated Verilog and what each has inside, read off the text.
//
// Known are the forms that engine/rtl writes: `module NAME`, and within it `MODULE NAME (` or
// `MODULE #(…) NAME (`. Comments, strings and attributes are no text; a module whose text is not
// among the files is not known, and no instance of it is. Instances of a generate loop are one,
// with the loop's label before their name. Complexity: linear in the text. Thread rule: pure.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

#include <vector>

namespace marquetry::widgets {

struct HdlInstance {
    QString name;           ///< "core", "lane[…].mul" in a loop
    std::size_t module = 0; ///< its place in HdlModules
    int line = 0;           ///< in the file of the module that has it
};

struct HdlModule {
    QString name;
    QString file;
    QString unit; ///< of the design, that the file is of; or empty
    int line = 0;
    std::vector<HdlInstance> instances; ///< in the order of the text
};

/// In the order of the files.
using HdlModules = std::vector<HdlModule>;

HdlModules modulesOf(const std::vector<session::HdlFile>& files);
/// That no other one has inside.
std::vector<std::size_t> topModules(const HdlModules& modules);

} // namespace marquetry::widgets
