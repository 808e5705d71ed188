// How far the iterators and the indices of a memory nest reach, where the ends of ranges are not
// plain numbers (language.md, "Memories"). Thread rule: pure.
#pragma once

#include "engine/frontend/memory_syntax.h"
#include "engine/frontend/reporter.h"
#include "engine/ir/memory_program.h"
#include "engine/support/limits.h"

namespace marquetry::frontend {

/// Whether the end of loop `index` names only iterators that are there before it begins; reports
/// inner-iterator where it does not.
bool endsOutside(const NestSyntax& nest, std::size_t index, Reporter& reporter);

bool isUnknown(const ir::AffineForm& form);
/// Whether the form has an unknown value, or names an iterator whose end has one.
bool isOpen(const ir::AffineForm& form, const ir::MemoryNest& nest);
bool isNumber(const ir::AffineForm& form);

/// Of a form without unknown values; more than kMaxMemoryIndex counts as kMaxMemoryIndex + 1.
std::int64_t largest(const ir::AffineForm& form, const ir::MemoryNest& nest);

/// Whether the sum of the magnitudes of its parts is at most kMaxMemoryIndex.
bool staysSmall(const ir::AffineForm& form, const ir::MemoryNest& nest);

/// Gives every loop whose bound is open an end: after it no reference is inside an array of `dims`,
/// and no loop whose end names it gets any further that matters; one iteration where nothing
/// depends on it.
/// What is wrong: open-end (something depends on the loop, and nothing says how far it runs).
Diagnostics closeOpenEnds(ir::MemoryNest& nest, const ir::Shape& dims);

} // namespace marquetry::frontend
