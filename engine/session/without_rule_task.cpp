#include "engine/session/without_rule_task.h"

#include "engine/session/setup.h"

#include <algorithm>
#include <utility>

namespace marquetry::session {

Due WithoutRuleTask::due() const {
    if (!asked_ || !asked_->running || !current())
        return {};
    return {Work::Try, false, true, "trying the search without a rule", "the search was tried"};
}

bool WithoutRuleTask::current() const {
    return asked_ && designs_.loaded() && program_ == designs_.explorer().program() &&
           design_ == designs_.best().design && settings_ == shared_.choices.settings() &&
           pins_ == shared_.choices.pins();
}

std::optional<Status> WithoutRuleTask::apply(const Command& command) {
    const auto* const question = std::get_if<AskWithoutRule>(&command);
    return question ? std::optional(ask(question->rule)) : std::nullopt;
}

Status WithoutRuleTask::ask(const std::string& rule) {
    if (rule.empty()) {
        asked_.reset();
        trial_.reset();
        return ok();
    }
    if (const Status found = designs_.hasDesign(); !found)
        return found;
    if (!designs_.ended())
        return makeError("running", "the search has not come to its end",
                         "wait for it, or stop it first");
    const auto& rewrites = designs_.explorer().lowered()->rewrites;
    if (std::ranges::find(rewrites, rule, &egraph::Rewrite::name) == rewrites.end())
        return makeError("rule-unknown", "no rule of the search is called \"" + rule + "\"",
                         "the Rules view lists them");
    if (current() && asked_->rule == rule)
        return ok();
    trial_.reset();
    program_ = designs_.explorer().program();
    settings_ = shared_.choices.settings();
    pins_ = shared_.choices.pins();
    design_ = designs_.best().design;
    auto asked = std::make_shared<WithoutRule>();
    asked->rule = rule;
    asked->now = figuresOf(*design_, designs_.outOfTime());
    asked_ = std::move(asked);
    return ok();
}

void WithoutRuleTask::work(std::stop_token stop) {
    if (!trial_)
        trial_.emplace(
            program_,
            ChangeToTry{"Without " + asked_->rule, withRules(settings_, {asked_->rule, false})},
            pins_, shared_.progress);
    if (!trial_->over())
        trial_->work(stop);
    if (!trial_->over() || stop.stop_requested())
        return;
    const NextChange found = trial_->answer();
    answer(found.then, found.problem);
}

void WithoutRuleTask::answer(const std::optional<ChangeFigures>& then, const Diagnostics& problem) {
    auto answered = std::make_shared<WithoutRule>(*asked_);
    answered->running = false;
    answered->then = then;
    answered->problem = problem;
    asked_ = std::move(answered);
    trial_.reset();
    shared_.news = true;
}

void WithoutRuleTask::fail(const Diagnostic& reason) {
    trial_.reset(); // its memory may be what there was none of
    if (asked_)
        answer(std::nullopt, {reason});
}

void WithoutRuleTask::giveUp() noexcept {
    asked_.reset();
    trial_.reset();
}

void WithoutRuleTask::show(Snapshot& snapshot) {
    if (current())
        snapshot.withoutRule = asked_;
    else
        giveUp(); // of what nobody wants any more
}

} // namespace marquetry::session
