#include "engine/rtl/expr.h"

#include "engine/rtl/nodes.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::rtl {

namespace {

/// Part of a joined word whose seams are where the slice begins and ends.
Expr sliceOfJoined(const ExprNode& joined, const Size& low, const Size& count) {
    Size at = 0;
    std::vector<Expr> inside;
    Size taken = 0;
    for (std::size_t k = joined.operands.size(); k-- > 0;) {
        const Expr& part = joined.operands[k];
        if (inside.empty() && low.known() && at.known() && part.size().known() &&
            low.value() >= at.value() && (low + count).known() &&
            (low + count).value() <= (at + part.size()).value())
            return part.slice(low - at, count);
        if (at == low || !inside.empty()) {
            inside.insert(inside.begin(), part);
            taken = taken + part.size();
            if (taken == count)
                return join(inside);
        }
        at = at + part.size();
    }
    ENGINE_ASSERT(false, "a slice of a joined word begins and ends at its seams");
    return {};
}

} // namespace

Expr::Expr(std::shared_ptr<const ExprNode> node) : node_(std::move(node)) {}

const SignalType& Expr::type() const {
    static const SignalType kEmpty = {Size(0), false};
    return node_ ? node_->type : kEmpty;
}

int Expr::width() const {
    return static_cast<int>(size().value());
}

std::optional<std::int64_t> Expr::constant() const {
    if (!node_)
        return 0;
    if (node_->op == ExprOp::Constant)
        return node_->value;
    return std::nullopt;
}

Expr Expr::slice(const Size& low, const Size& count) const {
    if (count == Size(0))
        return {};
    const bool scalar = size() == Size(1) && count == Size(1); // has no index
    if (scalar || (low == Size(0) && count == size()))
        return asUnsigned();
    if (const auto known = constant()) {
        const std::int64_t shift = low.value();
        const std::int64_t value = shift >= 64 ? (*known < 0 ? -1 : 0) : *known >> shift;
        return rtl::constant(value, static_cast<int>(count.value()));
    }
    switch (node_->op) {
    case ExprOp::Net:
    case ExprOp::Word:
        return make({ExprOp::Slice, bits(count), {*this}, 0, nullptr, low});
    case ExprOp::Slice:
        return node_->operands[0].slice(node_->size + low, count);
    case ExprOp::Signed:
    case ExprOp::Unsigned:
        return node_->operands[0].slice(low, count);
    case ExprOp::Join:
        return sliceOfJoined(*node_, low, count);
    case ExprOp::Repeat:
        if (node_->operands[0].size() == Size(1))
            return node_->operands[0].repeated(count);
        break;
    default:
        break;
    }
    ENGINE_ASSERT(false, "a slice needs a net: give the expression a name");
    return {};
}

Expr Expr::at(const Expr& index) const {
    if (const auto known = index.constant())
        return bit(*known);
    if (size() == Size(1))
        return asUnsigned();
    ENGINE_ASSERT(node_ && node_->op == ExprOp::Net, "an index needs a net: give the word a name");
    if (!size().known())
        return make({ExprOp::Bit, bits(1), {*this, index}, 0, nullptr, {}});
    const int indexBits = bitsFor(width());
    ENGINE_ASSERT(index.width() <= indexBits, "an index names bits that there are");
    return make(
        {ExprOp::Bit, bits(1), {*this, index.asUnsigned().extended(indexBits)}, 0, nullptr, {}});
}

Expr Expr::part(const Expr& index, const Size& count) const {
    if (const auto known = index.constant())
        return slice(count * Size(*known), count);
    if (count == Size(1))
        return at(index);
    if (count == size())
        return asUnsigned();
    ENGINE_ASSERT(node_ && node_->op == ExprOp::Net, "an index needs a net: give the word a name");
    ENGINE_ASSERT(count.known(), "runs that an index counts have a known width");
    return make({ExprOp::Part, bits(count), {*this, index.asUnsigned()}, 0, nullptr, {}});
}

Expr Expr::asSigned() const {
    if (isSigned() || !node_)
        return *this;
    if (constant())
        return signedConstant(*constant(), width());
    if (node_->op == ExprOp::Unsigned)
        return node_->operands[0];
    return make({ExprOp::Signed, signedBits(size()), {*this}, 0, nullptr, {}});
}

Expr Expr::asUnsigned() const {
    if (!isSigned())
        return *this;
    if (constant())
        return rtl::constant(*constant(), width());
    if (node_->op == ExprOp::Signed)
        return node_->operands[0];
    return make({ExprOp::Unsigned, bits(size()), {*this}, 0, nullptr, {}});
}

Expr Expr::extended(const Size& width) const {
    const Size more = width - size();
    ENGINE_ASSERT(!more.known() || more.value() >= 0, "an extension does not narrow");
    if (more == Size(0))
        return *this;
    if (!node_)
        return zeros(width);
    if (constant() && width.known() && width.value() <= 64)
        return isSigned() ? signedConstant(*constant(), static_cast<int>(width.value()))
                          : rtl::constant(*constant(), static_cast<int>(width.value()));
    if (!isSigned())
        return join({zeros(more), *this});
    const Expr plain = asUnsigned();
    return join({bit(size() - 1).repeated(more), plain}).asSigned();
}

Expr Expr::resized(int to) const {
    if (to < width())
        return isSigned() ? slice(0, to).asSigned() : slice(0, to);
    return extended(to);
}

Expr Expr::repeated(const Size& times) const {
    if (times == Size(0) || isEmpty(*this))
        return {};
    if (times == Size(1))
        return asUnsigned();
    return make({ExprOp::Repeat, bits(times * size()), {asUnsigned()}, 0, nullptr, times});
}

bool Expr::same(const Expr& other) const {
    if (node_ == other.node_)
        return true;
    if (!node_ || !other.node_)
        return false;
    const ExprNode& a = *node_;
    const ExprNode& b = *other.node_;
    return a.op == b.op && a.type == b.type && a.value == b.value && a.net == b.net &&
           a.size == b.size &&
           std::ranges::equal(a.operands, b.operands,
                              [](const Expr& x, const Expr& y) { return x.same(y); });
}

} // namespace marquetry::rtl
