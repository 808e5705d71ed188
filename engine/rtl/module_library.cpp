#include "engine/rtl/module_library.h"

#include <algorithm>

namespace marquetry::rtl {

ModulePtr ModuleLibrary::once(const std::string& name,
                              const std::function<ModulePtr(const std::string&)>& make) {
    ModulePtr& module = made_[name];
    if (!module)
        module = make(prefix_ + "_" + name);
    return module;
}

bool ModuleLibrary::made(const ModulePtr& module) const {
    return std::ranges::any_of(made_, [&](const auto& entry) { return entry.second == module; });
}

} // namespace marquetry::rtl
