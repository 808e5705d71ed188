// The names of a netlist, given when it is complete.
//
// First the top's ports, the top and the modules beside the netlist (its benches), whose names
// others ask for, then modules, then what is inside each module: nothing inside a module bears the
// name of a module, of anything else in it, or a reserved word (reserved_words.h). So a top that
// has its ports and nothing else already has the names that the whole netlist will give them.
// Letters of both cases are the same. What is wanted twice gets
// "_2", "_3", ... in the order of declaration; what is reserved gets "_x". Names are ASCII letters,
// digits and single underscores.
// Complexity: linear in declarations, logarithmic each. Thread rule: immutable when made.
#pragma once

#include "engine/rtl/module.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace marquetry::rtl {

/// Characters of parts of longer names, like "s_axis_" + part + "_tvalid".
inline constexpr std::size_t kLongestPart = 108;

/// An identifier close to `name`: other characters become underscores, `longest` are kept. Neither
/// unique nor free by itself; "" becomes "n".
std::string identifier(std::string_view name, std::size_t longest = kLongestPart);

/// Names of one kind of thing.
class Scope {
public:
    /// `sources` of the reserved words that are not given.
    explicit Scope(std::string_view sources) : sources_(sources) {}

    void take(std::string_view name);
    std::string give(std::string_view wanted);

private:
    std::string_view sources_;
    std::set<std::string> taken_; ///< in lower case
};

class Names {
public:
    /// Of all modules of a netlist. `taken`: modules that exist beside them.
    explicit Names(const ModulePtr& top, const std::vector<std::string>& taken = {});

    /// Of a module, port, parameter, net, instance or loop of the netlist.
    const std::string& of(const Named& thing) const;
    /// Each before its users.
    const std::vector<ModulePtr>& modules() const { return modules_; }
    /// Of the words of a memory of the netlist; files of one text are one.
    const std::string& fileOf(const std::shared_ptr<const std::string>& text) const;
    struct File {
        std::string name;
        std::shared_ptr<const std::string> text;
    };
    const std::vector<File>& files() const { return files_; }

private:
    void nameModule(const Module& module, Scope& scope);
    void nameItems(const std::vector<Item>& items, Scope& scope);
    void nameStatements(const std::vector<Statement>& statements, Scope& scope);
    void give(const Named& thing, Scope& scope);
    void nameFile(const Contents& contents);

    std::vector<ModulePtr> modules_;
    std::vector<File> files_;
    std::map<const std::string*, std::size_t> fileOfText_; ///< index into files_
    std::string module_;                                   ///< the one that is being named
    std::unordered_map<const Named*, std::string> names_;
};

} // namespace marquetry::rtl
