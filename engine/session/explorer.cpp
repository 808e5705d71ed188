#include "engine/session/explorer.h"

#include "engine/extract/widths.h"
#include "engine/frontend/onnx/program_file.h"
#include "engine/rules/lanes.h"

#include <algorithm>
#include <chrono>

namespace marquetry::session {

namespace {

/// For the reasons of a design, whatever its search took.
constexpr double kReasonSeconds = 5;

} // namespace

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
    with_ = with;
    if (search)
        program_ = search->lowered.program;
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
    others_.clear();
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

void Explorer::setLimits(const Setup& with) {
    with_ = with;
    search_->saturation.setParams(with.saturation);
    others_.clear();
}

void Explorer::countTerms(const std::stop_token& stop) {
    counts_ = true;
    countTerms(*search_, stop);
}

/// Counting takes about a microsecond per e-node and level of a term.
void Explorer::countTerms(Search& search, const std::stop_token& stop) {
    constexpr std::size_t kMaxCounted = 50'000;
    const bool inStep = search.terms.size() + 1 == search.saturation.iterations().size();
    if (!inStep || search.lowered.egraph->enodeCount() > kMaxCounted)
        return;
    if (const auto terms = extract::countTerms(search.lowered, stop))
        search.terms.push_back(*terms);
}

bool Explorer::iterate(std::stop_token stop) {
    others_.clear();
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

// ---- search ----

/// An e-graph that ended by itself says nothing about how far others grow until they do.
void Explorer::lowerOthers() {
    egraph::SaturationParams limits = with_.saturation;
    if (outcome_ != egraph::StopReason::Saturated)
        limits.maxIterations = iterations().size();
    const rules::LoweringParams& asked = with_.lowering;
    const std::vector<std::int64_t> groups = rules::offeredGroups(*program_, asked);
    for (const std::int64_t lanes : rules::offeredLanes(*program_, search_->lowered.plan, asked))
        for (const std::int64_t grouped : groups) {
            const Form form{lanes, grouped};
            if (form == search_->form() || std::ranges::any_of(others_, [&](const auto& other) {
                    return other->form() == form;
                }))
                continue;
            rules::LoweringParams lowering = asked;
            lowering.lanes = lanes;
            lowering.groupedChannels = grouped;
            if (auto lowered = rules::lower(program_, lowering))
                others_.push_back(std::make_unique<Search>(*std::move(lowered), limits));
        }
}

void Explorer::growOthers(const std::stop_token& stop) {
    lowerOthers();
    for (const auto& other : others_)
        while (!stop.stop_requested() &&
               (!other->outcome || other->outcome == egraph::StopReason::Cancelled)) {
            other->outcome = other->saturation.step(stop);
            if (counts_)
                countTerms(*other, stop);
        }
}

std::vector<const Explorer::Search*> Explorer::byForm() const {
    std::vector<const Search*> searches = {search_.get()};
    for (const auto& other : others_)
        searches.push_back(other.get());
    std::ranges::sort(searches, {}, &Search::form);
    return searches;
}

Explorer::Found Explorer::extracted(const Search& search, extract::ExtractParams params,
                                    std::stop_token stop) const {
    params.circuits = circuits_;
    auto result = extract::extract(search.lowered, params, std::move(stop));
    const auto& outcome = &search == search_.get() ? outcome_ : search.outcome;
    if (result && outcome)
        noteOutcome(*result, *outcome);
    return result;
}

Explorer::Found Explorer::searchHere(const extract::ExtractParams& params,
                                     std::stop_token stop) const {
    return extracted(*search_, params, std::move(stop));
}

/// The reasons of a design are only asked for where it is likely to be the best.
Explorer::Found Explorer::search(const extract::ExtractParams& params, std::stop_token stop) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    Found here = searchHere(params, stop);
    growOthers(stop);
    const std::vector<const Search*> searches = byForm();
    std::vector<Found> found;
    for (const Search* search : searches) {
        extract::ExtractParams quick = params;
        quick.explain = false;
        quick.method = extract::SearchMethod::Pool;
        const std::chrono::duration<double> passed = Clock::now() - begin;
        quick.seconds = std::max(0.0, params.seconds - passed.count());
        extract::ExtractResult stopped;
        stopped.status = extract::ExtractStatus::Cancelled;
        if (search == search_.get())
            found.push_back(std::move(here));
        else if (stop.stop_requested())
            found.emplace_back(std::move(stopped));
        else
            found.push_back(extracted(*search, quick, stop));
    }
    const auto left = [&] {
        extract::ExtractParams rest = params;
        const std::chrono::duration<double> passed = Clock::now() - begin;
        rest.seconds =
            std::max(std::min(params.seconds, kReasonSeconds), params.seconds - passed.count());
        return rest;
    };
    meetAbsentPins(searches, found, left(), stop);
    return merged(searches, std::move(found), left(), std::move(stop));
}

/// A pin must name something in an e-graph of some width. One that keeps something out is met in
/// those where nothing has its name.
void Explorer::meetAbsentPins(const std::vector<const Search*>& searches, std::vector<Found>& found,
                              extract::ExtractParams params, std::stop_token stop) const {
    if (std::ranges::none_of(found, &Found::has_value))
        return;
    params.explain = false;
    params.absentIsOut = true;
    for (std::size_t k = 0; k < found.size(); ++k)
        if (!found[k] && !stop.stop_requested())
            found[k] = extracted(*searches[k], params, stop);
}

Explorer::Found Explorer::merged(const std::vector<const Search*>& searches,
                                 std::vector<Found> found, const extract::ExtractParams& params,
                                 std::stop_token stop) const {
    std::vector<extract::ExtractResult> results;
    const Search* best = nullptr;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (!found[k])
            continue;
        best = best ? best : searches[k];
        results.push_back(*std::move(found[k]));
    }
    if (results.empty())
        return found.front();
    extract::ExtractResult result = extract::mergedWidths(std::move(results), params);
    for (const Search* search : searches)
        if (result.design && Form::of(*result.design) == search->form())
            best = search;
    const bool here = best == search_.get();
    if (here || stop.stop_requested() || searches.size() == 1)
        return result;
    extract::ExtractParams whole = params;
    whole.absentIsOut = true;
    if (params.objective == extract::Objective::Throughput && result.design)
        whole.frames = result.design->frames;
    Found again = extracted(*best, whole, std::move(stop));
    if (!again || (again->design == nullptr) != (result.design == nullptr))
        return result;
    result.milp = std::move(again->milp);
    if (!again->outOfTime)
        result.infeasible = std::move(again->infeasible);
    if (!again->design || again->design->cycles != result.design->cycles ||
        !(again->design->resources == result.design->resources))
        return result;
    result.design = std::move(again->design);
    result.alternatives = std::move(again->alternatives);
    return result;
}

Result<std::shared_ptr<const design::Design>>
Explorer::searchPoint(const extract::ExtractParams& params, const design::DesignPoint& point,
                      std::stop_token stop) const {
    extract::ExtractParams known = params;
    known.circuits = circuits_;
    known.absentIsOut = true;
    const rules::Lowered* lowered = &search_->lowered;
    for (const auto& other : others_)
        if (other->form() == Form::of(point))
            lowered = &other->lowered;
    return extract::extractPoint(*lowered, known, point, std::move(stop));
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

/// The e-graph of this form is at hand from now on. That it grew no further than the one before is
/// no limit of its own.
void Explorer::takeUp(const Form& form) {
    const auto other =
        std::ranges::find(others_, form, [](const auto& each) { return each->form(); });
    if (form == search_->form() || other == others_.end())
        return;
    search_->outcome = outcome_;
    std::swap(search_, *other);
    search_->saturation.setParams(with_.saturation);
    const bool asFar = search_->outcome == egraph::StopReason::IterationLimit &&
                       outcome_ != egraph::StopReason::Saturated;
    if (!asFar)
        outcome_ = search_->outcome;
    ++version_;
}

void Explorer::adopt(extract::ExtractResult result) {
    if (result.design)
        takeUp(Form::of(*result.design));
    found_ = std::make_shared<const extract::ExtractResult>(std::move(result));
    foundAt_ = version_;
}

void Explorer::drop(Diagnostics reason) {
    extract::ExtractResult none;
    none.infeasible = std::move(reason);
    found_ = std::make_shared<const extract::ExtractResult>(std::move(none));
    foundAt_ = 0;
}

bool Explorer::outOfTime() const {
    const auto late = egraph::StopReason::TimeLimit;
    return found_->outOfTime || outcome_ == late ||
           std::ranges::any_of(others_, [&](const auto& other) { return other->outcome == late; });
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
