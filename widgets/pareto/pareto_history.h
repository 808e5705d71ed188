// The fronts that earlier searches of the same program found, each with the settings that led to
// it.
//
// A front is remembered when a search has come to its end, and counts as earlier once the settings
// or the pins are others. Going back to them takes it out again. Another program begins anew. At
// most kMostFronts are kept, the newest. Complexity: O(points) per snapshot that ends a search.
// Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

#include <deque>
#include <optional>
#include <vector>

namespace marquetry::widgets {

struct EarlierFront {
    session::Settings settings;
    std::vector<design::Pin> pins;
    std::vector<design::DesignPoint> points; ///< on the front
};

class ParetoHistory {
public:
    static constexpr std::size_t kMostFronts = 6;

    /// True when the earlier fronts are others than before.
    bool follow(const session::Snapshot& snapshot);
    void forget() { earlier_.clear(); }
    /// Oldest first.
    const std::deque<EarlierFront>& earlier() const { return earlier_; }

private:
    std::string program_; ///< file and name
    std::optional<EarlierFront> latest_;
    std::deque<EarlierFront> earlier_;
};

/// What was different then: "xc7z020, dsp ≤ 64, no padding, 1 pin".
QString settingsThen(const EarlierFront& then, const session::Snapshot& now);

} // namespace marquetry::widgets
