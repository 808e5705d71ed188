// The overview of a large e-graph: a block for each bundle of e-classes (overview_bundles.h), with
// its name and the number of e-classes shown, in the frames of the groups and in places that are
// kept from picture to picture. The bundles that the chosen design goes through are orange, with
// orange edges between them; of the other edges the kMostBundleEdges that stand for most e-nodes
// are drawn, the thicker, the more. Keys: of a frame its number with kGroupBit; of a bundle that
// past kFirstBundle with kGroupBit. Complexity: O(e-nodes + edges + classes · log bundles). Thread
// rule: pure but for `places` (measures text, so it needs a QGuiApplication).
#pragma once

#include "widgets/egraph/overview_bundles.h"
#include "widgets/egraph/overview_places.h"
#include "widgets/egraph/subject_key.h"

#include <memory>
#include <optional>

namespace marquetry::widgets {

/// E-classes shown from which on the overview bundles them: no screen has room for more blocks.
inline constexpr std::size_t kMostBlocks = 10'000;
inline constexpr std::size_t kMostBundleEdges = 400;
inline constexpr std::uint32_t kFirstBundle = 1u << 20;

inline std::uint32_t keyOfBundle(std::size_t place) {
    return (kFirstBundle + static_cast<std::uint32_t>(place)) | kGroupBit;
}
inline std::optional<std::size_t> bundleOfKey(std::uint32_t key) {
    const std::uint32_t number = key & ~kGroupBit;
    if (key == kNoKey || !isGroup(key) || number < kFirstBundle)
        return std::nullopt;
    return number - kFirstBundle;
}

struct BundledOverview {
    std::shared_ptr<const Scene> scene;
    OverviewBundles made;
    std::size_t blocks = 0; ///< drawn
    std::size_t enodes = 0; ///< that they stand for
    std::size_t eclasses = 0;
};

BundledOverview bundledOverview(const SnapshotIndex& index, const ShownPart& part,
                                OverviewPlaces& places);

} // namespace marquetry::widgets
