// What can be exported of a snapshot: the hardware at hand, and memories beside it.
//
// Thread rule: pure.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

#include <vector>

namespace marquetry::app {

struct ExportItem {
    std::string memory; ///< its name; empty: the hardware at hand
    std::string name;
    QString title;         ///< "design lenet5"
    QString summary;       ///< figures
    device::Device device; ///< that it was made for, at its clock
    bool hasStreams = true;
    QString problem; ///< why it cannot be exported; empty: it can
};

/// The hardware at hand first. `wanted`: a memory that keeps its name though it is that hardware.
std::vector<ExportItem> exportItems(const session::Snapshot& snapshot, const std::string& wanted);

/// Index of the one to begin with: what is wanted, else the hardware at hand, else the memory.
std::size_t firstItem(const std::vector<ExportItem>& items, const session::Snapshot& snapshot,
                      const std::string& wanted);

/// Whether there are any.
bool hasExportItems(const session::Snapshot& snapshot);

} // namespace marquetry::app
