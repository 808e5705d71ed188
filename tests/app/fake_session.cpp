#include "fake_session.h"

#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "tests/support/places.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace marquetry::test {

using session::Phase;

namespace {

std::string readText(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::shared_ptr<const std::vector<session::HdlFile>> scriptedHdl(const design::Design& design) {
    std::vector<session::HdlFile> files;
    files.push_back({"rtl/top.v",
                     "// Top level of " + design.program +
                         ".\n`default_nettype none\nmodule top #(parameter LANES = 64) (\n"
                         "    input  wire        clk,\n    input  wire        rst,\n"
                         "    input  wire        start,\n    output reg         done,\n"
                         "    output reg  [31:0] cycles\n);\n"
                         "    /* counts while\n       the design runs */\n"
                         "    always @(posedge clk)\n        if (rst) cycles <= 32'd0;\n"
                         "        else if (!done) cycles <= cycles + 32'h1;\n"
                         "    initial $display(\"top\");\nendmodule\n",
                     ""});
    for (const design::DesignUnit& unit : design.units)
        files.push_back({"rtl/unit_" + std::to_string(unit.id.value()) + ".v",
                         "// " + unit.name + ": " + unit.term + "\nmodule unit_" +
                             std::to_string(unit.id.value()) + " (input wire clk);\nendmodule\n",
                         unit.name});
    return std::make_shared<const std::vector<session::HdlFile>>(std::move(files));
}

} // namespace

FakeSession::FakeSession(session::Session::Callbacks callbacks) : callbacks_(std::move(callbacks)) {
    state_.device = *device::findDevice(state_.settings.device);
    state_.limits = state_.device.limits;
    publish();
}

session::Ticket FakeSession::post(session::Command command) {
    posted_.push_back(command);
    session::Acknowledgement acknowledgement;
    acknowledgement.ticket = ++tickets_;
    acknowledgement.diagnostics = handle(command);
    acknowledgement.accepted = !hasErrors(acknowledgement.diagnostics);
    acknowledgement.epoch = published_->epoch + 1;
    callbacks_.acknowledged(acknowledgement);
    return acknowledgement.ticket;
}

void FakeSession::requestSnapshot() {
    ++requests_;
    if (state_.phase == Phase::Saturating)
        iterate();
    else if (state_.phase == Phase::Verifying)
        advanceVerification();
    publish();
    callbacks_.snapshotReady();
}

void FakeSession::publish() {
    ++state_.epoch;
    published_ = std::make_shared<const session::Snapshot>(state_);
}

void FakeSession::fail(const Diagnostic& reason) {
    state_.failure = {reason};
    publish();
    callbacks_.snapshotReady();
}

Diagnostics FakeSession::handle(const session::Command& command) {
    state_.failure.clear();
    if (const auto* open = std::get_if<session::OpenFile>(&command))
        return this->open(open->path);
    if (const auto* change = std::get_if<session::ChangeSettings>(&command)) {
        auto setup = session::makeSetup(change->settings, state_.pins);
        if (!setup)
            return setup.error();
        const bool again = lowered_ && session::changesEgraph(*lowered_, setup_, *setup);
        state_.settings = change->settings;
        if (again)
            return lower();
        setup_ = *std::move(setup);
        if (state_.phase == Phase::Ready)
            extract();
        return {};
    }
    if (const auto* rules = std::get_if<session::SwitchRules>(&command)) {
        const Phase before = state_.phase;
        const Diagnostics refused =
            handle(session::ChangeSettings{session::withRules(state_.settings, *rules)});
        if (refused.empty() && before == Phase::Ready)
            state_.phase = Phase::Saturating;
        return refused;
    }
    if (const auto* add = std::get_if<session::AddPin>(&command)) {
        std::vector<design::Pin> pins = state_.pins;
        pins.push_back(add->pin);
        pins.back().id = nextPin_++;
        undo_.push_back(state_.pins);
        redo_.clear();
        changePins(std::move(pins));
        return {};
    }
    if (const auto* remove = std::get_if<session::RemovePin>(&command)) {
        std::vector<design::Pin> pins = state_.pins;
        std::erase_if(pins, [&](const design::Pin& pin) { return pin.id == remove->id; });
        undo_.push_back(state_.pins);
        redo_.clear();
        changePins(std::move(pins));
        return {};
    }
    if (const auto* enable = std::get_if<session::EnablePin>(&command)) {
        std::vector<design::Pin> pins = state_.pins;
        for (design::Pin& pin : pins)
            if (pin.id == enable->id)
                pin.enabled = enable->enabled;
        undo_.push_back(state_.pins);
        redo_.clear();
        changePins(std::move(pins));
        return {};
    }
    if (const auto* question = std::get_if<session::AskWhatIf>(&command)) {
        state_.whatIf.reset();
        if (question->pin)
            answer(*question->pin);
        return {};
    }
    if (std::holds_alternative<session::Undo>(command) && !undo_.empty()) {
        redo_.push_back(state_.pins);
        std::vector<design::Pin> pins = undo_.back();
        undo_.pop_back();
        changePins(std::move(pins));
        return {};
    }
    if (std::holds_alternative<session::Redo>(command) && !redo_.empty()) {
        undo_.push_back(state_.pins);
        std::vector<design::Pin> pins = redo_.back();
        redo_.pop_back();
        changePins(std::move(pins));
        return {};
    }
    if (std::holds_alternative<session::Run>(command) && lowered_) {
        state_.phase = Phase::Saturating;
        return {};
    }
    if (std::holds_alternative<session::Pause>(command) && lowered_) {
        state_.phase = Phase::Paused;
        return {};
    }
    if (std::holds_alternative<session::Step>(command) && lowered_) {
        iterate();
        if (state_.phase == Phase::Saturating || state_.phase == Phase::Loaded)
            state_.phase = Phase::Paused;
        return {};
    }
    if (std::holds_alternative<session::Stop>(command) && lowered_) {
        state_.outcome = egraph::Outcome::Cancelled;
        finish();
        return {};
    }
    if (const auto* written = std::get_if<session::Export>(&command); written && state_.design) {
        exportTo(written->folder);
        return {};
    }
    if (const auto* check = std::get_if<session::Verify>(&command); check && state_.design) {
        state_.phase = Phase::Verifying;
        state_.verify = {};
        state_.verify.running = true;
        state_.verify.simulator = check->simulator;
        verifyRounds_ = 0;
        return {};
    }
    return {makeError("no-design", "There is nothing to do that with yet.", "Run first.")};
}

Diagnostics FakeSession::open(const std::string& path) {
    auto parsed = frontend::parseFile(path);
    const session::Settings settings = state_.settings;
    const std::uint64_t epoch = state_.epoch;
    state_ = {};
    state_.settings = settings;
    state_.epoch = epoch;
    state_.file = path;
    state_.source = std::make_shared<const std::string>(readText(path));
    state_.log.edit().push_back({epoch, "opened " + path});
    lowered_.reset();
    saturation_.reset();
    if (!parsed) {
        state_.phase = Phase::Invalid;
        state_.diagnostics = parsed.error();
        return {};
    }
    state_.diagnostics = parsed->warnings;
    state_.program = std::make_shared<const ir::Program>(parsed->programs.front());
    return lower();
}

Diagnostics FakeSession::lower() {
    auto setup = session::makeSetup(state_.settings, state_.pins);
    if (!setup)
        return setup.error();
    setup_ = *std::move(setup);
    state_.device = setup_.device;
    state_.limits = setup_.limits;
    auto lowered = rules::lower(state_.program, setup_.lowering);
    if (!lowered)
        return lowered.error();
    lowered_ = std::make_unique<rules::Lowered>(*std::move(lowered));
    saturation_ = std::make_unique<egraph::Saturation>(*lowered_->egraph, lowered_->rewrites,
                                                       setup_.saturation);
    state_.ruleSwitches = rules::ruleGroups();
    state_.ruleNames = {};
    state_.ruleGroups = {};
    for (const egraph::Rewrite& rewrite : lowered_->rewrites) {
        state_.ruleNames.edit().push_back(rewrite.name);
        state_.ruleGroups.edit().push_back(rewrite.group);
    }
    state_.phase = Phase::Loaded;
    state_.iterations = {};
    state_.outcome.reset();
    state_.design.reset();
    state_.hdl.reset();
    state_.points = {};
    state_.egraph = lowered_->egraph->view();
    return {};
}

void FakeSession::iterate() {
    const auto outcome = saturation_->step({});
    state_.iterations = saturation_->iterations();
    state_.egraph = lowered_->egraph->view();
    if (!outcome)
        return;
    state_.outcome = outcome;
    finish();
}

void FakeSession::finish() {
    extract();
    state_.phase = Phase::Ready;
}

void FakeSession::extract() {
    state_.whatIf.reset();
    setup_.extraction.pins = state_.pins;
    state_.limits = setup_.limits;
    auto result = extract::extract(*lowered_, setup_.extraction);
    state_.infeasible = result ? result->infeasible : result.error();
    state_.design.reset();
    state_.hdl.reset();
    if (!result || !result->design)
        return;
    state_.design = result->design;
    state_.points = result->points;
    state_.lowerBound = static_cast<std::int64_t>(result->lowerBound);
    state_.gap = result->gap;
    state_.alternatives = result->alternatives;
    state_.hdl = scriptedHdl(*state_.design);
}

void FakeSession::answer(const design::Pin& pin) {
    extract::ExtractParams params = setup_.extraction;
    params.pins = state_.pins;
    params.pins.push_back(pin);
    auto result = extract::extract(*lowered_, params);
    state_.whatIf = session::WhatIf{pin, false, nullptr, {}};
    if (result)
        state_.whatIf->design = result->design;
    state_.whatIf->infeasible = result ? result->infeasible : result.error();
}

void FakeSession::changePins(std::vector<design::Pin> pins) {
    state_.pins = std::move(pins);
    state_.canUndo = !undo_.empty();
    state_.canRedo = !redo_.empty();
    if (state_.phase == Phase::Ready)
        extract();
}

void FakeSession::exportTo(const std::string& folder) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/manifest.json") << "{}\n";
    state_.exportedTo = folder;
}

void FakeSession::advanceVerification() {
    state_.verify.message = "vector " + std::to_string(++verifyRounds_) + " of 2";
    if (verifyRounds_ < 2)
        return;
    state_.verify.running = false;
    state_.verify.done = true;
    state_.verify.pass = true;
    state_.verify.predictedCycles = state_.design->cycles;
    state_.verify.cycles = state_.design->cycles + 3;
    state_.verify.message = "2 vectors, every element equal";
    state_.phase = Phase::Ready;
}

app::SessionPortFactory fakeFactory(FakeSession*& made) {
    return [&made](session::Session::Callbacks callbacks) {
        auto session = std::make_unique<FakeSession>(std::move(callbacks));
        made = session.get();
        return session;
    };
}

std::string runningExample() {
    return test::sourceFolder() + "/examples/running_example/running_example.mq";
}

std::string lenet5() {
    return test::sourceFolder() + "/examples/lenet5/lenet5.mq";
}

std::string brokenProgram(const std::string& folder) {
    const std::string path = folder + "/broken.mq";
    std::ofstream(path) << "design broken {\n  input x : i8[8, 8, 3];\n"
                           "  let a = conv(x, missing);\n  output y = mv(w, flatten(x));\n}\n";
    return path;
}

} // namespace marquetry::test
