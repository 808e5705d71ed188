// Which readers find their way in a view: a value whose elements lie as those of the tensor that it
// is a view of, in the same order, but with other extents.
//
// The last dimension of a stored tensor are its channels, which lie in words of their own for each
// pixel. A reader that takes pixels and channels as the view declares them needs them stored so;
// one that follows loops over elements needs only that no dimension of the view lies across the end
// of a pixel. Thread rule: pure.
#pragma once

#include "engine/ir/program.h"

namespace marquetry::ir {

/// The operand that streams through a unit, and the one that the unit holds.
struct OperandRoles {
    std::size_t data = 0;
    std::size_t held = 1;
};
/// Of an operator that units are made for; none of the others.
std::optional<OperandRoles> operandRoles(OpKind op);

/// The operator only changes where elements lie, or how often they are there.
bool changesLayout(OpKind op);

/// One pixel, or none.
bool isOnePixel(const Shape& dims);

/// Pixels and channels are the same.
bool sameStored(const Shape& view, const Shape& stored);

/// Whether `user` can read the view where a tensor of dimensions `stored` lies. A view of a view is
/// asked for by its own users.
bool readsView(const Value& user, const Value& view, const Shape& stored);

} // namespace marquetry::ir
