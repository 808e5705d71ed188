#include "engine/extract/call_cycles.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <optional>

namespace marquetry::extract {

namespace {

/// External weights as they come through the rings, call after call.
class RingClock {
public:
    RingClock(const MemoryProblem& problem, const std::vector<std::int64_t>& rings)
        : problem_(problem),
          rings_(rings),
          memory_(externalMemory(problem.device)),
          clock_(static_cast<double>(problem.leadCycles)),
          read_(memory_ ? static_cast<double>(memory_->latencyCycles) : 0),
          last_(problem.units.size()) {}

    void compute(std::int64_t cycles) { clock_ += static_cast<double>(cycles); }

    void computeFromRing(const WeightDemand& call) {
        const double ofWord = cyclesOfWord(problem_.units[call.unit]);
        const auto compute = static_cast<double>(call.computeCycles);
        const auto tile = static_cast<double>(call.tileWords);
        const auto ring = static_cast<double>(rings_[call.unit]);
        const auto traffic = static_cast<double>(call.traffic());
        const double transfer = traffic * ofWord;
        const double ahead = std::min(clock_ - read_, roomAhead(call.unit, ring, ofWord));
        const double block = compute * tile / traffic;
        const double pass = block / static_cast<double>(call.pixels);
        // A block is computed while its words come, and for every pixel but the first when all are
        // there. Those of the next one have room as far as the ring is longer, the others not
        // before the last pixel.
        const double first = std::max(0.0, tile * ofWord - ahead - pass);
        const double late =
            call.pixels == 1 ? 0.0 : std::max(0.0, (2 * tile - ring) * ofWord - 2 * pass);
        const double begin = clock_;
        clock_ += std::max(compute + first + (traffic / tile - 1) * late,
                           transfer - ahead + block - pass);
        // What lies in the ring at the end is what comes last.
        read_ = std::max(begin - ahead + transfer, clock_ - block * ring / tile);
        last_[call.unit] = {clock_, call.pixels == 1 ? 0 : tile, pass};
    }

    double clock() const { return clock_; }

private:
    /// The last call that took words from a ring.
    struct Last {
        double end = 0;
        double tile = 0; ///< words that no others replace before the last pixel
        double pass = 0; ///< the cycles of that one
    };

    double cyclesOfWord(const WeightUnit& unit) const {
        const std::int64_t bytes =
            roundUp(unit.elements * unit.elementBits / 8, memory_->beatBytes);
        return static_cast<double>(bytes) / memory_->bytesPerCycle;
    }

    /// Cycles in which words may have come before a call.
    double roomAhead(std::size_t unit, double ring, double ofWord) const {
        const Last& last = last_[unit];
        const double before = (ring - last.tile) * ofWord + last.pass;
        return std::min(ring * ofWord, clock_ - last.end + before);
    }

    const MemoryProblem& problem_;
    const std::vector<std::int64_t>& rings_;
    std::optional<design::ExternalMemory> memory_;
    double clock_;
    double read_; ///< when the last word so far has come
    std::vector<Last> last_;
};

} // namespace

double callCycles(const MemoryProblem& problem, const std::vector<bool>& external,
                  const std::vector<std::int64_t>& rings) {
    RingClock ring(problem, rings);
    for (std::size_t c = 0; c < problem.calls.size(); ++c)
        if (external[c])
            ring.computeFromRing(problem.calls[c]);
        else
            ring.compute(problem.calls[c].computeCycles);
    return ring.clock() - static_cast<double>(problem.leadCycles);
}

} // namespace marquetry::extract
