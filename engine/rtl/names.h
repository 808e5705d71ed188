// Parts of names from those of items, layers, units and ports: what names of ports and of files of
// vectors are made of. Names of modules and of what is in them are given by rtl/scope.h.
//
// Letters, digits and single underscores stay, everything else becomes an underscore; parts never
// start with a digit or an underscore, nor end in one; after 108 characters they are cut. Those
// that are given already get "_2", "_3", ...; letters of both cases are the same there. Thread
// rule: not shared.
#pragma once

#include "engine/rtl/scope.h"

#include <set>
#include <string>
#include <string_view>

namespace marquetry::hdl {

using rtl::identifier;

class NameTable {
public:
    /// Keeps a part from being given.
    void take(std::string_view name);

    /// A part of longer names close to `name`, given once; it may be reserved by itself.
    std::string part(std::string_view name);

private:
    std::set<std::string> taken_; ///< in lower case
};

} // namespace marquetry::hdl
