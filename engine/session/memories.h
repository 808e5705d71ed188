// Memories: the session's state of the `memory` items of a file, of the buffers of its design and
// of the shifted values of its stream's circuit. It knows which of them is at hand, its plan, and
// the scheme that the user tries.
//
// Without threads, like the controller that owns it: work() does what is due, the plan of the item
// at hand first, then the scheme tried on it. Items are planned when they are first looked at, and
// again when their pins or the device change; a change of what is chosen needs no plan.
//
// Errors (of the commands): no-memory, memory-unknown, memory-unplanned (nothing to choose from or
// to try on yet), scheme-unknown (not of the front), scheme-shape (ranks, numbers below one, or too
// many banks). What is wrong with an item or its pins is an answer: MemoryItem::failure.
// Cancel: within the time of a few thousand conflict tests. Thread rule: belongs to one thread.
#pragma once

#include "engine/banking/plan.h"
#include "engine/session/memory_state.h"
#include "engine/support/shared.h"

#include <stop_token>

namespace marquetry::session {

/// How long a plan may take and how far it looks.
struct PlanEffort {
    double seconds = 0; ///< for the accesses and the search; 0: no limit
    banking::PlanParams params{};
};

class Memories {
public:
    /// Replaces everything. `item`: the one at hand; the first if there is none of that name.
    void open(std::vector<ir::MemoryProgram> programs, const std::string& item);
    /// What MemoryItem says of all buffers; `options` without the array.
    struct BufferSource {
        std::string owner;
        std::string options;
        std::vector<std::string> taken{}; ///< names of other items
    };
    /// Behind the file's items; those with the accesses of before keep what was found. At hand is
    /// the item that was shown last, as soon as there is one of its name again.
    void setBuffers(std::vector<ir::MemoryProgram> programs, const BufferSource& source,
                    const BankChoices& choices);
    bool any() const { return !items_.empty(); }
    const std::vector<MemoryItem>& items() const { return items_; }
    /// The items as they are now; made anew only after a change.
    Shared<std::vector<MemoryItem>> shared();
    std::size_t current() const { return current_; }
    const MemoryItem* find(const std::string& item) const;

    Status show(const std::string& item);
    /// Empty `name.maps`: drops the attempt.
    Status attempt(const std::string& item, const SchemeName& name);
    /// Whether the choice can be made of the item.
    Status admit(const std::string& item, const BankChoice& choice) const;
    void setChoices(const BankChoices& choices);
    /// Another device or time limit: what was planned may be another answer now.
    void planAgain();

    bool due() const;
    /// Ends the plan under way: what the interrupted search found counts.
    void settleForLess();
    void work(const device::Device& device, const PlanEffort& effort, std::stop_token stop);
    /// work() has thrown: what was due has this for an answer.
    void fail(const Diagnostic& reason);
    /// Nothing is due any more, without an answer.
    void giveUp() noexcept;

private:
    /// To be changed.
    std::vector<MemoryItem>& change();
    void planAtHand();
    void makePlan(MemoryItem& item, const device::Device& device, const PlanEffort& effort,
                  std::stop_token stop);
    void adopt(MemoryItem& item, Result<banking::Plan> plan);

    std::vector<MemoryItem> items_; ///< buffers last
    std::optional<Shared<std::vector<MemoryItem>>> shared_;
    std::size_t current_ = 0;
    std::string wanted_;                               ///< that was shown last, which may be gone
    std::optional<Result<banking::Plan>> interrupted_; ///< of the item at hand
};

/// One memory with its plan, made as the task makes it. Errors: MemoryItem::failure.
Result<MemoryItem> planMemory(ir::MemoryProgram program, const banking::SchemePins& pins,
                              const device::Device& device, const PlanEffort& effort = {});

} // namespace marquetry::session
