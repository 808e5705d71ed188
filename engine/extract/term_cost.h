// The cost of a unit term, computed from its leaf outwards; one interface for two models.
//
//   Published  time = the paper's T, dsp = the paper's D, convs = inline convolutions
//   Cycles     time = blocks of rows per pixel, dsp = DSP blocks of the products; no other factor
//              of a call's cycles depends on the term: the controller skips padding, so the numbers
//              of pixels and of words in a reduction are the program's
//
// A term says how many rows are computed at once, P, but not how many results leave in a clock, E,
// nor how many stored words are taken at once (span). forms() lists the units that can be built of
// a term, one for each E and span; what a form's write-back takes is part of its dsp. callTime
// gives a call's cycles from the form it runs on.
//
// A better part never makes a chain worse (costs are monotone), so dropping what is no better in
// (time, dsp, convs) keeps the search exact. Under Cycles only terms of the same P are compared:
// what a unit is worth depends on the rows of all calls that use it, and on which E divide P.
// Thread rule: pure.
#pragma once

#include "engine/cost/unit_cost.h"
#include "engine/design/design.h"
#include "engine/extract/call_info.h"
#include "engine/extract/unit_graph.h"
#include "engine/extract/write_backs.h"

#include <memory>

namespace marquetry::extract {

struct PathCost {
    double time = 0;
    double dsp = 0;
    int convs = 0;
    std::int64_t parallel = 1;      ///< rows at once, all instances together
    std::int64_t pixelParallel = 1; ///< pixels at once (ParConvHW)
    std::int64_t writeLanes = 0;    ///< E of a form; 0: of a term
    std::int64_t span = 1;          ///< stored words that a form takes at once
    std::int64_t mostSpan = 1;      ///< stored words of the columns
    bool lanewise = false;          ///< of a lane unit: each of its rows takes words of its own
    bool comparesRows = false;      ///< `parallel` counts where two are compared (Cycles)
    int size = 0;                   ///< terms in the chain; breaks ties
    std::uint32_t pins = 0;         ///< pinned terms the chain passes, one bit each
};

/// a is at least as good as b for every purpose.
bool dominates(const PathCost& a, const PathCost& b);

/// The products of a unit of a form (Cycles). `shape`: of the unit's class, whose columns are those
/// that are there, whatever the terms inside are padded to; `lanes`: of a stored word.
cost::UnitHardware productsOf(const PathCost& form, const ir::UnitShape& shape, std::int64_t lanes);

/// What lies above the use of an outlined unit. Which of two is better does not depend on the
/// unit's body.
struct ReachCost {
    double factor = 1; ///< uses of the unit per call
    int convs = 0;
    int size = 0; ///< terms
    std::uint32_t pins = 0;
};

bool dominates(const ReachCost& a, const ReachCost& b);

/// Stored words that a unit takes at once, at most.
inline constexpr std::int64_t kMostSpan = 32;

class TermCost {
public:
    virtual ~TermCost() = default;
    /// False for terms the model has no hardware for, whatever is inside; only others are priced.
    virtual bool exists(const UnitNode&) const { return true; }
    virtual PathCost leaf(const UnitNode& node, const ir::UnitShape& shape) const = 0;
    /// nullopt when there is no such hardware: what our generator cannot build is not priced by the
    /// Cycles model.
    std::optional<PathCost> wrap(const UnitNode& node, const ir::UnitShape& shape,
                                 const PathCost& child) const;
    /// One term further in. nullopt for Par-terms: calls of one outlined unit never overlap, so
    /// none can stand above its use.
    std::optional<ReachCost> descend(const UnitNode& node, const ReachCost& outer) const;
    /// A call from a class of shape `root` into an outlined unit with this body.
    virtual PathCost use(const ir::UnitShape& root, const ReachCost& reach,
                         const PathCost& body) const = 0;
    /// The units that can be built of a term, the one with the fewest DSP blocks first.
    /// `shape`: of the term's class.
    virtual std::vector<PathCost> forms(const PathCost& term, const ir::UnitShape&) const {
        return {term};
    }
    virtual double callTime(const CallInfo& call, const PathCost& form) const = 0;
    /// Of the products of a form, without its write-back (Cycles).
    virtual double productsDsp(const PathCost& form, const ir::UnitShape&) const {
        return form.dsp;
    }
    /// Two of its rows share blocks (cost::pairsRows).
    virtual bool pairsRows(const PathCost&, const ir::UnitShape&) const { return false; }
    /// The call's unit may be of this form.
    virtual bool serves(const CallInfo&, const PathCost&) const { return true; }
    /// Most inline and outlined convolutions together; −1: no limit.
    virtual int maxConvs() const { return -1; }
    /// Uses of the child per use of the whole, and convolution units the term adds.
    virtual double usesOfChild(const UnitNode& node) const = 0;
    virtual int convsOf(const UnitNode& node) const = 0;

protected:
    virtual bool buildable(const UnitNode&, const PathCost&) const { return true; }
    virtual PathCost fold(const UnitNode& node, const ir::UnitShape& shape,
                          const PathCost& child) const = 0;
};

/// Stored words that units may take at once: fewest first, of products and of lane units.
struct Spans {
    std::vector<std::int64_t> products = {1}, lanes = {1};
};

std::unique_ptr<TermCost> makeTermCost(design::CostModel model, const device::Device& device,
                                       const rules::Menu& menu, const WriteBacks& writeBacks = {},
                                       const Spans& spans = {});

/// Stored words that a unit of a shape takes at once, at most.
std::int64_t mostSpan(const ir::UnitShape& shape, std::int64_t lanes);

/// Those that are offered, up to `most`: for a number of clocks in which one of the calls reads a
/// row of a kernel, or makes the channels of a depth-wise convolution, the fewest. Of products,
/// where those are many, one of each octave (2^k … 2^(k + 1) − 1): that with which the calls'
/// products miss the fewest words.
Spans usefulSpans(const std::vector<CallInfo>& calls, std::int64_t lanes,
                  std::int64_t most = kMostSpan);

} // namespace marquetry::extract
