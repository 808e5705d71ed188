// What can be exported of a snapshot: the design, the DESIGN.json that was opened, and every
// stream, memory and buffer.
//
// Thread rule: pure.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace marquetry::app {

struct ExportItem {
    enum class Kind : std::uint8_t { Design, HeldDesign, Stream, Memory };

    Kind kind = Kind::Design;
    std::string item; ///< as in session::Export; empty: the design
    std::string name;
    QString title;         ///< "design lenet5"
    QString summary;       ///< figures
    device::Device device; ///< that it was made for, at its clock
    QString problem;       ///< why it cannot be exported; empty: it can
    bool waits = false;    ///< nobody has looked at it: once it is shown the session works it out

    bool hasStreams() const { return kind != Kind::Memory; }
};

/// Designs first, then the items of the file, then buffers.
std::vector<ExportItem> exportItems(const session::Snapshot& snapshot);

/// Index of the one to begin with: that named `wanted`, else the hardware at hand, else the first.
std::size_t firstItem(const std::vector<ExportItem>& items, const session::Snapshot& snapshot,
                      const std::string& wanted);

/// Whether there are any but designs that nobody has searched.
bool hasExportItems(const session::Snapshot& snapshot);

/// Whether there is hardware at hand.
bool hasHardware(const session::Snapshot& snapshot);

} // namespace marquetry::app
