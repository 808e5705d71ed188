// What a session knows of the memories of a file: its items, the banks planned for each, and the
// scheme the user is trying. Part of a snapshot; every pointer is to something immutable.
//
// Thread rule: values.
#pragma once

#include "engine/banking/access_window.h"
#include "engine/banking/plan_result.h"
#include "engine/banking/scheme_pins.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::session {

/// A scheme of the front, by what makes it that one.
struct SchemeName {
    std::vector<ir::FlatMap> maps;
    std::int64_t copies = 1;
    bool operator==(const SchemeName&) const = default;
};

/// What the user decided about one array; everything free: the cheapest scheme of all.
struct BankChoice {
    banking::SchemePins pins;
    std::optional<SchemeName> chosen; ///< of the front; nothing: its first
    bool operator==(const BankChoice&) const = default;
};
using BankChoices = std::map<std::string, BankChoice>; ///< by the item's name

/// A scheme with what a picture of it needs.
struct SchemeDetail {
    banking::PricedScheme priced;
    std::vector<std::int64_t> wordsPerBank; ///< of one copy; empty: too many residues to count
    /// Per group and lane of the pattern: the banks of its copy that it uses, ascending.
    std::vector<std::vector<std::vector<std::int64_t>>> banksOf;
};

/// A scheme of the user's against the array's accesses.
struct SchemeAttempt {
    SchemeName name;
    bool running = true;
    banking::Scheme scheme;                     ///< derived; copies assigned when it works
    std::vector<std::int64_t> wordsPerBank;     ///< of one copy, as in SchemeDetail
    std::shared_ptr<const SchemeDetail> detail; ///< when it serves every cycle
    std::optional<banking::Witness> witness;    ///< when it does not
    std::string text;                           ///< the verdict in words
    bool belowBound = false;                    ///< fewer banks than any one-copy scheme needs
};

struct MemoryItem {
    std::shared_ptr<const ir::MemoryProgram> program;
    bool buffer = false; ///< of the current design or circuit, not an item of the file
    std::string owner;   ///< of a buffer, in words: "buffer of the design"
    std::string options; ///< of a buffer: `marquetry bank` finds it with these; empty: it does not
    BankChoice choice;
    bool planning = false; ///< a plan is wanted and not there yet
    std::shared_ptr<const banking::AccessPattern> pattern;
    std::shared_ptr<const banking::Iterations> iterations; ///< of the pattern
    std::shared_ptr<const banking::Plan> plan;  ///< null before the first look at the item
    Diagnostics failure;                        ///< why there is no plan
    std::size_t chosen = 0;                     ///< index in the plan's front
    std::shared_ptr<const SchemeDetail> detail; ///< of the chosen scheme
    std::optional<SchemeAttempt> attempt;

    /// Whether there is hardware of it.
    bool ready() const { return detail && !planning; }
};

} // namespace marquetry::session
