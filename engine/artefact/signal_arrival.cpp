#include "engine/artefact/signal_arrival.h"

#include <algorithm>

namespace marquetry::hdl {

using cost::ClockPath;
using rtl::Expr;
using rtl::ExprOp;

namespace {

constexpr std::int64_t kOwnBit = -1;

bool isConstant(const Expr& word) {
    return word.size() == rtl::Size(0) || word.node().op == ExprOp::Constant;
}

/// Where each bit is a function of all bits of the operands.
bool looksAtAllBits(ExprOp op) {
    switch (op) {
    case ExprOp::Not:
    case ExprOp::And:
    case ExprOp::Or:
    case ExprOp::Xor:
    case ExprOp::Choose:
    case ExprOp::Repeat:
    case ExprOp::Signed:
    case ExprOp::Unsigned:
        return false;
    default:
        return true;
    }
}

bool isOrder(ExprOp op) {
    return op == ExprOp::Less || op == ExprOp::LessEqual || op == ExprOp::Greater ||
           op == ExprOp::GreaterEqual;
}

} // namespace

SignalArrival::SignalArrival(const rtl::Module& module, std::string family, int lutInputs)
    : family_(std::move(family)), lutInputs_(static_cast<std::size_t>(lutInputs)) {
    for (const rtl::Item& item : module.items()) {
        if (const auto* const declared = std::get_if<rtl::Declaration>(&item.is)) {
            if (declared->value.size() != rtl::Size(0))
                drivers_[declared->net.get()] = declared->value;
        } else if (const auto* const assigned = std::get_if<rtl::Assignment>(&item.is)) {
            drivers_[assigned->target.node().net.get()] = assigned->value;
        }
    }
}

void SignalArrival::startAt(const Expr& output, cost::PathStart start) {
    const rtl::Net* const net = output.node().net.get();
    const ClockPath path{.what = {}, .start = start};
    values_[net] = {{{net, kOwnBit}}, path};
    arrivals_[net] = path;
}

ClockPath SignalArrival::through(const std::vector<Expr>& words) {
    Leaves leaves;
    for (const Expr& word : words)
        leaves.merge(leavesOf(word, false, true));
    return mapped(leaves);
}

bool SignalArrival::isLater(const ClockPath& a, const ClockPath& b) const {
    return cost::delayOf(a, family_) > cost::delayOf(b, family_);
}

const SignalArrival::Value& SignalArrival::valueOf(const rtl::NetPtr& net) {
    const auto known = values_.find(net.get());
    if (known != values_.end())
        return known->second;
    const auto driver = drivers_.find(net.get());
    Value value{{{net.get(), kOwnBit}}, {}};
    if (driver != drivers_.end()) {
        value = valueOf(driver->second);
        if (value.leaves.size() > lutInputs_)
            value.leaves = {{net.get(), kOwnBit}};
    }
    arrivals_[net.get()] = value.mapped;
    return values_[net.get()] = std::move(value);
}

SignalArrival::Value SignalArrival::valueOf(const Expr& word) {
    if (isConstant(word))
        return {};
    switch (word.node().op) {
    case ExprOp::Net:
        return valueOf(word.node().net);
    case ExprOp::Add:
    case ExprOp::Subtract:
        return sumOf(word);
    case ExprOp::Slice:
        return valueOf(word.node().operands[0]);
    case ExprOp::Join:
        return joined(word);
    default:
        return isChain(word) ? sumOf(word) : logicOf(word);
    }
}

/// Comparisons with few bits of input are LUTs.
bool SignalArrival::isChain(const Expr& word) const {
    return isOrder(word.node().op) && std::cmp_greater(word.node().operands[0].width(), lutInputs_);
}

SignalArrival::Value SignalArrival::joined(const Expr& word) {
    Value value;
    for (const Expr& part : word.node().operands) {
        Value one = valueOf(part);
        if (isLater(one.mapped, value.mapped))
            value.mapped = std::move(one.mapped);
        value.leaves.merge(one.leaves);
    }
    return value;
}

SignalArrival::Value SignalArrival::sumOf(const Expr& word) {
    Value value{{{&word.node(), kOwnBit}}, {}};
    for (const Expr& operand : word.node().operands) {
        ClockPath path = valueOf(operand).mapped;
        if (isLater(path, value.mapped))
            value.mapped = std::move(path);
    }
    value.mapped.sums.push_back(word.node().operands[0].width());
    arrivals_[&word.node()] = value.mapped;
    return value;
}

SignalArrival::Value SignalArrival::logicOf(const Expr& word) {
    Value whole;
    whole.leaves = leavesOf(word, true, false);
    whole.mapped = mapped(whole.leaves);
    if (whole.leaves.size() <= lutInputs_)
        return whole;
    Value split;
    split.leaves = leavesOf(word, false, false);
    split.mapped = mapped(split.leaves);
    return isLater(whole.mapped, split.mapped) ? split : whole;
}

/// What a bit of the word, or all of its bits, depend on: as far as the nets in it, or through
/// those that are one LUT.
SignalArrival::Leaves SignalArrival::leavesOf(const Expr& word, bool inside, bool allBits) {
    if (isConstant(word))
        return {};
    const rtl::ExprNode& node = word.node();
    if (node.op == ExprOp::Net)
        return leafOf(word, 0, inside, allBits);
    if (node.op == ExprOp::Slice && node.operands[0].node().op == ExprOp::Net)
        return leafOf(word, node.size.value(), inside, allBits);
    if (node.op == ExprOp::Add || node.op == ExprOp::Subtract || isChain(word))
        return sumOf(word).leaves;
    Leaves leaves;
    const bool all = node.op == ExprOp::Join || node.op == ExprOp::Slice
                         ? allBits
                         : allBits || looksAtAllBits(node.op);
    for (const Expr& operand : node.operands)
        leaves.merge(leavesOf(operand, inside, all));
    return leaves;
}

SignalArrival::Leaves SignalArrival::leafOf(const Expr& word, std::int64_t low, bool inside,
                                            bool allBits) {
    const Expr& whole = word.node().op == ExprOp::Net ? word : word.node().operands[0];
    const rtl::NetPtr& net = whole.node().net;
    const auto driver = drivers_.find(net.get());
    // A table of constants is part of the LUT that looks into it.
    if (driver != drivers_.end() && isConstant(driver->second))
        return {};
    const Value& value = valueOf(net);
    const bool many = allBits && word.width() > 1;
    const bool told =
        std::ranges::none_of(value.leaves, [](const Leaf& leaf) { return leaf.bit == kOwnBit; });
    if (inside && (!many || told))
        return value.leaves;
    if (!many && word.width() > 1)
        return {{net.get(), kOwnBit}};
    Leaves leaves;
    for (int bit = 0; bit < word.width(); ++bit)
        leaves.insert({net.get(), whole.width() == 1 ? kOwnBit : low + bit});
    return leaves;
}

/// A tree of LUTs: those that come first enter first.
ClockPath SignalArrival::mapped(const Leaves& leaves) {
    const auto later = [this](const ClockPath& a, const ClockPath& b) { return isLater(a, b); };
    std::vector<ClockPath> inputs; // the latest first
    for (const Leaf& leaf : leaves)
        inputs.push_back(arrivals_[leaf.of]);
    std::ranges::stable_sort(inputs, later);
    std::size_t taken = inputs.empty() ? 0 : (inputs.size() - 1) % (lutInputs_ - 1) + 1;
    while (inputs.size() > 1) {
        if (taken < 2)
            taken = std::min(lutInputs_, inputs.size());
        ClockPath out = inputs[inputs.size() - taken];
        inputs.resize(inputs.size() - taken);
        out.logic.push_back(static_cast<int>(taken));
        inputs.insert(std::ranges::upper_bound(inputs, out, later), std::move(out));
        taken = lutInputs_;
    }
    return inputs.empty() ? ClockPath() : inputs.front();
}

} // namespace marquetry::hdl
