// The item of a program's file that a sweep is of: a design, which is explored, or a stream, which
// is scheduled.
//
// Errors: no-item; of a stream those of algebra/join_outputs.h, which no throughput mends.
// Thread rule: value type; pure.
#pragma once

#include "engine/frontend/parser.h"

#include <memory>
#include <string>
#include <variant>

namespace marquetry::sweep {

struct SweptItem {
    std::variant<std::shared_ptr<const ir::Program>, std::shared_ptr<const ir::StreamProgram>>
        program; ///< not null

    frontend::ItemKind kind() const;
    const std::string& name() const;
};

/// The item of this name; the first of all when it is empty. Memories are passed over.
Result<SweptItem> itemOf(frontend::ParseResult parsed, const std::string& name);

/// Of all that is computed from: the item as it was checked, and of a design what its files hold.
std::string hashOf(const SweptItem& item);

} // namespace marquetry::sweep
