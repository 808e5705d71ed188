#include "engine/rtl/check.h"

#include <algorithm>
#include <map>
#include <set>

namespace marquetry::rtl {

namespace {

class Checker {
public:
    explicit Checker(const Module& module) : module_(module) {}

    std::vector<std::string> run() {
        for (const NetPtr& port : module_.ports())
            visible_.insert(port.get());
        for (const VariablePtr& parameter : module_.parameters())
            variables_.insert(parameter.get());
        for (const NetPtr& port : module_.ports()) {
            checkSize(port->type.width);
            if (port->kind != Net::Kind::Input)
                driven_.push_back(port.get());
        }
        checkItems(module_.items());
        for (const Net* net : driven_)
            if (!drivers_.contains(net))
                fault(net->wanted + " has no driver");
        return std::move(faults_);
    }

private:
    void fault(std::string what) { faults_.push_back(std::move(what)); }

    void checkSize(const Size& size) {
        for (const VariablePtr& variable : size.variables())
            if (!variables_.contains(variable.get()))
                fault(variable->wanted + " is used where it has no value");
    }

    void checkExpr(const Expr& e, bool whole) {
        if (e.size() == Size(0))
            return;
        const ExprNode& node = e.node();
        if (node.op == ExprOp::Product && !whole)
            fault("a product is inside another expression");
        if (node.net != nullptr && !visible_.contains(node.net.get()))
            fault(node.net->wanted + " is used before or outside its declaration");
        if (node.net != nullptr &&
            (node.op == ExprOp::Word) != (node.net->kind == Net::Kind::Memory))
            fault(node.net->wanted + " is used as a memory, or a memory without an address");
        checkSize(node.size);
        checkSize(node.type.width);
        for (const Expr& operand : node.operands)
            checkExpr(operand, false);
    }

    /// Of an assignment: the net that it drives.
    void checkTarget(const Expr& target, bool inBlock, int block) {
        const ExprNode& node = target.node();
        checkExpr(target, true);
        if (node.op == ExprOp::Join) {
            for (const Expr& part : node.operands)
                checkTarget(part, inBlock, block);
            return;
        }
        const bool within = node.op == ExprOp::Slice || node.op == ExprOp::Bit ||
                            node.op == ExprOp::Signed || node.op == ExprOp::Unsigned;
        if (within && node.op != ExprOp::Slice && node.op != ExprOp::Bit)
            return checkTarget(node.operands[0], inBlock, block);
        const ExprNode& base = within ? node.operands[0].node() : node;
        if (base.net == nullptr)
            return fault("an assignment drives what is no net");
        const Net& net = *base.net;
        const bool setByBlock = net.isRegister() || net.kind == Net::Kind::Memory;
        if (net.kind == Net::Kind::Input)
            fault(net.wanted + " is an input and is driven");
        else if (setByBlock != inBlock)
            fault(net.wanted +
                  (inBlock ? " is a wire and set by a block" : " is a register and assigned"));
        drive(net, target, within, block);
    }

    void drive(const Net& net, const Expr& target, bool within, int block) {
        auto& drivers = drivers_[&net];
        // A memory that a file fills may be written, too: of that driver a block knows nothing.
        std::erase_if(drivers, [](const Driver& driver) { return driver.fills; });
        for (const Driver& other : drivers) {
            if (block >= 0 && other.block != block)
                fault(net.wanted + " is set by two blocks");
            if (block < 0 && overlap(other, target, within))
                fault(net.wanted + " has two drivers");
        }
        if (block >= 0 && !drivers.empty())
            return;
        const bool slice = within && target.node().op == ExprOp::Slice;
        drivers.push_back(
            {block, within, slice ? target.node().size : Size(0), target.size(), false});
    }

    struct Driver {
        int block = -1;
        bool within = false;
        Size low, count;
        bool fills = false; ///< the contents of a file
    };

    /// Places that loops decide are not looked into.
    static bool overlap(const Driver& a, const Expr& target, bool within) {
        if (!a.within || !within)
            return true;
        const Size& low = target.node().size;
        const Size end = low + target.size();
        const Size otherEnd = a.low + a.count;
        if (!low.known() || !end.known() || !a.low.known() || !otherEnd.known())
            return false;
        return low.value() < otherEnd.value() && a.low.value() < end.value();
    }

    void checkStatements(const std::vector<Statement>& statements, int block) {
        for (const Statement& statement : statements) {
            if (statement.kind == Statement::Kind::Set) {
                checkTarget(statement.target, true, block);
                checkExpr(statement.value, true);
                continue;
            }
            checkExpr(statement.value, false);
            checkSize(statement.count);
            if (statement.variable)
                variables_.insert(statement.variable.get());
            for (const Branch& branch : statement.branches) {
                checkExpr(branch.condition, false);
                checkStatements(branch.statements, block);
            }
            if (statement.variable)
                variables_.erase(statement.variable.get());
        }
    }

    void checkItems(const std::vector<Item>& items) {
        const std::set<const Net*> outside = visible_;
        for (const Item& item : items)
            checkItem(item);
        visible_ = outside;
    }

    void checkItem(const Item& item) {
        std::visit([this](const auto& is) { check(is); }, item.is);
    }

    void check(const Declaration& declaration) {
        const Net* const net = declaration.net.get();
        checkExpr(declaration.value, true);
        checkSize(net->type.width);
        checkSize(net->depth);
        visible_.insert(net);
        driven_.push_back(net);
        if (declaration.value.size() != Size(0))
            drivers_[net].push_back({-1, false, 0, net->type.width});
    }

    void check(const Assignment& assignment) {
        checkTarget(assignment.target, false, -1);
        checkExpr(assignment.value, true);
    }
    void check(const Process& process) {
        checkExpr(process.clock, false);
        checkStatements(process.statements, blocks_++);
    }
    void check(const Instance& instance) {
        for (std::size_t k = 0; k < instance.ports.size(); ++k) {
            if (instance.ports[k].size() == Size(0))
                continue;
            if (instance.module->ports()[k]->kind == Net::Kind::Input)
                checkExpr(instance.ports[k], false);
            else
                checkTarget(instance.ports[k], false, -1);
        }
        for (const Size& size : instance.parameters)
            checkSize(size);
    }
    void check(const GenerateLoop& loop) {
        checkSize(loop.count);
        variables_.insert(loop.variable.get());
        checkItems(loop.items);
        variables_.erase(loop.variable.get());
    }
    void check(const SimulationOnly& simulated) { checkItems(simulated.items); }
    void check(const Section& section) {
        for (const Item& item : *section.items)
            checkItem(item);
    }
    void check(const Contents& contents) {
        for (const NetPtr& net : contents.nets) {
            if (!visible_.contains(net.get()))
                fault(net->wanted + " is filled before its declaration");
            if (contents.file)
                drivers_[net.get()].push_back({-1, false, {}, {}, true});
        }
    }
    void check(const Assertions& all) {
        for (const Expr& e : {all.clock, all.reset})
            checkExpr(e, false);
        for (const Expr& e : all.invariants)
            checkExpr(e, false);
        for (const Assertions::Wrong& wrong : all.wrong)
            checkExpr(wrong.when, false);
    }
    void check(const Remark&) {}

    const Module& module_;
    std::set<const Net*> visible_;
    std::set<const SizeVariable*> variables_;
    std::vector<const Net*> driven_; ///< need a driver, in order
    std::map<const Net*, std::vector<Driver>> drivers_;
    std::vector<std::string> faults_;
    int blocks_ = 0;
};

} // namespace

std::vector<std::string> faults(const Module& module) {
    return Checker(module).run();
}

} // namespace marquetry::rtl
