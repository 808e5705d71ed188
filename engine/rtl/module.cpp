#include "engine/rtl/module.h"

#include "engine/support/assert.h"

#include <algorithm>
#include <set>

namespace marquetry::rtl {

Expr wordOf(const NetPtr& net) {
    return Expr(std::make_shared<const ExprNode>(ExprNode{ExprOp::Net, net->type, {}, 0, net, {}}));
}

Expr Memory::operator[](const Expr& address) const {
    return Expr(std::make_shared<const ExprNode>(
        ExprNode{ExprOp::Word, net_->type, {address}, 0, net_, {}}));
}

Size Module::number(const std::string& name, SizeVariable::Kind kind, std::int64_t value) {
    auto variable = std::make_shared<SizeVariable>();
    variable->wanted = name;
    variable->kind = kind;
    variable->order = variables_++;
    variable->value = value;
    return Size(VariablePtr(std::move(variable)));
}

Size Module::parameter(const std::string& name, std::int64_t value) {
    const Size size = number(name, SizeVariable::Kind::Parameter, value);
    parameters_.push_back(size.variables()[0]);
    return size;
}

std::shared_ptr<const Named> Module::beside(const std::string& name) {
    besides_.push_back(std::make_shared<const Named>(Named{name}));
    return besides_.back();
}

Expr Module::addPort(const std::string& name, Net::Kind kind, SignalType type) {
    ENGINE_ASSERT(type.width != Size(0), "a port has bits");
    auto net = std::make_shared<Net>();
    net->wanted = name;
    net->kind = kind;
    net->type = std::move(type);
    ports_.push_back(net);
    return wordOf(ports_.back());
}

Expr Module::input(const std::string& name, SignalType type) {
    return addPort(name, Net::Kind::Input, std::move(type));
}

Expr Module::output(const std::string& name, SignalType type) {
    return addPort(name, Net::Kind::Output, std::move(type));
}

Expr Module::outputRegister(const std::string& name, SignalType type) {
    return addPort(name, Net::Kind::OutputRegister, std::move(type));
}

Expr Module::declare(const std::string& name, Net::Kind kind, SignalType type, const Expr& value) {
    if (type.width == Size(0))
        return {};
    auto net = std::make_shared<Net>();
    net->wanted = name;
    net->kind = kind;
    net->type = std::move(type);
    add({Declaration{net, value, std::nullopt, {}}});
    return wordOf(net);
}

Expr Module::wire(const std::string& name, SignalType type) {
    return declare(name, Net::Kind::Wire, std::move(type));
}

Expr Module::wire(const std::string& name, const Expr& value) {
    return declare(name, Net::Kind::Wire, value.type(), value);
}

Expr Module::reg(const std::string& name, SignalType type) {
    return declare(name, Net::Kind::Register, std::move(type));
}

Expr Module::regKeptIf(const std::string& directive, const std::string& name, SignalType type) {
    const Expr result = reg(name, std::move(type));
    std::get<Declaration>(open().back().is).keptIf = directive;
    return result;
}

Memory Module::memory(const std::string& name, SignalType word, Size depth,
                      std::optional<RamStyle> style) {
    auto net = std::make_shared<Net>();
    net->wanted = name;
    net->kind = Net::Kind::Memory;
    net->type = std::move(word);
    net->depth = std::move(depth);
    add({Declaration{net, {}, style, {}}});
    return Memory(net);
}

void Module::assign(const Expr& target, const Expr& value) {
    ENGINE_ASSERT(target.size() == value.size(), "both sides of an assignment have one width");
    if (target.size() != Size(0))
        add({Assignment{target, value}});
}

void Module::clocked(const Expr& clock, const Block::Body& body) {
    Block block(*this);
    body(block);
    add({Process{clock, std::move(block).statements()}});
}

void Module::combinational(const Block::Body& body) {
    clocked({}, body);
}

void Module::instance(const ModulePtr& module, const std::string& name, const Connections& ports,
                      const Arguments& parameters) {
    Instance item{nullptr, module, {}, {}};
    item.name = std::make_shared<const Named>(Named{name});
    Size::Values values;
    for (const VariablePtr& parameter : module->parameters()) {
        const auto given =
            std::ranges::find(parameters, parameter->wanted, &std::pair<std::string, Size>::first);
        item.parameters.push_back(given == parameters.end() ? Size(parameter->value)
                                                            : given->second);
        values.insert_or_assign(parameter.get(), item.parameters.back());
    }
    std::size_t used = 0;
    for (const NetPtr& port : module->ports()) {
        const auto given =
            std::ranges::find_if(ports, [&](const auto& wired) { return wired.first.is(port); });
        item.ports.push_back(given == ports.end() ? Expr() : given->second);
        used += given == ports.end() ? 0 : 1;
        const bool open = item.ports.back().size() == Size(0);
        ENGINE_ASSERT(!open || port->kind != Net::Kind::Input, "every input is driven");
        ENGINE_ASSERT(open || item.ports.back().size() == port->type.width.with(values),
                      "a port is as wide as what is wired to it");
    }
    ENGINE_ASSERT(used == ports.size(), "the module has all ports that are wired");
    add({std::move(item)});
}

void Module::repeat(const std::string& name, const Size& count,
                    const std::function<void(const Size&)>& body) {
    const Size at =
        number(std::string(1, static_cast<char>('i' + open_.size())), SizeVariable::Kind::Genvar);
    std::vector<Item> items;
    open_.push_back(&items);
    body(at);
    open_.pop_back();
    add({GenerateLoop{std::make_shared<const Named>(Named{name}), at.variables()[0], count,
                      std::move(items)}});
}

void Module::simulationOnly(const std::function<void()>& body) {
    std::vector<Item> items;
    open_.push_back(&items);
    body();
    open_.pop_back();
    add({SimulationOnly{std::move(items)}});
}

Section Module::section(const std::string& title) {
    Section section{std::make_shared<std::vector<Item>>()};
    section.items->push_back({Remark{title, false}});
    add({section});
    return section;
}

void Module::in(const Section& section, const std::function<void()>& body) {
    open_.push_back(section.items.get());
    body();
    open_.pop_back();
}

void Module::fill(const Memory& memory, std::shared_ptr<const std::string> text) {
    ENGINE_ASSERT(text != nullptr, "a file has a text");
    add({Contents{{memory.net()}, std::move(text), nullptr}});
}

void Module::clear(std::vector<NetPtr> nets) {
    const Size at = number("i", SizeVariable::Kind::Integer);
    add({Contents{std::move(nets), nullptr, at.variables()[0]}});
}

void Module::assertions(Assertions all) {
    auto started = std::make_shared<Net>();
    started->wanted = "started";
    started->kind = Net::Kind::Register;
    all.started = std::move(started);
    add({std::move(all)});
}

NetPtr Module::port(const std::string& name) const {
    const auto found = std::ranges::find(ports_, name, &Net::wanted);
    return found == ports_.end() ? nullptr : *found;
}

ModulePtr finished(Module module) {
    return std::make_shared<const Module>(std::move(module));
}

namespace {

void visitItems(const std::vector<Item>& items,
                const std::function<void(const ModulePtr&)>& visit) {
    for (const Item& item : items) {
        if (const auto* instance = std::get_if<Instance>(&item.is))
            visit(instance->module);
        else if (const auto* loop = std::get_if<GenerateLoop>(&item.is))
            visitItems(loop->items, visit);
        else if (const auto* simulated = std::get_if<SimulationOnly>(&item.is))
            visitItems(simulated->items, visit);
        else if (const auto* section = std::get_if<Section>(&item.is))
            visitItems(*section->items, visit);
    }
}

} // namespace

std::vector<ModulePtr> modulesOf(const ModulePtr& top) {
    std::vector<ModulePtr> order;
    std::set<const Module*> seen;
    const std::function<void(const ModulePtr&)> visit = [&](const ModulePtr& module) {
        if (!seen.insert(module.get()).second)
            return;
        visitItems(module->items(), visit);
        order.push_back(module);
    };
    visit(top);
    return order;
}

} // namespace marquetry::rtl
