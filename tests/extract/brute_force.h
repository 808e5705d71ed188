// The slow oracle of extraction: every path of every call, every set of at most two outlined
// units, by the definitions and nothing else.
//
// It shares no code with engine/extract: chains are walked in the e-graph itself, and costs are
// folded by the published formulas (skeleshare.md §D.1) or by the cycle model's own step formula.
// An outlined unit serves two calls at least, so with up to four calls (and one nested unit) sets
// of two are all that can pay.
#pragma once

#include "engine/design/design.h"
#include "engine/design/pin.h"
#include "engine/device/device.h"
#include "engine/rules/lowering.h"

#include <optional>

namespace marquetry::testing {

struct BruteParams {
    design::CostModel model = design::CostModel::Cycles;
    device::Device device;
    double dspLimit = 0;
    bool sharing = true;
    std::vector<design::Pin> pins;
};

struct BrutePoint {
    double time = 0;
    double dsp = 0;
    int convs = 0;
    auto operator<=>(const BrutePoint&) const = default;
};

/// Undominated points, sorted.
std::vector<BrutePoint> undominated(std::vector<BrutePoint> points);

class BruteForce {
public:
    /// Paths walked at most; `exhausted` is then false and the answers mean nothing.
    static constexpr std::size_t kMaxSteps = 100'000;

    BruteForce(const rules::Lowered& lowered, const BruteParams& params);

    bool exhausted() const { return steps_ <= kMaxSteps; }
    /// The least time of a design under the limit; nullopt when there is none.
    std::optional<double> leastTime() const;
    /// Undominated private bodies of a class: published T and D, or blocks of rows and DSP.
    std::vector<BrutePoint> bodies(egraph::EClassId eclass) const;

private:
    /// What lies between a class and the leaf or outlined unit below it.
    struct Piece {
        double factor = 1; ///< published: T above ÷ T below
        int convs = 0;
        std::uint32_t pins = 0;
        // Of a whole body:
        double time = 0; ///< published T
        double dsp = 0;
        std::int64_t parallel = 1;
        std::int64_t pixelParallel = 1;
        bool neverBuilt = false; ///< adders between instances, or passes side by side
        auto operator<=>(const Piece&) const = default;
    };
    struct Entry {
        egraph::EClassId eclass;
        egraph::EClassId base; ///< invalid: a private body
        Piece body;            ///< of the base when there is one, combined
    };
    struct Option {
        BrutePoint cost;
        int entry = -1; ///< position in the pool
        bool operator==(const Option&) const = default;
    };
    using Pieces = std::vector<Piece>;

    bool published() const { return params_.model != design::CostModel::Cycles; }
    void walk(egraph::EClassId from);
    void visit(egraph::EClassId eclass, const Piece& above);
    Piece through(egraph::ENodeId node, Piece above) const;
    Piece closed(egraph::ENodeId leaf, Piece above) const;
    bool buildable(const Piece& body) const;
    std::uint32_t pinsOf(egraph::ENodeId node) const;
    bool accepted(std::size_t call, std::uint32_t pins) const;
    double callTime(std::size_t call, const Piece& whole) const;
    Piece use(const Piece& above, const Piece& body) const;
    bool mayShare(egraph::EClassId eclass) const;
    std::vector<Entry> entries() const;
    void tryPool(const std::vector<Entry>& pool, std::optional<double>& best) const;
    std::vector<Option> options(std::size_t call, const std::vector<Entry>& pool) const;

    const rules::Lowered& lowered_;
    BruteParams params_;
    std::size_t steps_ = 0;
    std::vector<egraph::EClassId> onPath_;
    egraph::EClassId root_;
    std::map<egraph::EClassId, Pieces> bodies_;
    /// [from][to]: pieces between two classes, the upper one's nodes included.
    std::map<egraph::EClassId, std::map<egraph::EClassId, Pieces>> between_;
};

} // namespace marquetry::testing
