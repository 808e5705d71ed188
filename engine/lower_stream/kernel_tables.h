// Tables of constants in the kernel of a stream: a choice by the index that synthesis makes LUTs
// of, or a memory with contents that block RAM serves.
//
// Thread rule: one writer.
#pragma once

#include "engine/datapath/datapath.h"
#include "engine/rtl/module.h"

#include <cstddef>
#include <vector>

namespace marquetry::hdl {

class KernelTables {
public:
    /// The word at an index, in the same clock; `number` tells the tables of the module apart.
    rtl::Expr inLuts(rtl::Module& module, std::size_t number, const datapath::Cell& lookup,
                     const rtl::Expr& index) const;
    /// The word at an index, to be read into a register at the clock. Two lookups share the ports
    /// of one memory.
    rtl::Expr inBlockRam(rtl::Module& module, const datapath::Cell& lookup, const rtl::Expr& index);

private:
    struct Table {
        std::vector<std::int64_t> words;
        int bits = 1;
        rtl::Memory memory;
        int readers = 0;
    };

    std::vector<Table> tables_; ///< in block RAM
};

} // namespace marquetry::hdl
