#include "engine/design/ledger.h"

#include <algorithm>

namespace marquetry::design {

namespace {

struct PartWords {
    const char* spent;
    const char* bound;
};

constexpr std::array<PartWords, kClockParts> kPartWords{{
    {"multiplying", "compute"},
    {"padding", "padding"},
    {"elements", "elements"},
    {"transfer", "load/store"},
    {"move", "moves"},
    {"write-back", "write-back"},
    {"waiting", "memory"},
    {"drain", "drain"},
}};

} // namespace

double LedgerClocks::of(ClockPart part) const {
    const std::array<double, kClockParts> clocks{multiplying,
                                                 padding(),
                                                 static_cast<double>(elements),
                                                 static_cast<double>(transfer),
                                                 static_cast<double>(move),
                                                 static_cast<double>(writeBack),
                                                 static_cast<double>(waiting),
                                                 static_cast<double>(drain)};
    return clocks[static_cast<std::size_t>(part)];
}

LedgerClocks& LedgerClocks::operator+=(const LedgerClocks& other) {
    taking += other.taking;
    multiplying += other.multiplying;
    elements += other.elements;
    transfer += other.transfer;
    move += other.move;
    writeBack += other.writeBack;
    waiting += other.waiting;
    drain += other.drain;
    overlap += other.overlap;
    multiplications += other.multiplications;
    return *this;
}

double Ledger::share(const LedgerRow& row) const {
    return static_cast<double>(row.clocks.cycles()) /
           static_cast<double>(std::max<std::int64_t>(1, cycles));
}

std::string toString(ClockPart part) {
    return kPartWords[static_cast<std::size_t>(part)].spent;
}

std::string boundName(ClockPart part) {
    return kPartWords[static_cast<std::size_t>(part)].bound;
}

std::string toString(StepKind kind) {
    constexpr std::array<const char*, 6> kNames{"load", "call", "move", "rows", "store", ""};
    return kNames[static_cast<std::size_t>(kind)];
}

} // namespace marquetry::design
