#include "engine/vendor/wrapped_top.h"

#include "engine/support/assert.h"

namespace marquetry::vendor {

namespace {

std::vector<std::string> otherModules(const Project& project) {
    std::vector<std::string> modules;
    for (const std::string& source : project.sources) {
        const std::size_t from = source.find_last_of('/') + 1;
        const std::string module = source.substr(from, source.find_last_of('.') - from);
        if (module != project.top)
            modules.push_back(module);
    }
    return modules;
}

} // namespace

rtl::SignalType typeOf(const PlainPort& port) {
    return port.bits == 1 ? rtl::SignalType{} : rtl::bits(port.bits);
}

rtl::ModulePtr wrappedTop(const Project& project) {
    rtl::Module top(project.top);
    for (const PlainPort& port : portsOf(project))
        port.isInput ? top.input(port.name, typeOf(port)) : top.output(port.name, typeOf(port));
    return std::make_shared<const rtl::Module>(std::move(top));
}

std::string wrapperName(const Project& project, const std::string& ending) {
    rtl::Scope scope("");
    scope.take(project.top);
    for (const std::string& module : otherModules(project))
        scope.take(module);
    return scope.give(project.name + ending);
}

rtl::Names namesAround(const Project& project, const rtl::ModulePtr& wrapper,
                       const rtl::ModulePtr& top) {
    rtl::Names names(wrapper, otherModules(project));
    ENGINE_ASSERT(names.of(*top) == project.top, "the top keeps its name");
    for (const PlainPort& port : portsOf(project))
        ENGINE_ASSERT(names.of(*top->port(port.name)) == port.name, "ports keep their names");
    return names;
}

} // namespace marquetry::vendor
