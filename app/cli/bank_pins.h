// The options that fix parts of a memory's bank scheme: --kind, --banks, --block, --alpha, --copies
// and --map. Thread rule: main thread.
#pragma once

#include "app/cli/cli.h"
#include "engine/banking/pins.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace marquetry::cli {

struct BankPinOptions {
    std::string kind;
    banking::SchemePins pins;
    std::vector<std::string> maps; ///< "N,B,a1,a2,…" each
};

/// `of` begins each line of the help.
void addBankPinOptions(CLI::App& command, BankPinOptions& options, const std::string& of);

/// `rank`: dimensions of the array. Errors: option-value.
Result<banking::SchemePins> pinsOf(const BankPinOptions& options, std::size_t rank);

} // namespace marquetry::cli
