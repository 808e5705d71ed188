// The catalogue of rewrite rules: every rule with its printed name, group, side condition and
// source.
//
// A rule rewrites one unit term into equal ones, one per candidate size. Candidates come from a
// menu and are finite, and all but pads shrink, so saturation ends by itself. Pads only grow to
// sizes the program already has.
//
// Three candidate policies (background/skeleshare.md, "Pruning"):
//   Published  the paper's: a parameter takes only values the same parameter has in the program;
//              tiles of pixels ≥ 6, pads of pixels ≤ 6, pads of columns ≤ CACHELN = 512, channels
//              padded only below ICH·KS² = CACHELN; no row padding; P starts at M and halves,
//              rounding down
//   Cycles     what our hardware runs: divisors of the dimension at hand (columns and channels in
//              whole words of `lanes`), existing sizes, row padding, any P that is of use
//   Toy        EngineIR's example (background/engineir.md, "Golden numbers"): every divisor, no
//              words, P starts at M; for counting only
//
// Where the papers' print is wrong the sound rule is implemented (background/skeleshare.md,
// "Rules"): conditions on output extents, `OCH mod TOCH`, both tilings of Mv under two names.
// Thread rule: rules hold their menu by value; they run on the thread of the e-graph.
#pragma once

#include "engine/egraph/rewrite.h"
#include "engine/rules/joining.h"
#include "engine/rules/skeletons.h"
#include "engine/rules/stored_values.h"
#include "engine/rules/streaming.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::rules {

enum class Policy : std::uint8_t { Published, Cycles, Toy };

/// Limits of the paper's pruning (background/skeleshare.md, "Pruning").
inline constexpr std::int64_t kMinPixelTile = 6;
inline constexpr std::int64_t kMaxPixelPad = 6;
inline constexpr std::int64_t kCacheLine = 512;
/// Smallest row tile worth a loop under the Cycles policy, unless the size exists.
inline constexpr std::int64_t kMinRowTile = 8;

/// Largest tensors worth keeping in registers (one word of 64 elements of 16 bits) and in LUT RAM
/// (64 words of 512 bits, one level of it on every device).
inline constexpr std::int64_t kMaxRegisterBits = 1024;
inline constexpr std::int64_t kMaxLutRamBits = 32768;

/// Sizes that exist in the program, per parameter.
struct Menu {
    Policy policy = Policy::Cycles;
    std::int64_t lanes = 8;
    std::int64_t groupedChannels = 0; ///< ir::LayerParams
    bool externalMemory = false;      ///< the device has one
    std::set<std::int64_t> rows;      ///< M and OCH
    std::set<std::int64_t> cols;      ///< N
    std::set<std::int64_t> channels;
    std::set<std::int64_t> vectors;        ///< H of products of matrices
    std::set<std::int64_t> narrowChannels; ///< that leave part of a word empty (Cycles)
    std::set<std::int64_t> kernels;
    /// Rows at once that are of use (Cycles); empty: powers of two up to `lanes`.
    std::set<std::int64_t> parallel;
    std::set<std::pair<std::int64_t, std::int64_t>> pixels; ///< (H, W) of outputs
    std::map<egraph::OpId, StoredValue> stored; ///< by the operator that makes the value
    std::vector<JoinedCall> joins;              ///< calls that may be joined
    std::vector<StreamedCall> streams;          ///< calls that may be streamed
};

/// A candidate of a rule: the parameters of the new outer term and the shape of its child.
struct Candidate {
    std::vector<egraph::Param> params;
    ir::UnitShape child;
    /// Parameters of a ParallelConv between the two, when there is one.
    std::vector<egraph::Param> packed = {};
};

/// A rule on unit terms as data: what its side condition admits for a shape.
struct UnitRule {
    const char* name;  ///< as printed
    const char* group; ///< parallelism, tiling, padding, …
    Skeleton matches;  ///< root of the left-hand side
    Skeleton makes;    ///< root of the right-hand side
    std::vector<Candidate> (*candidates)(const Menu& menu, const ir::UnitShape& shape);
    const char* source;              ///< paper and figure, and what was mended
    const char* equation = "";       ///< both sides, for docs/rules.md
    const char* condition = "";      ///< side condition, for docs/rules.md
    const char* alsoGroup = nullptr; ///< a second group it needs
};

/// Rules whose right-hand side is an outer term around a canonical smaller or larger unit.
std::span<const UnitRule> tilingRules();
std::span<const UnitRule> paddingRules();
/// Rules that compute the same function by another skeleton.
std::span<const UnitRule> conversionRules();
std::span<const UnitRule> partialRules(Policy policy);

/// A parallel convolution that fills a product: `windows` windows of `channels` channels each.
struct Packing {
    std::int64_t channels = 1; ///< PICH
    std::int64_t windows = 2;  ///< C
    std::int64_t cols = 1;     ///< C·K·K·PICH
};
/// How windows of a kernel and channel count may be packed, smallest width first. O(menu²).
std::vector<Packing> packings(const Menu& menu, std::int64_t kernel, std::int64_t channels);

/// The term with one instance per iteration of the loop, where there is one.
std::optional<Skeleton> inParallel(Skeleton loop);

/// For → Par (ForR → ParR) is not among SkeleShare's rules: not under Published.
std::vector<egraph::Rewrite> parallelismRewrites(const TermLanguage& terms, const Menu& menu);

/// R2-split and R2-icx of EngineIR (background/engineir.md, "Rules and their conditions"), for
/// every loop that a rule makes. Not under Published: the terms they reach are already there, and
/// the paper has no such rules.
std::vector<egraph::Rewrite> splitRewrites(const TermLanguage& terms, const Menu& menu,
                                           std::shared_ptr<Facts> facts);
/// The loops of the tiling rules, and which of them change places.
std::vector<Skeleton> splitLoops();
bool interchanges(Skeleton outer, Skeleton inner);

/// Kinds of buffers are siblings in the class of a stored value, each under its side condition.
std::vector<egraph::Rewrite> storageRewrites(const TermLanguage& terms, const Menu& menu);

/// The term as a pattern: "(TiledMv $p0 $p1 ?u)".
std::string termPattern(Skeleton skeleton, const std::string& params = "p",
                        const std::string& child = "?u");

/// All rewrites of a menu but those named in `without`, by group or by rule.
std::vector<egraph::Rewrite> makeRewrites(const TermLanguage& terms, const Menu& menu,
                                          std::shared_ptr<Facts> facts,
                                          const std::vector<std::string>& without);

/// The groups a user can switch off; "sharing" is not one of them (it limits extraction).
const std::vector<std::string>& ruleGroups();

/// Both of a rule's groups are on.
bool isOn(const UnitRule& rule, const std::vector<std::string>& without);

/// Products of a unit per clock, at most, but for units of as many rows as a word has lanes.
inline constexpr std::int64_t kMostProducts = 4096;

/// Under Cycles: the numbers of rows at once, P, that are of use for calls of so many rows. With a
/// number of blocks given, the fewest rows that make no more of them, rounded up to every power of
/// two that divides the lanes: results leave in groups of E, which divides both P and the lanes, so
/// a unit of any other P and its E is no better than the one of the greatest multiple of E here
/// that is not above P.
std::set<std::int64_t> usefulParallelism(const std::set<std::int64_t>& rows, std::int64_t lanes);

/// The P a canonical unit starts with: under Cycles the power of two that covers the rows, at most
/// `lanes`, else M.
std::int64_t initialParallelism(const Menu& menu, std::int64_t rows);

/// Adds the canonical unit of a shape (cMvF, cConvF of background/skeleshare.md, "Canonical units")
/// and returns its class.
egraph::EClassId addCanonical(egraph::EGraph& egraph, const TermLanguage& terms, const Menu& menu,
                              const ir::UnitShape& shape, const egraph::Origin& origin);

/// A depth-wise convolution on a lane unit of the menu's lanes.
egraph::EClassId addLanes(egraph::EGraph& egraph, const TermLanguage& terms, const Menu& menu,
                          const ir::UnitShape& shape);

} // namespace marquetry::rules
