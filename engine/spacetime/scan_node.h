// What scans have in common, whatever their layers. Thread rule: pure.
#pragma once

#include "engine/spacetime/operators.h"

namespace marquetry::spacetime {

inline bool isScan(Op op) {
    return op == Op::ScanS || op == Op::ScanT || op == Op::ScanTS;
}

/// Elements side by side, each of whose states follows from that of the one before.
inline std::int64_t lanesOfScan(const Node& scan) {
    return scan.op == Op::ScanT ? 1 : scan.params.back();
}

/// Groups of them, one after the other: with more than one the state comes back.
inline std::int64_t groupsOfScan(const Node& scan) {
    return scan.op == Op::ScanS ? 1 : scan.params[0];
}

} // namespace marquetry::spacetime
