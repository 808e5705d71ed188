#include "engine/hdl/kernel_memories.h"

#include "engine/spacetime/cell_value.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

int widthOf(const std::vector<StoredWord>& words) {
    int all = 0;
    for (const StoredWord& word : words)
        all += word.bits;
    return all;
}

/// Counts modulo `words`, from `first` on.
struct Address {
    std::string name;
    std::string enable;
    std::int64_t words = 1;
    std::int64_t first = 0;
};

void writeAddress(const KernelText& text, const Address& address) {
    const std::string& name = address.name;
    const int bits = bitsFor(address.words);
    const std::string last = cat("(", name, " == ", literal(bits, address.words - 1), ")");
    text.declarations.line("reg ", range(bits), name, ";");
    Body& body = text.addresses;
    body.line("always @(posedge aclk)");
    if (address.first == 0) { // one synchronous reset for both
        body.line("    if (!aresetn | (", address.enable, " & ", last, "))");
        body.line("        ", name, " <= ", literal(bits, 0), ";");
        body.line("    else if (", address.enable, ")");
        body.line("        ", name, " <= ", name, " + ", literal(bits, 1), ";");
        return;
    }
    body.line("    if (!aresetn)");
    body.line("        ", name, " <= ", literal(bits, address.first), ";");
    body.line("    else if (", address.enable, ")");
    body.line("        ", name, " <= ", last, " ? ", literal(bits, 0), " : ", name, " + ",
              literal(bits, 1), ";");
}

} // namespace

void KernelMemories::addLine(std::int64_t words, const std::string& enable, StoredWord word) {
    lines_[{words, enable}].push_back(std::move(word));
}

void KernelMemories::addQueue(const QueueTiming& timing, const std::string& stored,
                              const std::string& fetched, StoredWord word) {
    const spacetime::Queue& queue = timing.queue;
    QueueAt at{stored, fetched, queue.words(timing.fetch - timing.store)};
    at.firstFetch = spacetime::modulo(queue.countBefore(queue.fetches, -timing.fetch) -
                                          queue.countBefore(queue.stores, -timing.store),
                                      at.words);
    queues_[at].push_back(std::move(word));
}

void KernelMemories::write(const KernelText& text) {
    int number = 0;
    for (const auto& [key, words] : lines_) {
        const auto& [depth, enable] = key;
        const std::string at = cat("line_at_", number++);
        writeAddress(text, {at, enable, depth});
        writeBundle(text, {cat("lines_", number), at, at, "", enable}, depth, words, false);
    }
    writeQueues(text);
}

void KernelMemories::writeQueues(const KernelText& text) {
    int number = 0;
    for (const auto& [queue, words] : queues_) {
        const std::string name = cat("queue_", number++);
        const std::string stored = name + "_stored";
        text.declarations.line("wire ", stored, " = ", queue.stored, ";");
        writeAddress(text, {name + "_in_at", "enable & " + stored, queue.words});
        writeAddress(
            text, {name + "_out_at", "enable & " + queue.fetched, queue.words, queue.firstFetch});
        writeBundle(text,
                    {name, name + "_out_at", name + "_in_at", "if (" + stored + ") ", "enable"},
                    queue.words, words, true);
    }
}

void KernelMemories::writeBundle(const KernelText& text, const Bundle& bundle, std::int64_t depth,
                                 const std::vector<StoredWord>& words, bool isQueue) {
    const int most = depth <= kShallowRam ? kMaxShallowRamBits : kMaxRamBits;
    const int all = widthOf(words);
    memories_.push_back({depth, all, most, isQueue});
    const std::string& name = bundle.name;
    text.declarations.line("wire ", range(all), name, "_in, ", name, "_out;");
    connect(text, words, name);
    for (int low = 0, bank = 0; low < all; low += most, ++bank) {
        const int bits = std::min(most, all - low);
        const std::string memory = cat(name, "_", bank);
        text.declarations.line("reg ", range(bits), memory, " [0:", depth - 1, "];");
        text.declarations.line("reg ", range(bits), memory, "_out;");
        auto& lines = text.clocked[bundle.enable];
        lines.push_back(cat(memory, "_out <= ", memory, "[", bundle.readAt, "];"));
        lines.push_back(cat(bundle.writes, memory, "[", bundle.writeAt,
                            "] <= ", slice(name + "_in", all, low + bits - 1, low), ";"));
        text.assigns.line("assign ", slice(name + "_out", all, low + bits - 1, low), " = ", memory,
                          "_out;");
    }
}

void KernelMemories::connect(const KernelText& text, const std::vector<StoredWord>& words,
                             const std::string& name) {
    const int all = widthOf(words);
    int low = 0;
    for (const StoredWord& word : words) {
        text.assigns.line("assign ", slice(name + "_in", all, low + word.bits - 1, low), " = ",
                          word.in, ";");
        text.assigns.line("assign ", word.out, " = ",
                          slice(name + "_out", all, low + word.bits - 1, low), ";");
        low += word.bits;
    }
}

std::int64_t KernelMemories::bits() const {
    std::int64_t bits = 0;
    for (const KernelMemory& memory : memories_)
        bits += memory.words * memory.bits;
    return bits;
}

} // namespace marquetry::hdl
