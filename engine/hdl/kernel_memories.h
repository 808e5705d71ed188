// The memories of a stream kernel: line buffers, and the queues of changes of layout.
//
// Line buffers of one length are packed into memories that share one address, read before they are
// written. Queues with equal steps, stored and fetched at equal times, are packed into memories
// with two addresses that count what was stored and what was fetched, modulo the words. At the
// reset an address stands where counting from before the first frame would have brought it to. The
// word for a step is read at the end of the step before; one that is stored in the same place in
// the same step comes behind it. Thread rule: one writer.
#pragma once

#include "engine/hdl/netlist.h"
#include "engine/spacetime/datapath.h"

#include <map>
#include <tuple>

namespace marquetry::hdl {

/// A RAMB36 of 512 words has 72 bits; deeper memories are kept to 64.
inline constexpr int kMaxRamBits = 64;
inline constexpr int kMaxShallowRamBits = 72;
inline constexpr std::int64_t kShallowRam = 512;

/// Words side by side in one memory.
struct KernelMemory {
    std::int64_t words = 0;
    int bits = 0;
    int bankBits = 0;     ///< at most so many to each module memory
    bool isQueue = false; ///< two addresses
};

/// What is in a clocked block, by its enable.
using ClockedLines = std::map<std::string, std::vector<std::string>>;

struct KernelText {
    Body& declarations;
    Body& assigns;
    Body& addresses;
    ClockedLines& clocked;
};

/// A word on its way through a memory.
struct StoredWord {
    std::string in;  ///< of `bits` bits
    std::string out; ///< a wire
    int bits = 1;
};

/// A queue, and the steps in which step 0 of its stores and of its fetches is at work.
struct QueueTiming {
    const spacetime::Queue& queue;
    std::int64_t store = 0;
    std::int64_t fetch = 0;
};

class KernelMemories {
public:
    void addLine(std::int64_t words, const std::string& enable, StoredWord word);
    /// `stored`, `fetched`: conditions on the steps.
    void addQueue(const QueueTiming& timing, const std::string& stored, const std::string& fetched,
                  StoredWord word);
    void write(const KernelText& text);

    const std::vector<KernelMemory>& all() const { return memories_; }
    std::int64_t bits() const;

private:
    /// Memories beside each other.
    struct Bundle {
        std::string name;
        std::string readAt, writeAt;
        std::string writes; ///< "", or a condition with "if"
        std::string enable;
    };
    struct QueueAt {
        std::string stored, fetched;
        std::int64_t words = 1;
        std::int64_t firstFetch = 0; ///< address at the reset, where the one to store is 0
        auto operator<=>(const QueueAt&) const = default;
    };

    void writeBundle(const KernelText& text, const Bundle& bundle, std::int64_t depth,
                     const std::vector<StoredWord>& words, bool isQueue);
    void connect(const KernelText& text, const std::vector<StoredWord>& words,
                 const std::string& name);
    void writeQueues(const KernelText& text);

    std::map<std::pair<std::int64_t, std::string>, std::vector<StoredWord>> lines_;
    std::map<QueueAt, std::vector<StoredWord>> queues_;
    std::vector<KernelMemory> memories_;
};

} // namespace marquetry::hdl
