// A hardware module as a value: ports, parameters, wires, registers, memories, instances, loops.
//
// A module is built from top to bottom: what is declared may be used from there on, and everything
// is written in the order it was declared in. Names are wishes: what things are called is decided
// when the whole netlist is named (scope.h), so no two can meet. A netlist is its top module; it
// holds the modules it is made of.
//
// Wires are driven once, as a whole or slice by slice; registers by one block. check.h tells what
// is wrong with a module; wrong widths and signs stop the program where they are built.
// Thread rule: one builder; finished modules are immutable and shared.
#pragma once

#include "engine/rtl/block.h"
#include "engine/rtl/ram_style.h"

#include <optional>
#include <variant>

namespace marquetry::rtl {

class Module;
using ModulePtr = std::shared_ptr<const Module>;
struct Item;

/// A memory: words by address. A read in a block with a clock is registered and sees the old word.
class Memory {
public:
    explicit Memory(NetPtr net) : net_(std::move(net)) {}
    Expr operator[](const Expr& address) const;
    const NetPtr& net() const { return net_; }

private:
    NetPtr net_;
};

struct Declaration {
    NetPtr net;
    Expr value; ///< of a wire that is declared with it
    std::optional<RamStyle> style;
    std::string keptIf; ///< a directive under which synthesis leaves a register as it is
};
struct Assignment {
    Expr target, value;
};
struct Process {
    Expr clock; ///< of no bits: follows its inputs
    std::vector<Statement> statements;
};
struct Instance {
    std::shared_ptr<const Named> name;
    ModulePtr module;
    std::vector<Expr> ports; ///< in the module's order; of no bits: open
    std::vector<Size> parameters;
};
struct GenerateLoop {
    std::shared_ptr<const Named> name;
    VariablePtr variable;
    Size count;
    std::vector<Item> items;
};
/// Left out by synthesis.
struct SimulationOnly {
    std::vector<Item> items;
};
/// Contents of a memory before the first clock: of a file, or zeros in simulation.
struct Contents {
    std::vector<NetPtr> nets;
    std::shared_ptr<const std::string> file; ///< its text; null: the memories are cleared
    VariablePtr counter;                     ///< of the words of memories that are cleared
};
/// Must hold at every clock outside the reset; left out by synthesis. Formal tools prove it.
struct Assertions {
    Expr clock, reset; ///< the reset is low
    struct Wrong {
        Expr when;
        std::string message;
    };
    std::vector<Wrong> wrong;     ///< stop a simulation with a message
    std::vector<Expr> invariants; ///< that a proof by induction needs
    NetPtr started;
};
/// Items that are added later than those behind them.
struct Section {
    std::shared_ptr<std::vector<Item>> items;
};
struct Remark {
    std::string text;       ///< empty: a blank line
    bool directive = false; ///< of a lint
};

struct Item {
    std::variant<Declaration, Assignment, Process, Instance, GenerateLoop, SimulationOnly, Contents,
                 Assertions, Section, Remark>
        is;
};

/// A port of a module that is instantiated: by its handle, or by its wish where modules of a kind
/// have fixed ports of different wishes.
class PortOf {
public:
    PortOf(const char* wish) : wish_(wish) {}
    PortOf(std::string wish) : wish_(std::move(wish)) {}
    PortOf(NetPtr net) : net_(std::move(net)) {}
    bool is(const NetPtr& port) const { return net_ ? net_ == port : wish_ == port->wanted; }

private:
    std::string wish_;
    NetPtr net_;
};

class Module : public Named {
public:
    using Connections = std::vector<std::pair<PortOf, Expr>>;
    using Arguments = std::vector<std::pair<std::string, Size>>;

    explicit Module(std::string name) { wanted = std::move(name); }

    /// Of a top: the name of a module that stands beside the netlist, like its bench.
    std::shared_ptr<const Named> beside(const std::string& name);

    /// A line above the module: what it implements, predicted cycles and resources.
    void comment(std::string line) { comments_.push_back(std::move(line)); }

    Size parameter(const std::string& name, std::int64_t value);
    Expr input(const std::string& name, SignalType type = {});
    Expr output(const std::string& name, SignalType type = {});
    Expr outputRegister(const std::string& name, SignalType type = {});

    /// Driven later, by an assignment or an instance.
    Expr wire(const std::string& name, SignalType type);
    Expr wire(const std::string& name, const Expr& value);
    Expr reg(const std::string& name, SignalType type = {});
    /// Where the directive is defined, synthesis moves and merges nothing of it.
    Expr regKeptIf(const std::string& directive, const std::string& name, SignalType type);
    Memory memory(const std::string& name, SignalType word, Size depth,
                  std::optional<RamStyle> style = std::nullopt);

    void assign(const Expr& target, const Expr& value);
    /// At each rising edge of the clock.
    void clocked(const Expr& clock, const Block::Body& body);
    /// Whenever an input changes. It sets registers that are none in hardware.
    void combinational(const Block::Body& body);

    /// Ports that are not named are open outputs; parameters have their own values.
    void instance(const ModulePtr& module, const std::string& name, const Connections& ports,
                  const Arguments& parameters = {});
    /// Copies of the items that `body` adds, for a variable of 0 … count − 1. `name`: of the block.
    void repeat(const std::string& name, const Size& count,
                const std::function<void(const Size&)>& body);
    void simulationOnly(const std::function<void()>& body);
    /// A place for items that are not known yet, outside loops; it is left out while it is empty.
    Section section(const std::string& title);
    void in(const Section& section, const std::function<void()>& body);

    /// A $readmemh file of the memory's words, with this text.
    void fill(const Memory& memory, std::shared_ptr<const std::string> text);
    /// Zeros in simulation, as block RAM has them.
    void clear(std::vector<NetPtr> nets);
    void assertions(Assertions all);
    void note(std::string text) { add({Remark{std::move(text), false}}); }
    void blank() { add({Remark{}}); }
    /// "lint_off UNUSEDSIGNAL"
    void lint(std::string directive) { add({Remark{std::move(directive), true}}); }

    Size number(const std::string& name, SizeVariable::Kind kind, std::int64_t value = 0);

    const std::vector<std::string>& comments() const { return comments_; }
    const std::vector<NetPtr>& ports() const { return ports_; }
    const std::vector<VariablePtr>& parameters() const { return parameters_; }
    const std::vector<std::shared_ptr<const Named>>& besides() const { return besides_; }
    const std::vector<Item>& items() const { return items_; }
    /// By its wish; null when there is none.
    NetPtr port(const std::string& name) const;

private:
    void add(Item item) { open().push_back(std::move(item)); }
    std::vector<Item>& open() { return open_.empty() ? items_ : *open_.back(); }
    Expr declare(const std::string& name, Net::Kind kind, SignalType type, const Expr& value = {});
    Expr addPort(const std::string& name, Net::Kind kind, SignalType type);

    std::vector<std::string> comments_;
    std::vector<NetPtr> ports_;
    std::vector<std::shared_ptr<const Named>> besides_;
    std::vector<VariablePtr> parameters_;
    std::vector<Item> items_;
    std::vector<std::vector<Item>*> open_; ///< lists of loops that are being built
    int variables_ = 0;
};

/// An expression of the whole net; of ports and of nets that `Module` declared.
Expr wordOf(const NetPtr& net);

ModulePtr finished(Module module);

/// All modules of a netlist, each before its users; the top is the last.
std::vector<ModulePtr> modulesOf(const ModulePtr& top);

} // namespace marquetry::rtl
