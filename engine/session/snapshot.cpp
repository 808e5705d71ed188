#include "engine/session/snapshot.h"

#include "engine/session/controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace marquetry::session {

std::string toString(Phase phase) {
    switch (phase) {
    case Phase::Empty:
        return "empty";
    case Phase::Invalid:
        return "invalid";
    case Phase::Loaded:
        return "loaded";
    case Phase::Saturating:
        return "saturating";
    case Phase::Paused:
        return "paused";
    case Phase::Extracting:
        return "extracting";
    case Phase::Ready:
        return "ready";
    case Phase::Exporting:
        return "exporting";
    case Phase::Verifying:
        return "verifying";
    case Phase::Measuring:
        return "measuring";
    case Phase::Planning:
        return "planning";
    }
    return "empty";
}

const MemoryItem* Snapshot::exportedMemory(const std::string& name) const {
    if (name.empty() && (program || !streams.empty()))
        return nullptr;
    for (std::size_t k = 0; k < memories.size(); ++k)
        if (name.empty() ? k == memory : memories[k].program->name == name)
            return memories[k].ready() ? &memories[k] : nullptr;
    return nullptr;
}

Phase Controller::phase() const {
    if (mode_ != Mode::Saturating && (extractDue_ || (questionOpen() && !onlyProofOpen())))
        return Phase::Extracting;
    const bool sweeping = streams_.due() && !job_ && mode_ != Mode::Saturating;
    if (memories_.due() || streams_.scheduling() || sweeping)
        return Phase::Planning;
    if (job_ && std::holds_alternative<Measure>(job_->command))
        return Phase::Measuring;
    if (job_)
        return std::holds_alternative<Export>(job_->command) ? Phase::Exporting : Phase::Verifying;
    switch (mode_) {
    case Mode::Empty:
        return Phase::Empty;
    case Mode::Invalid:
        return Phase::Invalid;
    case Mode::Loaded:
        return Phase::Loaded;
    case Mode::Saturating:
        return Phase::Saturating;
    case Mode::Paused:
        return Phase::Paused;
    case Mode::Ready:
        return Phase::Ready;
    }
    return Phase::Empty;
}

/// The files of the hardware at hand, made when someone looks and nothing is running.
void Controller::refreshHdl() {
    const HardwareParams params = hardwareParams();
    const std::shared_ptr<const void> hardware = params.identity();
    if (hardware == hdlOf_ || (!explorer_.loaded() && streams_.due()))
        return;
    hdl_.reset();
    hdlOf_.reset();
    if (!hardware || extractDue_ || mode_ == Mode::Saturating)
        return;
    std::vector<HdlFile> files;
    if (Hardware::exportable(params))
        files = Hardware::files(params);
    if (!files.empty())
        hdl_ = std::make_shared<const std::vector<HdlFile>>(std::move(files));
    hdlOf_ = hardware;
}

Snapshot Controller::snapshot(bool watched) {
    watched_ = watched_ || watched;
    if (!lean_)
        refreshHdl();
    refreshBuffers();
    Snapshot snapshot;
    if (unspoken_)
        failure_ = {
            makeError("out-of-memory", std::string("this ran out of memory while ") + doing_)};
    unspoken_ = false;
    snapshot.failure = failure_;
    snapshot.phase = phase();
    snapshot.file = explorer_.file();
    snapshot.item = explorer_.item();
    snapshot.source = explorer_.source();
    snapshot.program = explorer_.program();
    snapshot.diagnostics = explorer_.diagnostics();
    snapshot.settings = choices_.settings();
    snapshot.device = setup_.device;
    snapshot.limits = setup_.limits;
    snapshot.ruleSwitches = rules::ruleGroups();
    snapshot.ruleSwitches.emplace_back("sharing");
    if (const rules::Lowered* lowered = explorer_.lowered()) {
        if (!lean_ && (!view_ || viewOf_ != explorer_.version())) {
            view_ = lowered->egraph->view();
            viewOf_ = explorer_.version();
        }
        snapshot.egraph = view_;
        for (const egraph::Rewrite& rewrite : lowered->rewrites) {
            snapshot.ruleNames.push_back(rewrite.name);
            snapshot.ruleGroups.push_back(rewrite.group);
        }
    }
    if (const auto stream = streamAtHand())
        snapshot.egraph = stream->states->egraph;
    snapshot.iterations = explorer_.iterations();
    snapshot.terms = explorer_.terms();
    snapshot.metrics = metrics_;
    snapshot.metricsOutdated = metrics_ && metricsOf_ != measuredState();
    snapshot.outcome = explorer_.outcome();
    const extract::ExtractResult& found = explorer_.found();
    snapshot.design = found.design;
    snapshot.points = found.points;
    snapshot.lowerBound = static_cast<std::int64_t>(std::llround(found.lowerBound));
    snapshot.gap = found.gap;
    snapshot.infeasible = found.infeasible;
    snapshot.alternatives = found.alternatives;
    snapshot.extracting = extracting_;
    snapshot.whatIf = whatIf_;
    if (provedDesign_ == found.design)
        snapshot.proofs = proofs_;
    snapshot.pins = choices_.pins();
    snapshot.canUndo = choices_.canUndo();
    snapshot.canRedo = choices_.canRedo();
    snapshot.memories = memories_.items();
    snapshot.memory = memories_.current();
    snapshot.streams = streams_.items();
    snapshot.stream = streams_.current();
    snapshot.hdl = hdl_;
    snapshot.exportedTo = exportedTo_;
    snapshot.verify = verify_;
    snapshot.log = log_;
    return snapshot;
}

} // namespace marquetry::session
