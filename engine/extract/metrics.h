// What a design space holds and how good it is (background/engineir.md, "Counting designs").
//
// A design is a choice of one chain per call, with its hardware: each leaf (a Dot or a pass with
// its parameters) so many times over. Calls run one after another, so a leaf that several calls use
// is built once, as often as the call that needs most of it.
//
//   terms         M1  chains, multiplied over the calls; never "designs"
//   normalForms   M2  the same without a For under a For on one axis, or a Par under a Par
//   unitSets      M3  distinct hardware; beyond `maxSets` an estimate from the samples (Chao1)
//   front         M6  undominated (area, latency), shared hardware paid once
//   hypervolume   M7  of the front, natural logarithms of both axes, against 1.1 times the front's
//                     largest area and latency; values below 1 count as 1
//   density       M8  part of the sampled designs that can be built, fit the device and have a
//                     point of the front within `epsilon` on both axes; samples are uniform over
//                     the normal forms
//
// Costs. Without a model, the toy of the golden numbers: a unit has area width + 4 and
// latency 1, where the width is a pass's elements or P·N products of a Dot; a loop of n adds area 1
// and takes n·L + 1; n instances take n times the area. With a model, area is DSP blocks (the
// paper's D) and latency cycles (T), and the front is the caller's, from extraction; a sampled
// design's latency leaves out waiting for external memory and the paper's COMMUNICATION_COST.
// Where a search is cut at `maxSets` designs, `exact` says so: the front is then one of designs
// that exist, but maybe not the best ones.
//
// Complexity: counting as in count.h; front and sets O(designs kept · uses).
// Cancel: what is not done stays absent and `complete` is false. Deterministic otherwise.
// Thread rule: pure; reads the e-graph, which must be clean.
#pragma once

#include "engine/design/design.h"
#include "engine/device/device.h"
#include "engine/extract/metric_values.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::rules {
struct Lowered;
}

namespace marquetry::extract {

struct MeasureParams {
    std::optional<design::CostModel> model; ///< none: the toy
    device::Device device;                  ///< with a model
    double dspLimit = 0;                    ///< with a model
    std::int64_t frames = 1;                ///< of a run, which the front's cycles are of
    std::vector<MetricPoint> front;         ///< with a model: of the extraction
    std::size_t samples = 1000;
    std::size_t maxSets = 100'000;
    double epsilon = 0.25;
    std::uint64_t seed = 1;
};

/// nullopt when stopped.
std::optional<TermCount> countTerms(const rules::Lowered& lowered, std::stop_token stop = {});

Metrics measure(const rules::Lowered& lowered, const MeasureParams& params,
                std::stop_token stop = {});

/// Sorted by area, each latency below the one before.
std::vector<MetricPoint> undominated(std::vector<MetricPoint> points);
/// 0 for an empty front.
double hypervolume(const std::vector<MetricPoint>& front);
/// Number of species from how often each was seen (Chao 1984): S + f₁² / 2f₂.
double chao1(const std::vector<std::size_t>& seen);

} // namespace marquetry::extract
