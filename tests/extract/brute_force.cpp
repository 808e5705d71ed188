#include "tests/extract/brute_force.h"

#include "engine/cost/write_back.h"
#include "engine/design/write_back.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace marquetry::test {

namespace {

using egraph::EClassId;
using egraph::ENodeId;
using rules::Skeleton;

bool countsAsConv(Skeleton skeleton) {
    return skeleton == Skeleton::Conv || skeleton == Skeleton::WindowConv ||
           skeleton == Skeleton::ParallelConv;
}

template <class T>
void addDistinct(std::vector<T>& list, const T& value) {
    if (std::ranges::find(list, value) == list.end())
        list.push_back(value);
}

bool covers(const BrutePoint& a, const BrutePoint& b) {
    return a.time <= b.time && a.dsp <= b.dsp && a.convs <= b.convs;
}

} // namespace

std::vector<BrutePoint> undominated(std::vector<BrutePoint> points) {
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::vector<BrutePoint> kept;
    for (const BrutePoint& point : points)
        if (std::ranges::none_of(points, [&](const BrutePoint& other) {
                return other != point && covers(other, point);
            }))
            kept.push_back(point);
    return kept;
}

BruteForce::BruteForce(const rules::Lowered& lowered, const BruteParams& params)
    : lowered_(lowered), params_(params), words_(lowered.calls.size()) {
    anyRows_ = anyRows();
    for (const ENodeId dot : lowered.egraph->nodesWithOp(lowered.terms.op(Skeleton::ParallelDot)))
        mostRows_ = std::max(mostRows_, lowered.egraph->params(dot)[1]);
    for (const std::int64_t rows : lowered.menu.parallel)
        mostRows_ = std::max(mostRows_, rows);
    mostRows_ = ceilOf(mostRows_, lowered.menu.lanes) * lowered.menu.lanes;
    for (const rules::CallSite& call : lowered.calls) {
        const ir::Layer& layer = lowered.plan.layers[call.layer];
        held_ = held_ || (!layer.pass && !layer.weight);
    }
    if (lowered.plan.scales)
        laneDsp_ = cost::laneDsp(design::writeBackForm(*lowered.program, lowered.plan, false));
    for (std::size_t call = 0; call < lowered.calls.size(); ++call)
        for (std::int64_t span = 1; span <= kMostSpan; ++span)
            words_[call].push_back(countWords(call, span));
    for (EClassId id : lowered.egraph->eclasses())
        if (lowered.facts->unitShape(*lowered.egraph, id) != nullptr)
            walk(id);
    if (!exhausted())
        return;
    for (auto& [eclass, pieces] : bodies_)
        pieces = kept(pieces, true);
}

/// a does all that b does, pins included, at no more cost; of bodies, more rows at once that leave
/// in no more clocks do, unless activations are copied to them.
bool BruteForce::replaces(const Piece& a, const Piece& b, bool bodies) const {
    const bool alike =
        a.pins == b.pins && a.neverBuilt == b.neverBuilt && a.pixelParallel == b.pixelParallel;
    const bool leave = a.parallel / a.writeLanes <= b.parallel / b.writeLanes;
    const bool rows = a.parallel == b.parallel || (bodies && !held_ && a.parallel > b.parallel);
    return alike && a.span == b.span && rows && leave && a.factor <= b.factor &&
           a.convs <= b.convs && a.time <= b.time && a.dsp <= b.dsp;
}

BruteForce::Pieces BruteForce::kept(const Pieces& pieces, bool bodies) const {
    Pieces kept;
    for (const Piece& piece : pieces) {
        const auto better = [&](const Piece& other) { return replaces(other, piece, bodies); };
        if (std::ranges::any_of(kept, better))
            continue;
        std::erase_if(kept, [&](const Piece& other) { return replaces(piece, other, bodies); });
        kept.push_back(piece);
    }
    return kept;
}

/// Shortest ways first. One that comes to a class like another, at no less cost, is not followed
/// on; that ends ways round, which cost more each time unless a pinned term or a parallel loop lies
/// on them.
void BruteForce::walk(EClassId from) {
    root_ = from;
    auto& below = between_[from];
    std::deque<std::pair<EClassId, Piece>> ways = {{from, {}}};
    for (; !ways.empty() && ++steps_ <= kMaxSteps; ways.pop_front()) {
        const auto& [eclass, above] = ways.front();
        Pieces& known = below[eclass];
        const auto better = [&](const Piece& other) { return replaces(other, above, false); };
        if (isHopeless(above) || std::ranges::any_of(known, better))
            continue;
        known.push_back(above);
        for (ENodeId node : lowered_.egraph->enodes(eclass))
            for (EClassId child : lowered_.egraph->children(node))
                ways.emplace_back(lowered_.egraph->find(child), through(node, above));
    }
    for (auto& [eclass, pieces] : below) {
        pieces = kept(pieces, false);
        closeAt(eclass, pieces);
    }
}

/// Units whose leaves are in the class.
void BruteForce::closeAt(EClassId eclass, const Pieces& pieces) {
    for (ENodeId node : lowered_.egraph->enodes(eclass))
        for (const Piece& above : lowered_.egraph->children(node).empty() ? pieces : Pieces())
            for (const Piece& body : closed(node, above))
                if (buildable(body))
                    addDistinct(bodies_[root_], body);
}

/// No unit with this above can be built, or has a use for so many rows.
bool BruteForce::isHopeless(const Piece& above) const {
    return !published() &&
           (above.neverBuilt || above.pixelParallel > 1 || above.parallel > mostRows_);
}

std::uint32_t BruteForce::pinsOf(ENodeId node) const {
    const egraph::EGraph& egraph = *lowered_.egraph;
    const std::string name =
        rules::printNode(egraph.language().name(egraph.op(node)), egraph.params(node));
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < params_.pins.size(); ++k) {
        const design::Pin& pin = params_.pins[k];
        const bool term =
            pin.kind == design::PinKind::ForceTerm || pin.kind == design::PinKind::ForbidTerm;
        if (term && pin.target == name)
            bits |= std::uint32_t{1} << k;
    }
    return bits;
}

BruteForce::Piece BruteForce::through(ENodeId node, Piece above) const {
    const auto p = lowered_.egraph->params(node);
    above.pins |= pinsOf(node);
    const Skeleton skeleton = *lowered_.terms.skeletonOf(lowered_.egraph->op(node));
    above.convs += countsAsConv(skeleton);
    switch (skeleton) {
    case Skeleton::Conv:
    case Skeleton::WindowConv:
    case Skeleton::DwConv:
    case Skeleton::WindowDwConv:
        above.factor *= static_cast<double>(p[0] * p[1]);
        break;
    case Skeleton::Mm:
    case Skeleton::Bmm:
    case Skeleton::Conv1DW:
    case Skeleton::Conv1DH:
        above.factor *= static_cast<double>(p[0]);
        break;
    case Skeleton::ParallelConv:
        above.factor *= static_cast<double>(p[1] * p[2]) / static_cast<double>(p[0]);
        above.neverBuilt = !published();
        break;
    case Skeleton::MergePartialSum:
        above.neverBuilt = !published();
        break;
    case Skeleton::TiledMv:
    case Skeleton::TiledMvRows:
    case Skeleton::TiledConvICH:
    case Skeleton::TiledConvOCH:
    case Skeleton::TiledMmH:
    case Skeleton::TiledMmW:
    case Skeleton::TiledMmK:
    case Skeleton::MappedRows:
    case Skeleton::TiledDwConvC:
        above.factor *= static_cast<double>(p[1] / p[0]);
        break;
    case Skeleton::TiledConvHW:
    case Skeleton::TiledDwConvHW:
        above.factor *= static_cast<double>(p[2] * p[3] / (p[0] * p[1]));
        break;
    case Skeleton::ParMvRows:
    case Skeleton::ParConvOCH:
    case Skeleton::ParMmW:
    case Skeleton::ParDwConvC:
        above.parallel *= p[1] / p[0];
        break;
    case Skeleton::ParConvHW:
    case Skeleton::ParDwConvHW:
        above.pixelParallel *= p[2] * p[3] / (p[0] * p[1]);
        break;
    case Skeleton::ParMmH:
    case Skeleton::ParMappedRows:
        above.pixelParallel *= p[1] / p[0];
        break;
    case Skeleton::ParMv:
    case Skeleton::ParConvICH:
    case Skeleton::ParMmK:
    case Skeleton::ParMapHW:
    case Skeleton::ParMapC:
        above.neverBuilt = true;
        break;
    default: // Mv, pads and views: T of what is inside
        break;
    }
    return above;
}

/// Hardware has any number of rows, where no pin asks for terms and rules may lessen them.
bool BruteForce::anyRows() const {
    const bool terms = std::ranges::any_of(params_.pins, [](const design::Pin& pin) {
        return pin.kind == design::PinKind::ForceTerm || pin.kind == design::PinKind::ForbidTerm;
    });
    const auto dots = lowered_.egraph->nodesWithOp(lowered_.terms.op(rules::Skeleton::ParallelDot));
    return !published() && !terms && std::ranges::any_of(dots, [&](ENodeId dot) {
        const auto params = lowered_.egraph->params(dot);
        return params[0] == 1 && params[1] > 1;
    });
}

/// All units that end in the leaf. With any number of rows the leaf of one row stands for all, up
/// to the rows of its matrix, and more only for the results to leave in larger groups.
BruteForce::Pieces BruteForce::closed(ENodeId leaf, const Piece& above) const {
    const Skeleton skeleton = *lowered_.terms.skeletonOf(lowered_.egraph->op(leaf));
    if (skeleton == Skeleton::Map) {
        Piece pass = above;
        pass.pins |= pinsOf(leaf);
        pass.parallel = lowered_.menu.lanes;
        return {pass};
    }
    const auto params = lowered_.egraph->params(leaf);
    const std::int64_t rows = params[0];
    if (skeleton == Skeleton::LaneProducts)
        return laneUnits(closedWith(leaf, above, rows));
    if (!anyRows_)
        return written(closedWith(leaf, above, rows));
    const bool partial = skeleton == Skeleton::ParallelPartialDot;
    const std::int64_t matrix = params[partial ? 2 : 1];
    std::int64_t group = 1;
    while (group < matrix && group < lowered_.menu.lanes)
        group *= 2;
    Pieces all;
    for (std::int64_t any = 1; rows == 1 && any <= ceilOf(matrix, group) * group; ++any)
        for (const Piece& body : written(closedWith(leaf, above, any)))
            all.push_back(body);
    return all;
}

/// The body with every number of lanes that may write its results.
BruteForce::Pieces BruteForce::written(const Piece& body) const {
    if (published())
        return {body};
    Pieces all;
    for (std::int64_t span = 1; span <= mostWords(); ++span) {
        Piece wide = body;
        wide.span = span;
        wide.dsp = productsDsp(wide);
        for (const Piece& piece : withLanes(wide, leastWords(span)))
            all.push_back(piece);
    }
    return all;
}

/// Rows of several words, each with products of its own.
BruteForce::Pieces BruteForce::laneUnits(const Piece& body) const {
    if (published())
        return {body};
    std::int64_t words = 1;
    for (const rules::CallSite& call : lowered_.calls)
        if (lowered_.plan.layers[call.layer].lanewise && !lowered_.plan.layers[call.layer].pass)
            words = std::max(words, ceilOf(call.shape.rows, lowered_.menu.lanes));
    Pieces all;
    for (std::int64_t span = 1; span <= std::min(words, kMostSpan); ++span) {
        Piece wide = body;
        wide.lanewise = true;
        wide.span = span;
        wide.parallel *= span;
        wide.dsp = productsDsp(wide);
        for (const Piece& piece : withLanes(wide, leastWords(1)))
            all.push_back(piece);
    }
    return all;
}

/// Up to as many lanes as let no result wait, where the shortest reduction has so many words.
BruteForce::Pieces BruteForce::withLanes(const Piece& body, std::int64_t words) const {
    Pieces all;
    for (std::int64_t lanes = 1; lanes <= lowered_.menu.lanes && body.parallel % lanes == 0;
         lanes *= 2) {
        Piece piece = body;
        piece.writeLanes = lanes;
        piece.dsp += static_cast<double>(lanes) * laneDsp_;
        all.push_back(piece);
        if (lowered_.plan.scales && body.parallel / lanes <= words)
            break;
    }
    if (!lowered_.plan.scales)
        all.erase(all.begin(), all.end() - 1);
    return all;
}

/// Stored words of the columns of the class that is walked, where it multiplies.
std::int64_t BruteForce::mostWords() const {
    const ir::UnitShape& shape = *lowered_.facts->unitShape(*lowered_.egraph, root_);
    return std::clamp<std::int64_t>(shape.cols / lowered_.menu.lanes, 1, kMostSpan);
}

/// Of the shortest reduction of all calls that multiply.
std::int64_t BruteForce::leastWords(std::int64_t span) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t call = 0; call < lowered_.calls.size(); ++call)
        if (!lowered_.plan.layers[lowered_.calls[call].layer].pass)
            least = std::min(least, wordsOf(call, span));
    return least;
}

/// Words at once are those of weights.
bool BruteForce::serves(std::size_t call, const Piece& body) const {
    const ir::Layer& layer = lowered_.plan.layers[lowered_.calls[call].layer];
    return body.span == 1 || (!layer.pass && layer.weight && layer.unbuildable.empty());
}

BruteForce::Piece BruteForce::closedWith(ENodeId leaf, Piece above, std::int64_t rows) const {
    const Skeleton skeleton = *lowered_.terms.skeletonOf(lowered_.egraph->op(leaf));
    above.pins |= pinsOf(leaf);
    const auto params = lowered_.egraph->params(leaf);
    std::vector<egraph::Param> p(params.begin(), params.end()); // P, M, N, types
    p[0] = rows;
    if (skeleton == Skeleton::LaneProducts)
        p.insert(p.begin() + 1, {p[0], 1}); // one product per lane
    if (skeleton == Skeleton::ParallelPartialDot) {
        p.erase(p.begin() + 1); // C changes neither T nor D
        above.neverBuilt = !published();
    }
    const std::int64_t width = std::min<std::int64_t>(p[2], 64);
    if (published()) {
        above.time = above.factor * static_cast<double>(p[1]) * static_cast<double>(p[2]) /
                     static_cast<double>(p[0] * width);
        above.dsp = static_cast<double>(p[0] * width);
        above.factor = 1;
        return above;
    }
    above.parallel *= p[0];
    above.factor = 1;
    return above;
}

/// Of a unit of the class that is walked: products of the channels that this class has.
double BruteForce::productsDsp(const Piece& body) const {
    const ir::UnitShape& shape = *lowered_.facts->unitShape(*lowered_.egraph, root_);
    const std::int64_t products =
        body.lanewise ? 1 : std::min(lowered_.menu.lanes * body.span, shape.cols);
    const int bits = std::max(ir::info(shape.operand).bits, ir::info(shape.weight).bits);
    const std::int64_t rows = body.parallel * body.pixelParallel;
    // Two rows of all that are computed at once have their operands in common; lanes have not.
    if (params_.device.int8ProductsShareFactor)
        return static_cast<double>(ceilOf(rows, bits <= 8 && products > 1 ? 2 : 1) * products);
    const std::int64_t perBlock = bits <= 9 ? params_.device.int8ProductsPerDsp : 1;
    return static_cast<double>(ceilOf(rows * products, perBlock));
}

/// Pixels are computed one by one. Where pins ask for terms, the rows are those of the menu.
bool BruteForce::buildable(const Piece& body) const {
    const bool rows = anyRows_ || body.lanewise || lowered_.menu.parallel.contains(body.parallel) ||
                      body.parallel == lowered_.menu.lanes;
    return published() || (!body.neverBuilt && body.pixelParallel == 1 && rows);
}

std::vector<BrutePoint> BruteForce::bodies(EClassId eclass) const {
    std::vector<BrutePoint> points;
    const ir::UnitShape& shape = *lowered_.facts->unitShape(*lowered_.egraph, eclass);
    const auto found = bodies_.find(eclass);
    for (const Piece& body : found == bodies_.end() ? Pieces() : found->second) {
        const double blocks = static_cast<double>(ceilOf(shape.rows, body.parallel)) /
                              static_cast<double>(body.pixelParallel);
        points.push_back(
            {published() ? body.time : blocks, body.dsp, published() ? body.convs : 0});
    }
    return undominated(std::move(points));
}

} // namespace marquetry::test
