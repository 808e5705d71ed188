#include "snapshot_fixture.h"

#include "engine/egraph/egraph.h"

namespace marquetry::test {

using design::CallId;
using design::UnitId;
using egraph::EClassId;
using egraph::ENodeId;
using egraph::Origin;
using egraph::RuleId;

namespace {

enum Rule { Halve, TileMv, TileRows, TileOch, PadMv, Store };

struct Words {
    std::shared_ptr<egraph::Language> language = std::make_shared<egraph::Language>();
    egraph::SortId unit = language->addSort("unit");
    egraph::SortId value = language->addSort("value");
    egraph::SortId stored = language->addSort("stored");
    egraph::OpId dot = op("ParallelDot", unit, {}, 5);
    egraph::OpId mv = op("Mv", unit, {unit}, 0);
    egraph::OpId conv = op("Conv", unit, {unit}, 5);
    egraph::OpId tiledMv = op("TiledMv", unit, {unit}, 2);
    egraph::OpId tiledRows = op("TiledMvRows", unit, {unit}, 2);
    egraph::OpId tiledOch = op("TiledConvOCH", unit, {unit}, 2);
    egraph::OpId paddedMv = op("PaddedMv", unit, {unit}, 2);
    egraph::OpId bram = op("buf:bram", stored, {value}, 0);
    egraph::OpId external = op("buf:external", stored, {value}, 0);
    egraph::OpId image = op("input image", value, {}, 0);
    egraph::OpId convWgt = op("weight convWgt", value, {}, 0);
    egraph::OpId fcWgt = op("weight fcWgt", value, {}, 0);
    egraph::OpId callConv = op("call conv", value, {unit, stored, stored}, 0);
    egraph::OpId callFc = op("call fc", value, {unit, stored, stored}, 0);
    egraph::OpId outputs = op("outputs", value, {stored}, 0);

    egraph::OpId op(const char* name, egraph::SortId result, std::vector<egraph::SortId> children,
                    std::size_t params) {
        return language->addOp({name, result, std::move(children), params});
    }
};

class Maker {
public:
    Maker() : graph_(words_.language) {}

    SnapshotParts make(bool withDesign) {
        fillGraph();
        parts_.snapshot = std::make_shared<session::Snapshot>();
        session::Snapshot& snapshot = *parts_.snapshot;
        snapshot.epoch = 7;
        snapshot.phase = withDesign ? session::Phase::Ready : session::Phase::Saturating;
        snapshot.ruleNames = {"R-HALVE-PARALLELISM", "R-TILE-MV", "R-TILE-MV-ROWS",
                              "R-TILE-CONV-OCH",     "R-PAD-MV",  "R-STORE-EXTERNAL"};
        snapshot.ruleGroups = {"parallelism", "tiling", "tiling", "tiling", "padding", "storage"};
        snapshot.program = program();
        snapshot.egraph = graph_.view();
        if (withDesign)
            fillDesign(snapshot);
        return parts_;
    }

private:
    Origin by(Rule rule, int iteration, EClassId root) const {
        return {RuleId{static_cast<int>(rule)}, iteration, ENodeId{root.value()}};
    }

    /// A dot product in four degrees of parallelism inside a matrix–vector product.
    EClassId mv(std::int64_t rows, std::int64_t cols, const Origin& origin) {
        const EClassId dot = graph_.add(words_.dot, {rows, rows, cols, 0, 0}, {}, origin);
        for (int k = 1; k <= 3; ++k) {
            const EClassId half =
                graph_.add(words_.dot, {rows >> k, rows, cols, 0, 0}, {}, by(Halve, k, dot));
            graph_.merge(dot, half, by(Halve, k, dot));
        }
        return graph_.add(words_.mv, {}, {dot}, origin);
    }

    void equal(EClassId a, EClassId b, const Origin& origin) { graph_.merge(a, b, origin); }

    void fillGraph() {
        const EClassId big = mv(64, 576, {});
        const ENodeId bigNode{big.value()};
        const EClassId conv = graph_.add(words_.conv, {8, 8, 64, 3, 1}, {big});
        const EClassId fc = mv(64, 512, {});
        const EClassId image = graph_.add(words_.bram, {}, {graph_.add(words_.image, {}, {})});
        const EClassId convWgt = graph_.add(words_.bram, {}, {graph_.add(words_.convWgt, {}, {})});
        const EClassId fcValue = graph_.add(words_.fcWgt, {}, {});
        const EClassId fcWgt = graph_.add(words_.bram, {}, {fcValue});
        const EClassId callConv = graph_.add(words_.callConv, {}, {conv, convWgt, image});
        const EClassId between = graph_.add(words_.bram, {}, {callConv});
        const EClassId callFc = graph_.add(words_.callFc, {}, {fc, fcWgt, between});
        graph_.add(words_.outputs, {}, {graph_.add(words_.bram, {}, {callFc})});
        equal(fcWgt, graph_.add(words_.external, {}, {fcValue}, by(Store, 1, fcWgt)),
              by(Store, 1, fcWgt));
        equal(fc, graph_.add(words_.paddedMv, {576, 512}, {big}, by(PadMv, 1, fc)),
              by(PadMv, 1, fc));
        fillTiles(big, conv);
        graph_.rebuild();
        parts_.sharedClass = graph_.find(big);
        parts_.convClass = graph_.find(conv);
        parts_.sharedMv = bigNode;
        fcPad_ = *graph_.lookupNode(words_.paddedMv, std::array<egraph::Param, 2>{576, 512},
                                    std::array{graph_.find(big)});
        convNode_ = ENodeId{conv.value()};
        dot16_ =
            *graph_.lookupNode(words_.dot, std::array<egraph::Param, 5>{16, 64, 576, 0, 0}, {});
    }

    void fillTiles(EClassId big, EClassId conv) {
        for (const std::int64_t cols : {288, 192, 144, 96, 72}) {
            const EClassId tile = mv(64, cols, by(TileMv, 1, big));
            const EClassId tiled =
                graph_.add(words_.tiledMv, {cols, 576}, {tile}, by(TileMv, 1, big));
            if (cols == 288)
                parts_.tiledMv = ENodeId{tiled.value()};
            equal(big, tiled, by(TileMv, 1, big));
        }
        for (const std::int64_t rows : {32, 16}) {
            const EClassId tile = mv(rows, 576, by(TileRows, 2, big));
            equal(big, graph_.add(words_.tiledRows, {rows, 64}, {tile}, by(TileRows, 2, big)),
                  by(TileRows, 2, big));
            const EClassId half =
                graph_.add(words_.conv, {8, 8, 64, 3, 1}, {tile}, by(TileOch, 2, conv));
            equal(conv, graph_.add(words_.tiledOch, {rows, 64}, {half}, by(TileOch, 2, conv)),
                  by(TileOch, 2, conv));
        }
    }

    static std::shared_ptr<const ir::Program> program() {
        auto program = std::make_shared<ir::Program>();
        program->name = "running_example";
        const auto add = [&](const char* name, ir::ValueKind kind,
                             std::vector<ir::ValueId> operands) {
            ir::Value value;
            value.id = ir::ValueId{program->values.size()};
            value.kind = kind;
            value.name = name;
            value.operands = std::move(operands);
            program->values.push_back(value);
            return value.id;
        };
        const auto image = add("image", ir::ValueKind::Input, {});
        const auto convWgt = add("convWgt", ir::ValueKind::Weight, {});
        const auto conv = add("conv", ir::ValueKind::Op, {convWgt, image});
        const auto pool = add("pool", ir::ValueKind::Op, {conv});
        const auto fcWgt = add("fcWgt", ir::ValueKind::Weight, {});
        add("fc", ir::ValueKind::Op, {fcWgt, pool});
        return program;
    }

    design::DesignUnit unit(int id, const ir::UnitShape& shape) const {
        design::DesignUnit unit;
        unit.id = UnitId{id};
        unit.shape = shape;
        unit.name = toString(shape);
        unit.parallelism = 16;
        unit.lanes = 8;
        unit.multipliers = 128;
        unit.resources = {64, 1200, 2400, 6};
        return unit;
    }

    void fillDesign(session::Snapshot& snapshot) {
        auto design = std::make_shared<design::Design>();
        design->program = "running_example";
        design->device = "arria10";
        design->lanes = 8;
        design::DesignUnit mv = unit(0, {ir::UnitFunction::Mv, 64, 576});
        mv.term = "Mv(ParallelDot[16, 64, 576, 0, 0])";
        mv.shared = true;
        mv.callSites = {CallId{0}, CallId{2}};
        mv.busy = 0.72;
        mv.why.counterfactual = "one private copy per call site takes DSP 64 → 128 of 100";
        mv.eclass = parts_.sharedClass;
        mv.chosen = {parts_.sharedMv, dot16_};
        design::DesignUnit pass = unit(1, {ir::UnitFunction::Map, 64, 0, 8, 8});
        pass.name = "Pass";
        pass.multipliers = 0;
        pass.callSites = {CallId{1}};
        pass.busy = 0.11;
        design->units = {mv, pass};
        design->calls = {call(0, "conv", 0, 200, 18'432), call(1, "pool", 1, 18'632, 3'000),
                         call(2, "fc", 0, 21'632, 2'304)};
        design->calls[0].chosen = {convNode_};
        design->calls[0].eclass = parts_.convClass;
        design->calls[0].loops = {{"Conv[8, 8, 64, 3, 1]", 64, false}};
        design->calls[2].chosen = {fcPad_};
        design->calls[2].eclass = graph_.find(EClassId{fcPad_.value()});
        design->calls[2].loops = {{"PaddedMv[576, 512]", 1, false}};
        design->calls[2].memoryBound = true;
        fillRest(*design);
        snapshot.design = design;
        snapshot.points = {{24'136, design->resources, true, true, "found"},
                           {48'000, {32, 700, 1300, 5}, true, true, "small"}};
        snapshot.alternatives.edit()["Mv 64×576"] = {
            "share Mv 64×576 with P=8: +20 736 compute cycles (+86 %), 32 DSP"};
    }

    design::DesignCall call(int id, const char* layer, int unit, std::int64_t start,
                            std::int64_t cycles) const {
        design::DesignCall call;
        call.id = CallId{id};
        call.layer = layer;
        call.unit = UnitId{unit};
        call.start = start;
        call.cycles = cycles;
        call.macs = cycles * 100;
        call.result = ir::ValueId{id == 0 ? 2 : id == 1 ? 3 : 5};
        return call;
    }

    void fillRest(design::Design& design) const {
        design.resources = {64, 2100, 4100, 9};
        design.cycles = 24'136;
        design.transferCycles = 400;
        design.macs = 2'373'600;
        design.clockMhz = 200;
        design.gops = 39.3;
        design.terms = {{"call conv", 18'432, "cycles", "64 · 288"},
                        {"call pool", 3'000, "cycles", "64 · 46 + fill"},
                        {"call fc", 2'304, "cycles", "576 · 4"},
                        {"streams", 400, "cycles", "8·8·64 / 16 + …"},
                        {"unit Mv 64×576", 64, "DSP", "128 products / 2 per DSP"},
                        {"buffer fcWgt", 2, "BRAM", "4608 × 64"}};
        const auto buffer = [&](int id, const char* name, bool weights, design::BufferKind kind) {
            design::DesignBuffer made;
            made.id = design::BufferId{id};
            made.name = name;
            made.weights = weights;
            made.kind = kind;
            made.words = 4608;
            made.width = 64;
            made.scheme = "flat N=8 B=1 α=[1]";
            made.bram = 2;
            return made;
        };
        design.buffers = {buffer(0, "convWgt", true, design::BufferKind::BlockRam),
                          buffer(1, "fcWgt", true, design::BufferKind::External),
                          buffer(2, "image", false, design::BufferKind::BlockRam)};
        design.candidates = {
            {parts_.sharedClass,
             "Mv 64×576",
             {"conv", "fc"},
             true,
             false,
             64,
             0,
             0.72,
             "built once for 2 call sites; one copy each would take DSP 64 → 128 of 100, over the "
             "limit"},
            {parts_.convClass,
             "Conv 8×8×64→64 k3",
             {"conv", "fc"},
             false,
             false,
             12,
             300,
             0,
             "no design that shares it fits the limits"},
            {EClassId{}, "Mv 32×288", {}, false, true, 0, 0, 0, "forbidden by a pin"}};
    }

    Words words_;
    egraph::EGraph graph_;
    SnapshotParts parts_;
    ENodeId fcPad_;
    ENodeId convNode_;
    ENodeId dot16_;
};

} // namespace

SnapshotParts makeSnapshot(bool withDesign) {
    return Maker().make(withDesign);
}

std::shared_ptr<session::Snapshot> unshared(const SnapshotParts& parts) {
    auto snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    ++snapshot->epoch;
    auto design = std::make_shared<design::Design>(*parts.snapshot->design);
    design::DesignUnit copy = design->units[0];
    design->units[0].shared = false;
    design->units[0].callSites = {CallId{0}};
    copy.id = UnitId{2};
    copy.name += " #2";
    copy.shared = false;
    copy.callSites = {CallId{2}};
    design->units.push_back(copy);
    design->calls[2].unit = UnitId{2};
    std::swap(design->candidates[0], design->candidates[1]);
    design->candidates[1].shared = false;
    design->candidates[1].reason = "forbidden by a pin";
    design->candidates[1].forbidden = true;
    design->candidates.pop_back();
    snapshot->pins = {{3, design::PinKind::NeverShare, "Mv 64×576", "", true}};
    snapshot->design = design;
    return snapshot;
}

std::shared_ptr<session::Snapshot> bigSnapshot(std::size_t classes) {
    Words words;
    egraph::EGraph graph(words.language);
    std::vector<EClassId> made;
    std::uint64_t state = 12345;
    for (std::size_t k = 0; k < classes; ++k) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto id = static_cast<std::int64_t>(k);
        if (k < 16)
            made.push_back(graph.add(words.dot, {id, 1, 1, 0, 0}, {}));
        else
            made.push_back(
                graph.add(words.tiledMv, {id, 1}, {made[(state >> 33) % (made.size() / 2 + 1)]}));
    }
    graph.rebuild();
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->phase = session::Phase::Saturating;
    snapshot->egraph = graph.view();
    return snapshot;
}

} // namespace marquetry::test
