#include "engine/rtl/scope.h"

#include "engine/rtl/reserved_words.h"
#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::rtl {

namespace {

/// Verilator writes longer names as others.
constexpr std::size_t kLongestName = 127;

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string withEnd(const std::string& base, const std::string& end) {
    return base.substr(0, kLongestName - end.size()) + end;
}

} // namespace

std::string identifier(std::string_view name, std::size_t longest) {
    std::string result;
    for (const char c : name) {
        if (plain(c))
            result += c;
        else if (!result.empty() && result.back() != '_')
            result += '_';
    }
    result.resize(std::min(result.size(), longest));
    while (!result.empty() && result.back() == '_')
        result.pop_back();
    if (result.empty() || (result.front() >= '0' && result.front() <= '9'))
        result = "n" + result;
    // Only as written: names of ports stay what they have always been.
    const bool reserved = result == lowerCase(result) && isReserved(result, kNoPart);
    return reserved ? result + "_x" : result;
}

void Scope::take(std::string_view name) {
    taken_.insert(lowerCase(name));
}

std::string Scope::give(std::string_view wanted) {
    std::string base = identifier(wanted, kLongestName);
    std::string result = base;
    for (int i = 2; isReserved(result, sources_) || taken_.contains(lowerCase(result));) {
        if (isReserved(result, sources_)) {
            base = withEnd(base, "_x");
            result = base;
            i = 2;
        } else {
            result = withEnd(base, "_" + std::to_string(i++));
        }
    }
    take(result);
    return result;
}

Names::Names(const ModulePtr& top, const std::vector<std::string>& taken)
    : modules_(modulesOf(top)) {
    Scope modules(kNoModule);
    Scope ofTop(kNoSignal);
    for (const std::string& name : taken)
        modules.take(name);
    for (const NetPtr& port : top->ports()) {
        give(*port, ofTop);
        modules.take(of(*port));
    }
    give(*top, modules);
    for (const auto& beside : top->besides())
        give(*beside, modules);
    for (const ModulePtr& module : modules_)
        if (module != top)
            give(*module, modules);
    for (const ModulePtr& module : modules_) {
        Scope scope = module == top ? ofTop : Scope(kNoSignal);
        for (const ModulePtr& other : modules_)
            scope.take(of(*other));
        for (const auto& beside : top->besides())
            scope.take(of(*beside));
        for (const std::string& name : taken)
            scope.take(name);
        if (module != top)
            for (const NetPtr& port : module->ports())
                give(*port, scope);
        nameModule(*module, scope);
    }
}

const std::string& Names::of(const Named& thing) const {
    const auto found = names_.find(&thing);
    ENGINE_ASSERT(found != names_.end(), "what is named belongs to the netlist");
    return found->second;
}

void Names::give(const Named& thing, Scope& scope) {
    names_.emplace(&thing, scope.give(thing.wanted));
}

const std::string& Names::fileOf(const std::shared_ptr<const std::string>& text) const {
    return files_[fileOfText_.at(text.get())].name;
}

/// A memory without words yet keeps a file of its own.
void Names::nameFile(const Contents& contents) {
    std::size_t index = 0;
    while (index < files_.size() &&
           (contents.file->empty() || *files_[index].text != *contents.file))
        ++index;
    fileOfText_[contents.file.get()] = index;
    if (index < files_.size())
        return;
    const auto isOurs = [&](const File& file) { return file.name.starts_with(module_ + "."); };
    const bool first = std::ranges::none_of(files_, isOurs);
    files_.push_back(
        {module_ + (first ? "" : "." + of(*contents.nets[0])) + ".mem", contents.file});
}

void Names::nameModule(const Module& module, Scope& scope) {
    module_ = of(module);
    for (const VariablePtr& parameter : module.parameters())
        give(*parameter, scope);
    nameItems(module.items(), scope);
}

void Names::nameItems(const std::vector<Item>& items, Scope& scope) {
    for (const Item& item : items) {
        if (const auto* declaration = std::get_if<Declaration>(&item.is)) {
            give(*declaration->net, scope);
        } else if (const auto* instance = std::get_if<Instance>(&item.is)) {
            give(*instance->name, scope);
        } else if (const auto* process = std::get_if<Process>(&item.is)) {
            nameStatements(process->statements, scope);
        } else if (const auto* loop = std::get_if<GenerateLoop>(&item.is)) {
            give(*loop->name, scope);
            give(*loop->variable, scope);
            nameItems(loop->items, scope);
        } else if (const auto* simulated = std::get_if<SimulationOnly>(&item.is)) {
            nameItems(simulated->items, scope);
        } else if (const auto* section = std::get_if<Section>(&item.is)) {
            nameItems(*section->items, scope);
        } else if (const auto* assertions = std::get_if<Assertions>(&item.is)) {
            give(*assertions->started, scope);
        } else if (const auto* contents = std::get_if<Contents>(&item.is)) {
            if (contents->counter)
                give(*contents->counter, scope);
            if (contents->file)
                nameFile(*contents);
        }
    }
}

void Names::nameStatements(const std::vector<Statement>& statements, Scope& scope) {
    for (const Statement& statement : statements) {
        if (statement.variable)
            give(*statement.variable, scope);
        for (const Branch& branch : statement.branches)
            nameStatements(branch.statements, scope);
    }
}

} // namespace marquetry::rtl
