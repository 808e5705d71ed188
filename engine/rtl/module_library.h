// Modules that the parts of a netlist share, each made once.
//
// Thread rule: one builder.
#pragma once

#include "engine/rtl/module.h"

#include <functional>
#include <map>
#include <string>

namespace marquetry::rtl {

class ModuleLibrary {
public:
    /// `prefix`: what the names of its modules begin with.
    explicit ModuleLibrary(std::string prefix) : prefix_(std::move(prefix)) {}

    ModulePtr once(const std::string& name,
                   const std::function<ModulePtr(const std::string&)>& make);

    /// Whether it made the module: no part has it for itself.
    bool made(const ModulePtr& module) const;

private:
    std::string prefix_;
    std::map<std::string, ModulePtr> made_;
};

} // namespace marquetry::rtl
