// Small items of every kind whose names and ports are given, as the Verilog of their exports.
//
// Names are put into the programs behind the front end, so that words of the language itself, which
// no file can give, are covered too. Thread rule: not shared.
#pragma once

#include "engine/design/schedule.h"

#include <string>
#include <vector>

namespace marquetry::test {

/// What the tools see of an export.
struct NamedHardware {
    std::string label; ///< "memory specify"
    std::string top;
    std::string bench;                ///< its module
    std::vector<std::string> modules; ///< texts
    std::string benchText;
};

NamedHardware memoryNamed(const std::string& item);

/// Inputs are summed into the output.
NamedHardware streamNamed(const std::string& item, const std::vector<std::string>& inputs,
                          const std::string& output);

/// Each output is a copy of the first input.
NamedHardware designNamed(const std::string& item, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs);

/// A design whose units compute without weights.
NamedHardware scheduleNamed(const design::Schedule& schedule);

/// Every reserved word ("#" is 0), and names of our own that none reserves.
std::vector<std::string> troublesomeNames();

/// An item of each kind with each of the names, which one of its ports has too.
std::vector<NamedHardware> itemsNamed(const std::vector<std::string>& names);
/// Streams whose output has the name.
std::vector<NamedHardware> outputsNamed(const std::vector<std::string>& names);
/// Designs and streams with many ports each: every name is an input, and an output of a design.
std::vector<NamedHardware> portsNamed(const std::vector<std::string>& names);

} // namespace marquetry::test
