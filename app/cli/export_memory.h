// `marquetry export` of a memory item: the scheme that `marquetry bank` chooses, as hardware.
// Thread rule: main thread.
#pragma once

#include "app/cli/bank_pins.h"
#include "app/cli/report.h"

#include <optional>
#include <string>

namespace marquetry::cli {

struct MemoryExportOptions {
    std::string file;
    std::string item;
    std::string device; ///< empty: the default one
    std::string target;
    std::string out;
    BankPinOptions pins;
    bool json = false;
};

/// The exit status; nothing when the selected item is no memory, or the file has none.
std::optional<ExitStatus> exportMemoryItem(const MemoryExportOptions& options);

} // namespace marquetry::cli
