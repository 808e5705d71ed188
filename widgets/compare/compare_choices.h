// CompareChoices: the designs that the one at hand can be compared with.
//
// They are the design that was shown before, those that the user keeps, and the points of the
// front, of which the best comes first. Designs are those of one item of one file: another file
// ends them. A kept design is there whatever the search finds since; whether it is still among what
// was found is said by isFound(). Complexity: linear in the points. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::widgets {

/// A design with its ledger, as it was when it was shown.
struct ShownDesign {
    std::shared_ptr<const design::Design> design; ///< null: none
    std::shared_ptr<const design::Ledger> ledger; ///< of the design
};

struct CompareChoice {
    QString name; ///< "shown before", "kept", "best", "of the front"
    QString text; ///< with its cycles and DSP blocks
    ShownDesign shown;
    std::optional<design::DesignPoint> point; ///< of the front: its design has to be asked for
};

class CompareChoices {
public:
    static constexpr std::size_t kMostKept = 8; ///< the oldest give way

    /// Whether the design at hand is another one now.
    bool setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    /// Whether the last snapshot was of another file or item than those before.
    bool begunAnew() const { return begunAnew_; }
    const ShownDesign& atHand() const { return atHand_; }
    const ShownDesign& before() const { return before_; }
    /// The design at hand, from now on.
    void keep();
    std::vector<CompareChoice> all() const;
    /// Whether the search has found a design like it, under the settings as they are now.
    bool isFound(const design::Design& design) const;

private:
    std::shared_ptr<const session::Snapshot> snapshot_;
    ShownDesign atHand_;
    ShownDesign before_;
    std::vector<ShownDesign> kept_; ///< the last one first
    std::string of_;                ///< file and item
    bool begunAnew_ = true;
};

/// Whether they are one point of the plot.
bool samePoint(const session::PickedDesign& one, const design::DesignPoint& other);
bool samePoint(const design::DesignPoint& one, const design::DesignPoint& other);

/// "10 093 cycles, 32 DSP, 15.5 RAMB36 on xc7z020 at 150 MHz, within 32 of 220 DSP"
QString designWords(const ShownDesign& shown);

} // namespace marquetry::widgets
