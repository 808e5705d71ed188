// CompareChoices: the designs that the one at hand can be compared with.
//
// They are the designs that were shown before, the last one first; those that the user keeps, of
// files too; and the points of the front, of which the best comes first. Designs are those of one
// item of one file: another file ends them. A design that was shown or kept is there whatever the
// search finds since; whether it is still among what was found is said by isFound(). Complexity:
// linear in the points. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/compare/file_origin.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::widgets {

/// A design with its ledger, as it was when it was shown.
struct ShownDesign {
    std::shared_ptr<const design::Design> design;    ///< null: none
    std::shared_ptr<const design::Ledger> ledger;    ///< of the design
    std::optional<double> bound = {};                ///< design::ComparedDesign
    std::shared_ptr<const ir::Program> program = {}; ///< that the design is of
};

struct CompareChoice {
    QString name; ///< "shown before", "kept", that of a file, "fastest", "of the front"
    QString text; ///< with its cycles and DSP blocks
    ShownDesign shown;
    std::optional<design::DesignPoint> point; ///< of the front: its design has to be asked for
    FileOrigin file = {}; ///< that it is of; its design has to be asked for until it was read
};

class CompareChoices {
public:
    static constexpr std::size_t kMostKept = 8; ///< and as many shown; the oldest give way

    /// Whether the design at hand is another one now.
    bool setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    /// Whether the last snapshot was of another file or item than those before.
    bool begunAnew() const { return begunAnew_; }
    const ShownDesign& atHand() const { return atHand_; }
    /// Null: none was.
    ShownDesign before() const;
    /// The design at hand, from now on.
    void keep();
    /// That of a file instead of what was read from it earlier.
    void keep(const FileOrigin& file, const ShownDesign& shown);
    std::vector<CompareChoice> all() const;
    /// Whether the search has found a design like it, under the settings as they are now.
    bool isFound(const design::Design& design) const;

private:
    struct Kept {
        ShownDesign shown;
        FileOrigin file; ///< none: it was at hand
    };

    void keep(Kept kept);
    void remember(const ShownDesign& shown);

    std::shared_ptr<const session::Snapshot> snapshot_;
    ShownDesign atHand_;
    std::vector<ShownDesign> shown_; ///< before that at hand, the last one first
    std::vector<Kept> kept_;         ///< the last one first
    std::string of_;                 ///< file and item
    bool begunAnew_ = true;
};

/// Whether they are one point of the plot.
bool samePoint(const session::PickedDesign& one, const design::DesignPoint& other);
bool samePoint(const design::DesignPoint& one, const design::DesignPoint& other);

/// "10 093 cycles, 32 DSP, 15.5 RAMB36 on xc7z020 at 150 MHz, within 32 of 220 DSP"
QString designWords(const ShownDesign& shown);

} // namespace marquetry::widgets
