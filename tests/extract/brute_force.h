// The slow oracle of extraction: every path of every call, also round a class again, every set of
// at most two outlined units, by the definitions and nothing else.
//
// It shares no code with engine/extract: chains are walked in the e-graph itself, and costs are
// folded by the published formulas (background/skeleshare.md, "Time and DSP") or by the cycle
// model's own step formula. Under the Cycles model a unit may have any number of rows, whatever
// the terms of its class say, unless a pin asks for terms; any number of stored words at once, up
// to its columns; and any power of two of lanes that the hardware has for them, up to the first
// with which nothing waits for a result. With up to four calls, sets of two outlined units, or one
// and a unit whose body calls it, are all that can pay where each serves two calls. One may also be
// worth its cost for a single call; with three units that would be missed, and a search that finds
// it would be told to be too fast. A pin can ask for more: under pins sets of two units and two
// nested ones are tried. A nested unit's body calls no unit that calls another.
#pragma once

#include "engine/design/design.h"
#include "engine/design/pin.h"
#include "engine/device/device.h"
#include "engine/rules/lowering.h"

#include <optional>

namespace marquetry::test {

inline std::int64_t ceilOf(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

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
    /// Steps of paths at most; `exhausted` is then false and the answers mean nothing.
    static constexpr std::size_t kMaxSteps = 16'000;
    /// Stored words at once, at most.
    static constexpr std::int64_t kMostSpan = 32;

    BruteForce(const rules::Lowered& lowered, const BruteParams& params);

    bool exhausted() const { return steps_ <= kMaxSteps; }
    /// The least time of a design under the limit; nullopt when there is none.
    std::optional<double> leastTime();
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
        std::int64_t writeLanes = 1; ///< results that leave in a clock
        std::int64_t span = 1;       ///< stored words taken at once
        bool lanewise = false;       ///< each row takes words of its own
        bool neverBuilt = false;     ///< adders between instances, or passes side by side
        auto operator<=>(const Piece&) const = default;
    };
    struct Entry {
        egraph::EClassId eclass;
        egraph::EClassId base;                    ///< invalid: a private body
        Piece body;                               ///< of the base when there is one, combined
        std::vector<std::vector<BrutePoint>> via; ///< by call: undominated ways to use it
    };
    using Pool = std::vector<const Entry*>;
    struct Attempt {
        const Pool* pool = nullptr;
        std::vector<double> rest; ///< by call: least time from it on
        std::vector<int> uses;    ///< by unit of the pool
        std::optional<double>* best = nullptr;
    };
    using Pieces = std::vector<Piece>;

    bool replaces(const Piece& a, const Piece& b, bool bodies) const;
    Pieces kept(const Pieces& pieces, bool bodies) const;
    bool published() const { return params_.model != design::CostModel::Cycles; }
    void walk(egraph::EClassId from);
    void closeAt(egraph::EClassId eclass, const Pieces& pieces);
    bool isHopeless(const Piece& above) const;
    Piece through(egraph::ENodeId node, Piece above) const;
    Pieces closed(egraph::ENodeId leaf, const Piece& above) const;
    Piece closedWith(egraph::ENodeId leaf, Piece above, std::int64_t rows) const;
    bool anyRows() const;
    Pieces written(const Piece& body) const;
    Pieces laneUnits(const Piece& body) const;
    Pieces withLanes(const Piece& body, std::int64_t words) const;
    double productsDsp(const Piece& body) const;
    bool buildable(const Piece& body) const;
    std::uint32_t pinsOf(egraph::ENodeId node) const;
    bool accepted(std::size_t call, std::uint32_t pins) const;
    /// Clocks of its reduction where so many stored words are taken at once.
    std::int64_t wordsOf(std::size_t call, std::int64_t span) const;
    std::int64_t countWords(std::size_t call, std::int64_t span) const;
    std::optional<std::int64_t> wordsOfWindows(std::size_t call, std::int64_t span) const;
    bool serves(std::size_t call, const Piece& body) const;
    std::int64_t mostWords() const;
    std::int64_t leastWords(std::int64_t span) const;
    static void dropWorse(std::vector<Entry>& list);
    std::int64_t groupsOf(const ir::Layer& layer, const Piece& whole) const;
    std::int64_t fillOf(const ir::Layer& layer, std::int64_t groups, std::int64_t span) const;
    double callTime(std::size_t call, const Piece& whole) const;
    std::int64_t copyTime(const rules::CallSite& site, std::int64_t calls,
                          std::int64_t parallel) const;
    Piece use(const Piece& above, const Piece& body) const;
    bool isMadeOf(egraph::EClassId unit, egraph::EClassId part) const;
    bool isNamed(egraph::EClassId eclass, design::PinKind kind) const;
    bool mayShare(egraph::EClassId eclass) const;
    std::vector<Entry> entries() const;
    Entry entryOf(egraph::EClassId eclass, egraph::EClassId base, const Piece& body) const;
    std::vector<Entry> nestedOn(const Entry& base) const;
    std::vector<BrutePoint> privateOptions(std::size_t call) const;
    bool fits(const BrutePoint& sum) const;
    void serve(Attempt& attempt, std::size_t call, const BrutePoint& sum) const;
    std::vector<double> restTimes(const Pool& pool) const;
    void tryPool(const Pool& pool, std::optional<double>& best) const;
    void nest(const Pool& pool, std::optional<double>& best) const;

    const rules::Lowered& lowered_;
    BruteParams params_;
    std::size_t steps_ = 0;
    std::vector<std::vector<std::int64_t>> words_; ///< by call and words at once, from one on
    bool anyRows_ = false;                         ///< anyRows()
    bool held_ = false;                            ///< some activation takes the place of weights
    double laneDsp_ = 0;                           ///< of a lane that scales
    std::int64_t mostRows_ = 1;                    ///< of any matrix, in whole words
    egraph::EClassId root_;
    std::map<egraph::EClassId, Pieces> bodies_;
    /// [from][to]: pieces between two classes, the upper one's nodes included.
    std::map<egraph::EClassId, std::map<egraph::EClassId, Pieces>> between_;
    std::vector<std::vector<BrutePoint>> private_;      ///< by call
    std::map<const Entry*, std::vector<Entry>> nested_; ///< by the unit they call
};

} // namespace marquetry::test
