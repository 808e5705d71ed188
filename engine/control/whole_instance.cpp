#include "engine/control/whole_instance.h"

#include <algorithm>

namespace marquetry::hdl {

void wholeInstance(rtl::Module& m, const rtl::ModulePtr& module, const std::string& name,
                   rtl::Module::Connections ports, const rtl::Module::Arguments& parameters) {
    std::erase_if(ports, [](const auto& wired) { return wired.second.size() == rtl::Size(0); });
    rtl::Size::Values values;
    for (const rtl::VariablePtr& parameter : module->parameters())
        for (const auto& [given, value] : parameters)
            if (given == parameter->wanted)
                values.insert_or_assign(parameter.get(), value);
    bool silenced = false;
    for (const rtl::NetPtr& port : module->ports()) {
        const bool wired =
            std::ranges::any_of(ports, [&](const auto& one) { return one.first.is(port); });
        if (port->kind == rtl::Net::Kind::Input || wired)
            continue;
        if (!silenced)
            m.lint("lint_off UNUSEDSIGNAL");
        silenced = true;
        ports.emplace_back(port, m.wire("unused_" + name + "_" + port->wanted,
                                        rtl::bits(port->type.width.with(values))));
    }
    if (silenced)
        m.lint("lint_on UNUSEDSIGNAL");
    m.instance(module, name, ports, parameters);
}

} // namespace marquetry::hdl
