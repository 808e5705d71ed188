#include "engine/session/memories.h"

#include "engine/banking/derive.h"
#include "engine/banking/pins.h"
#include "engine/session/schemes.h"

#include <algorithm>
#include <chrono>

namespace marquetry::session {

namespace {

using banking::AccessPattern;
using banking::Scheme;

Diagnostic unplanned(const std::string& item) {
    return makeError("memory-unplanned", "the banks of \"" + item + "\" are not known yet",
                     "show the item and wait for its plan");
}

SchemeAttempt asked(const SchemeName& name) {
    SchemeAttempt attempt;
    attempt.name = name;
    return attempt;
}

/// The scheme of the front that the user chose; the first when that is not there (any more).
void chooseScheme(MemoryItem& item) {
    item.chosen = 0;
    for (std::size_t k = 0; k < item.plan->front.size() && item.choice.chosen; ++k) {
        const Scheme& scheme = item.plan->front[k].scheme;
        if (SchemeName{scheme.maps, scheme.copies} == *item.choice.chosen)
            item.chosen = k;
    }
    item.detail = detailOf(*item.pattern, item.plan->front[item.chosen]);
}

/// Everything a bank search asks of a program, as one text.
std::string accessesOf(const ir::MemoryProgram& program) {
    std::string text = program.name + ": " + ir::toString(program.type);
    for (const ir::MemoryNest& nest : program.nests) {
        for (const ir::MemoryLoop& loop : nest.loops)
            text += "; " + toString(loop, nest);
        for (const ir::MemoryReference& reference : nest.references)
            text += (reference.write ? "; write " : "; read ") + reference.text;
    }
    return text;
}

} // namespace

void Memories::open(std::vector<ir::MemoryProgram> programs, const std::string& item) {
    *this = {};
    for (ir::MemoryProgram& program : programs) {
        items_.emplace_back();
        items_.back().program = std::make_shared<const ir::MemoryProgram>(std::move(program));
        if (items_.back().program->name == item)
            current_ = items_.size() - 1;
    }
    if (any())
        items_[current_].planning = true;
}

void Memories::setBuffers(std::vector<ir::MemoryProgram> programs, const BufferSource& source,
                          const BankChoices& choices) {
    const std::string shown = any() ? items_[current_].program->name : "";
    const auto firstBuffer = std::ranges::find(items_, true, &MemoryItem::buffer);
    const std::vector<MemoryItem> before(firstBuffer, items_.end());
    Memories next;
    next.items_.assign(items_.begin(), firstBuffer);
    for (ir::MemoryProgram& program : programs) {
        const std::string array = program.name;
        if (next.find(program.name) || std::ranges::count(source.taken, program.name) > 0)
            program.name += " (buffer)";
        const auto same = std::ranges::find_if(before, [&](const MemoryItem& item) {
            return accessesOf(*item.program) == accessesOf(program);
        });
        next.items_.push_back(same != before.end() ? *same : MemoryItem());
        MemoryItem& item = next.items_.back();
        if (same == before.end())
            item.program = std::make_shared<const ir::MemoryProgram>(std::move(program));
        item.buffer = true;
        item.owner = source.owner;
        item.options = source.options.empty() ? "" : source.options + " --array " + array;
    }
    const MemoryItem* now = next.find(wanted_);
    if (now == nullptr)
        now = next.find(shown);
    next.current_ = now ? static_cast<std::size_t>(now - next.items_.data()) : 0;
    next.wanted_ = wanted_;
    const bool stays = now && now->program->name == shown;
    next.interrupted_ = stays ? interrupted_ : std::nullopt;
    if (now && !stays)
        next.planAtHand();
    next.setChoices(choices);
    *this = std::move(next);
}

void Memories::planAtHand() {
    if (!items_[current_].plan && items_[current_].failure.empty())
        change()[current_].planning = true;
}

const MemoryItem* Memories::find(const std::string& item) const {
    const auto found = std::ranges::find_if(
        items_, [&](const MemoryItem& each) { return each.program->name == item; });
    return found == items_.end() ? nullptr : &*found;
}

Shared<std::vector<MemoryItem>> Memories::shared() {
    if (!shared_)
        shared_ = items_;
    return *shared_;
}

std::vector<MemoryItem>& Memories::change() {
    shared_.reset();
    return items_;
}

Status Memories::show(const std::string& name) {
    if (!any())
        return makeError("no-memory", "the file has no memory item", "open one that has");
    const MemoryItem* wanted = find(name);
    if (!wanted)
        return makeError("memory-unknown", "there is no memory item \"" + name + "\"");
    current_ = static_cast<std::size_t>(wanted - items_.data());
    wanted_ = name;
    interrupted_.reset();
    planAtHand();
    return ok();
}

Status Memories::attempt(const std::string& name, const SchemeName& scheme) {
    if (const Status shown = show(name); !shown)
        return shown;
    MemoryItem& wanted = change()[current_];
    if (scheme.maps.empty()) {
        wanted.attempt.reset();
        return ok();
    }
    if (!wanted.pattern)
        return unplanned(name);
    if (const Status right = checkMaps(scheme.maps, wanted.pattern->dims.size()); !right)
        return right;
    if (const Status right = checkCopies(scheme.copies - 1); !right)
        return right;
    if (banking::derive(scheme.maps, wanted.pattern->dims).words > banking::kMostSchemeWords)
        return wrongShape("more than 2^40 words in all banks");
    wanted.attempt = asked(scheme);
    return ok();
}

Status Memories::admit(const std::string& name, const BankChoice& choice) const {
    const MemoryItem* wanted = find(name);
    if (!wanted)
        return makeError("memory-unknown", "there is no memory item \"" + name + "\"");
    const std::size_t rank = wanted->program->type.dims.size();
    if (const Status right = checkMaps(choice.pins.maps, rank); !right)
        return right;
    if (const Status right = checkCopies(choice.pins.copies); !right)
        return right;
    const ir::FlatMap parts{choice.pins.alpha.empty() ? banking::Address(rank) : choice.pins.alpha,
                            std::max<std::int64_t>(choice.pins.block, 1),
                            std::max<std::int64_t>(choice.pins.banks, 1)};
    if (const Status right = checkMaps({parts}, rank);
        !right || choice.pins.block < 0 || choice.pins.banks < 0)
        return right ? wrongShape("N and B are at least 1") : right;
    if (!choice.chosen)
        return ok();
    if (!wanted->plan || wanted->planning)
        return unplanned(name);
    const bool known = std::ranges::any_of(wanted->plan->front, [&](const auto& priced) {
        return SchemeName{priced.scheme.maps, priced.scheme.copies} == *choice.chosen;
    });
    return known ? ok()
                 : Status(makeError("scheme-unknown", "this scheme is not on the front",
                                    "try it, then pin it"));
}

void Memories::setChoices(const BankChoices& choices) {
    for (MemoryItem& each : change()) {
        const auto found = choices.find(each.program->name);
        // The array may be another than the one that the choice was made for.
        const bool fits = found != choices.end() &&
                          admit(each.program->name, {found->second.pins, std::nullopt}).has_value();
        const BankChoice now = fits ? found->second : BankChoice();
        if (now == each.choice)
            continue;
        // Planned or not, the item is due: choosing is done by work(), which knows the device.
        each.planning = true;
        if (now.pins != each.choice.pins) {
            each.plan.reset();
            each.failure.clear();
            interrupted_.reset();
        }
        each.choice = now;
    }
}

void Memories::planAgain() {
    interrupted_.reset();
    for (MemoryItem& each : change()) {
        each.planning = each.planning || each.plan || !each.failure.empty();
        each.plan.reset();
        each.detail.reset();
        each.failure.clear();
        if (each.attempt)
            each.attempt = asked(each.attempt->name);
    }
}

bool Memories::due() const {
    if (!any())
        return false;
    const MemoryItem& now = items_[current_];
    return now.planning || (now.attempt && now.attempt->running);
}

void Memories::work(const device::Device& device, const PlanEffort& effort, std::stop_token stop) {
    MemoryItem next = items_[current_]; // all at the end
    if (next.planning)
        makePlan(next, device, effort, std::move(stop));
    else if (next.attempt && next.attempt->running)
        decide(*next.attempt, next, device);
    change()[current_] = std::move(next);
}

void Memories::makePlan(MemoryItem& now, const device::Device& device, const PlanEffort& effort,
                        std::stop_token stop) {
    const auto started = std::chrono::steady_clock::now();
    if (!now.pattern || now.pattern->late) {
        banking::AccessParams access;
        access.seconds = effort.seconds / 2; // the rest is for the search
        auto pattern = banking::accessPattern(*now.program, access, stop);
        if (stop.stop_requested())
            return;
        if (!pattern)
            return adopt(now, pattern.error());
        now.pattern = std::make_shared<const AccessPattern>(*std::move(pattern));
        now.iterations = std::make_shared<const banking::Iterations>(now.pattern);
    }
    if (now.plan) {
        now.planning = false;
        return chooseScheme(now);
    }
    banking::PlanParams params = effort.params;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started;
    if (effort.seconds > 0)
        params.search.seconds = std::max(0.01, effort.seconds - passed.count());
    auto plan =
        banking::plan(*now.pattern, now.program->directive, now.choice.pins, device, params, stop);
    if (stop.stop_requested()) {
        interrupted_ = std::move(plan);
        return;
    }
    adopt(now, std::move(plan));
}

void Memories::fail(const Diagnostic& reason) {
    if (!any())
        return;
    MemoryItem& now = change()[current_];
    Diagnostics failure{reason};
    if (now.planning) {
        now.failure = std::move(failure);
        now.plan.reset();
        now.detail.reset();
    } else if (now.attempt) {
        now.attempt->text = reason.message;
    }
    giveUp();
}

void Memories::giveUp() noexcept {
    interrupted_.reset();
    if (!any())
        return;
    MemoryItem& now = change()[current_];
    now.planning = false;
    if (now.attempt)
        now.attempt->running = false;
}

void Memories::settleForLess() {
    if (!any() || !items_[current_].planning)
        return;
    MemoryItem next = items_[current_]; // all at the end
    adopt(next, interrupted_
                    ? *interrupted_
                    : makeError("search-stopped", "the search was stopped before it found banks"));
    change()[current_] = std::move(next);
}

void Memories::adopt(MemoryItem& now, Result<banking::Plan> plan) {
    now.planning = false;
    now.plan.reset();
    now.detail.reset();
    now.failure.clear();
    interrupted_.reset();
    if (plan) {
        now.plan = std::make_shared<const banking::Plan>(*std::move(plan));
        return chooseScheme(now);
    }
    now.failure = plan.error();
    for (Diagnostic& diagnostic : now.failure)
        if (diagnostic.file.empty() && diagnostic.range.known())
            diagnostic.file = now.program->file;
    const auto& written = now.program->directive;
    // The moment at which a fixed scheme fails belongs on the picture.
    const auto& fixed = written.maps.empty() ? now.choice.pins.maps : written.maps;
    if (now.failure.front().code == "bank-conflict" && !fixed.empty())
        now.attempt = asked({fixed, std::max<std::int64_t>(written.copies, 1)});
}

Result<MemoryItem> planMemory(ir::MemoryProgram program, const banking::SchemePins& pins,
                              const device::Device& device, const PlanEffort& effort) {
    Memories memories;
    const std::string name = program.name;
    std::vector<ir::MemoryProgram> programs;
    programs.push_back(std::move(program));
    memories.open(std::move(programs), name);
    memories.setChoices({{name, {pins, std::nullopt}}});
    memories.work(device, effort, {});
    const MemoryItem& item = memories.items().front();
    if (!item.plan)
        return item.failure;
    return item;
}

} // namespace marquetry::session
