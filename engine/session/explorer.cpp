#include "engine/session/explorer.h"

#include "engine/frontend/onnx/program_file.h"

#include <algorithm>

namespace marquetry::session {

/// Made once, so that to lose what was found takes no memory.
const std::shared_ptr<const extract::ExtractResult>& Explorer::nothing() {
    static const auto none = std::make_shared<const extract::ExtractResult>();
    return none;
}

Explorer Explorer::successor() const {
    Explorer next;
    next.version_ = version_ + 1;
    return next;
}

Status Explorer::openFile(const std::string& path, const std::string& item, const Setup& with,
                          const std::stop_token& stop) {
    if (frontend::onnx::isModelFile(path))
        return openModel(path, item, with, stop);
    auto text = frontend::readFile(path);
    if (text)
        return openText(*std::move(text), path, item, with);
    file_ = path;
    item_ = item;
    return load(text.error(), with);
}

/// The program that an imported network is stands for its text.
Status Explorer::openModel(const std::string& path, const std::string& item, const Setup& with,
                           const std::stop_token& stop) {
    auto read = frontend::onnx::readProgramFile(path, stop);
    file_ = path;
    item_ = item;
    if (!read)
        return load(read.error(), with);
    source_ = std::make_shared<const std::string>(std::move(read->parsed.text));
    return load(std::move(read->parsed), with);
}

Status Explorer::openText(std::string text, const std::string& file, const std::string& item,
                          const Setup& with) {
    file_ = file;
    item_ = item;
    source_ = std::make_shared<const std::string>(std::move(text));
    return load(frontend::parse(*source_, file), with);
}

Status Explorer::openProgram(std::shared_ptr<const ir::Program> program, const Setup& with) {
    program_ = std::move(program);
    return restart(with);
}

Status Explorer::load(Result<frontend::ParseResult> parsed, const Setup& with) {
    if (!parsed)
        return fail(parsed.error());
    warnings_ = parsed->warnings;
    memories_ = parsed->memories;
    streams_ = parsed->streams;
    const bool other = namesOther();
    if (parsed->programs.empty() && !(memories_.empty() && streams_.empty())) {
        diagnostics_ = warnings_;
        if (other || item_.empty())
            return ok();
        const auto missing = frontend::selectItem(*std::move(parsed), item_);
        return fail(missing.error());
    }
    auto selected = frontend::selectItem(*std::move(parsed), other ? "" : item_);
    if (!selected)
        return fail(selected.error());
    program_ = std::make_shared<const ir::Program>(*std::move(selected));
    return restart(with);
}

void Explorer::warn(const Diagnostics& warnings) {
    warnings_.insert(warnings_.end(), warnings.begin(), warnings.end());
    diagnostics_.insert(diagnostics_.end(), warnings.begin(), warnings.end());
}

bool Explorer::namesOther() const {
    const auto named = [this](const auto& item) { return item.name == item_; };
    return std::ranges::any_of(memories_, named) || std::ranges::any_of(streams_, named);
}

Status Explorer::restart(const Setup& with) {
    ENGINE_ASSERT(program_ != nullptr, "there is a program to lower");
    auto lowered = rules::lower(program_, with.lowering);
    std::unique_ptr<Search> search;
    if (lowered)
        search = std::make_unique<Search>(*std::move(lowered), with.saturation);
    Status status = lowered ? ok() : fail(lowered.error());
    if (status)
        diagnostics_ = warnings_;
    lose();
    lost_ = false;
    search_ = std::move(search);
    return status;
}

void Explorer::lose() noexcept {
    lost_ = search_ != nullptr;
    search_.reset();
    outcome_.reset();
    found_ = nothing();
    foundAt_ = 0;
    ++version_;
}

Status Explorer::fail(Diagnostics errors) {
    Diagnostics all = warnings_;
    for (Diagnostic& error : errors) {
        if (error.file.empty())
            error.file = file_;
        all.push_back(error);
    }
    diagnostics_ = std::move(all);
    return errors;
}

void Explorer::setLimits(const egraph::SaturationParams& params) {
    search_->saturation.setParams(params);
}

/// Counting takes about a microsecond per e-node and level of a term.
void Explorer::countTerms(const std::stop_token& stop) {
    constexpr std::size_t kMaxCounted = 50'000;
    const bool inStep = search_->terms.size() + 1 == iterations().size();
    if (!inStep || search_->lowered.egraph->enodeCount() > kMaxCounted)
        return;
    if (const auto terms = extract::countTerms(search_->lowered, stop))
        search_->terms.push_back(*terms);
}

bool Explorer::iterate(std::stop_token stop) {
    const egraph::EGraph& egraph = *search_->lowered.egraph;
    const std::size_t enodes = egraph.totalEnodes();
    const std::size_t unions = egraph.unionCount();
    outcome_ = search_->saturation.step(std::move(stop));
    if (egraph.totalEnodes() != enodes || egraph.unionCount() != unions)
        ++version_;
    return outcome_.has_value();
}

bool Explorer::canIterate() const {
    return loaded() && outcome_ != egraph::StopReason::Saturated;
}

Result<extract::ExtractResult> Explorer::search(const extract::ExtractParams& params,
                                                std::stop_token stop) const {
    extract::ExtractParams known = params;
    known.circuits = circuits_;
    auto result = extract::extract(search_->lowered, known, std::move(stop));
    if (result && outcome_)
        noteOutcome(*result, *outcome_);
    return result;
}

hdl::LayerCircuits Explorer::streamCircuits() const {
    hdl::LayerCircuits circuits;
    for (const rules::StreamedCall& call : search_->lowered.menu.streams) {
        const ir::Layer& layer = search_->lowered.plan.layers[call.layer];
        const auto made = circuits_->byAnchor.find(layer.anchor);
        if (made != circuits_->byAnchor.end() && made->second)
            circuits.emplace(layer.name, *made->second);
    }
    return circuits;
}

void Explorer::adopt(extract::ExtractResult result) {
    found_ = std::make_shared<const extract::ExtractResult>(std::move(result));
    foundAt_ = version_;
}

void Explorer::drop(Diagnostics reason) {
    extract::ExtractResult none;
    none.infeasible = std::move(reason);
    found_ = std::make_shared<const extract::ExtractResult>(std::move(none));
    foundAt_ = 0;
}

std::unique_ptr<rules::Lowered> Explorer::takeLowered() {
    auto taken = std::make_unique<rules::Lowered>(std::move(search_->lowered));
    lose();
    return taken;
}

const std::vector<extract::TermCount>& Explorer::terms() const {
    static const std::vector<extract::TermCount> none;
    return search_ ? search_->terms : none;
}

const std::vector<egraph::Iteration>& Explorer::iterations() const {
    static const std::vector<egraph::Iteration> none;
    return search_ ? search_->saturation.iterations() : none;
}

} // namespace marquetry::session
