#include "engine/lower_design/design_modules.h"

#include "engine/cost/buffer_cost.h"
#include "engine/lower_design/slot_wiring.h"
#include "engine/lower_design/weight_modules.h"
#include "engine/lower_design/weight_wiring.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace marquetry::hdl {

using rtl::bits;

namespace {

using Wires = SequencerWires;

class TopBuilder {
public:
    TopBuilder(DesignLibrary& library, const RtlPlan& plan, const design::Schedule& schedule,
               const DesignParts& parts)
        : library_(library),
          plan_(plan),
          schedule_(schedule),
          parts_(parts),
          lanes_(static_cast<int>(plan.lanes)),
          m_(plan.name + "_top") {}

    TopModule build() && {
        comment();
        ports();
        m_.lint("lint_off UNUSEDSIGNAL");
        sequencers();
        if (weights_)
            weights_->instances(*control_, plan_.transfers ? queue_ : leader_);
        slotWords();
        movers();
        wires_.units.resize(plan_.units.size());
        for (std::size_t u = 0; u < plan_.units.size(); ++u)
            if (parts_.units[u])
                unit(u);
        SlotWiring slots(m_, library_, plan_, schedule_, *control_, wires_);
        for (std::size_t s = 0; s < plan_.slots.size(); ++s)
            if (plan_.slots[s].used)
                slots.write(s);
        m_.lint("lint_on UNUSEDSIGNAL");
        status();
        return {finished(std::move(m_)), ports_};
    }

private:
    void comment() {
        std::int64_t multipliers = 0;
        for (const UnitPlan& u : plan_.units)
            multipliers += u.layers.empty() ? 0 : u.multipliers(lanes_);
        std::int64_t memories = 0;
        for (const SlotPlan& s : plan_.slots)
            memories += s.used ? s.banks * s.memoriesPerBank : 0;
        m_.comment(cat("Design ", plan_.name, ": one AXI4-Stream per input and output, 64-bit"));
        m_.comment("little-endian beats, row-major, the last beat zero-padded with TLAST.");
        m_.comment("start begins a run, done stays high from its end to the next start, cycles");
        m_.comment("counts from start to done without the clocks that wait for a stream; error");
        m_.comment("stays high when an input's TLAST came too early or too late.");
        m_.comment(cat("Cycles: ", plan_.cycles, " predicted. Resources: ", multipliers,
                       " multipliers, ", memories, " memories of activations."));
        m_.comment("Steps:");
        describeSteps(m_, plan_);
    }

    void ports() {
        ports_ = declarePorts(m_, plan_);
        wires_.clock = ports_.clock;
        common_ = {{"aclk", ports_.clock}, {"aresetn", ports_.reset}, {"start", ports_.start},
                   {"done", ports_.done},  {"busy", ports_.busy},     {"cycles", ports_.cycles}};
        if (plan_.memory)
            weights_.emplace(m_, plan_, parts_, ports_, common_);
    }

    static Wires wiresOf(const rtl::AxisPorts& axis) {
        return {{"tdata", axis.tdata},
                {"tvalid", axis.tvalid},
                {"tlast", axis.tlast},
                {"tready", axis.tready}};
    }

    void sequencers() {
        Wires inputs;
        const auto input = [&](const char* name) { return inputs[name] = m_.wire(name, bits(1)); };
        if (parts_.transfer) {
            loadWaits_ = input("load_waits");
            storeWaits_ = input("store_waits");
        }
        streamAdvance_ = input("stream_advance");
        streamFinished_ = input("stream_finished");
        if (!plan_.computes.empty())
            resultValid_ = input("result_valid");
        if (parts_.sequencer->port("weights_ready"))
            inputs["weights_ready"] = weights_->ready({});
        Wires leader = outputsOf(m_, *parts_.sequencer, "", common_);
        if (parts_.transferQueue)
            transferQueue(leader, inputs);
        std::vector<Wires> followers;
        for (std::size_t k = 0; k < parts_.followers.size(); ++k)
            followers.push_back(follower(k, leader, inputs));
        if (plan_.fetchesBeside())
            inputs["others_missing"] = m_.wire("others_missing", eitherOf(missing_));
        m_.instance(parts_.sequencer, "sequencer",
                    wired(*parts_.sequencer, {&common_, &inputs, &leader}));
        leader_ = machines_[design::Queue::Calls] = leader;
        control_.emplace(plan_, std::move(leader), std::move(followers));
    }

    Wires follower(std::size_t k, const Wires& leader, Wires& inputs) {
        const rtl::ModulePtr& module = parts_.followers[k];
        const std::string prefix = k == 0 ? "f_" : cat("f", k + 1, "_");
        Wires wires = outputsOf(m_, *module, prefix, {});
        followerValid_.push_back(m_.wire(prefix + "result_valid", bits(1)));
        if (wires.contains("finished"))
            inputs["follow_finished"] = wires.at("finished");
        if (wires.contains("taken"))
            inputs[signalOf(design::queueBeside(k)) + "_busy"] = wires.at("taken");
        if (wires.contains("missing"))
            missing_.push_back(wires.at("missing"));
        Wires given = {{"result_valid", followerValid_.back()},
                       {"follow", leader.at(pulseName(k))}};
        if (module->port("weights_ready"))
            given["weights_ready"] = weights_->ready(k);
        if (module->port("mover_finished"))
            given["mover_finished"] = moverFinished_[design::queueBeside(k)] =
                m_.wire(prefix + "mover_finished", bits(1));
        m_.instance(module, followerName(k), wired(*module, {&common_, &given, &wires, &leader}));
        if (wires.contains("own_step"))
            machines_[design::queueBeside(k)] = {{"setup", wires.at("setup")},
                                                 {"run", wires.at("run")},
                                                 {"step", wires.at("own_step")}};
        return wires;
    }

    /// What the movers that it runs go by, and what the leader waits for.
    void transferQueue(const Wires& leader, Wires& inputs) {
        queue_ = outputsOf(m_, *parts_.transferQueue, "transfers_", {});
        queueAdvance_ = m_.wire("transfers_advance", bits(1));
        moverFinished_[design::Queue::Transfers] = m_.wire("transfers_finished", bits(1));
        const Wires given = {{"post", leader.at("post")},
                             {"step", leader.at("step")},
                             {"awaited", leader.at("awaits_transfer")},
                             {"advance", queueAdvance_},
                             {"finished", moverFinished_.at(design::Queue::Transfers)}};
        m_.instance(parts_.transferQueue, "transfers",
                    wired(*parts_.transferQueue, {&common_, &given, &queue_}));
        inputs["transfers_busy"] = queue_.at("moving");
        inputs["transfers_late"] = queue_.at("late");
        inputs["transfers_loads"] = queue_.at("loads_external");
        inputs["transfers_stores"] = queue_.at("stores_external");
        queue_["step"] = queue_.at("own_step");
        machines_[design::Queue::Transfers] = queue_;
    }

    void slotWords() {
        for (std::size_t s = 0; s < plan_.slots.size(); ++s) {
            const SlotPlan& p = plan_.slots[s];
            const bool late = cost::lateHalvings(p.turns) > 0; // only the first word at once
            const std::int64_t reach = late ? 1 : p.reach;
            wires_.words.push_back(p.used ? m_.wire(p.name + "_q", bits(reach * wordBits(s)))
                                          : Expr());
            firstWords_.push_back(
                !p.used || reach == 1
                    ? wires_.words[s]
                    : m_.wire(p.name + "_q_first", wires_.words[s].slice(0, wordBits(s))));
            std::vector<Expr>& operands = wires_.operands.emplace_back();
            for (std::int64_t k = 0; isInput(s) && k < p.reach; ++k) {
                const std::string name = cat(p.name, "_word_", k);
                operands.push_back(late ? m_.wire(name, bits(wordBits(s)))
                                        : m_.reg(name, bits(wordBits(s))));
            }
        }
    }

    /// Whether a unit takes operands from the slot.
    bool isInput(std::size_t s) const {
        return std::ranges::any_of(plan_.units, [s](const UnitPlan& unit) {
            return std::ranges::find(unit.inSlots, s) != unit.inSlots.end();
        });
    }

    int storedLanes(std::size_t s) const { return static_cast<int>(plan_.slots[s].storedLanes); }
    int wordBits(std::size_t s) const { return storedLanes(s) * schedule_.slots[s].elementBits; }
    /// While the step runs. That it is the one is known since it was set up: what a stream may do
    /// in the same clock waits for no comparison.
    Expr active(const std::string& name, std::span<const std::size_t> steps, const Wires& machine) {
        const Expr selected = m_.reg(name + "_selected");
        std::vector<Expr> any;
        std::set<std::size_t> places;
        for (const std::size_t step : steps)
            if (places.insert(plan_.placeOf(step)).second)
                any.push_back(machine.at("step") == static_cast<std::int64_t>(plan_.placeOf(step)));
        m_.clocked(wires_.clock, [&](rtl::Block& b) { b.set(selected, eitherOf(any)); });
        return m_.wire(name + "_active", machine.at("run") & selected);
    }

    /// What an external loader or storer has for a stream.
    Wires axisOf(bool loads) const {
        const Wires& transfer = weights_->transfer();
        if (loads)
            return {{"tdata", transfer.at("loaded")},
                    {"tvalid", transfer.at("loaded_valid")},
                    {"tlast", rtl::constant(0, 1)}};
        return {{"tready", transfer.at("stored_taken")}};
    }

    /// A loader or storer between its stream's ports and the slots; its wires at the top.
    Wires mover(const rtl::ModulePtr& module, const StreamPlan& stream, const std::string& name,
                const Wires& axis) {
        m_.blank();
        Wires wires;
        std::vector<std::size_t> steps;
        for (const StreamPart& part : stream.parts)
            steps.push_back(part.step);
        const Wires& machine = machines_.at(stream.queue);
        wires["active"] = active(name, steps, machine);
        wires.merge(outputsOf(m_, *module, name + "_", axis));
        const Wires word = {{"q", firstWords_[stream.slot]}};
        Wires setup = {{"setup", machine.at("setup")}};
        if (steps.size() > 1) // it goes on where the part before has ended
            setup[module->port("begin") ? "begin" : "setup"] = m_.wire(
                name + "_setup",
                machine.at("setup") & (machine.at("step") ==
                                       static_cast<std::int64_t>(plan_.placeOf(steps.front()))));
        m_.instance(module, name, wired(*module, {&common_, &setup, &wires, &axis, &word}));
        return wires;
    }

    void movers() {
        streams();
        for (std::size_t k = 0; k < plan_.moves.size(); ++k)
            move({parts_.moves[k], "move_" + plan_.moves[k].name, plan_.moves[k].steps(),
                  plan_.moves[k].queue},
                 plan_.moves[k].from.slot, plan_.moves[k].to.side.slot);
        for (std::size_t k = 0; k < plan_.rows.size(); ++k)
            move({parts_.rows[k], "rows_" + plan_.rows[k].name, plan_.rows[k].steps(),
                  plan_.rows[k].queue},
                 plan_.rows[k].from.slot, plan_.rows[k].to.side.slot,
                 plan_.rows[k].other ? plan_.rows[k].other->from.slot : std::nullopt);
        if (parts_.transfer)
            moveExternals();
        m_.blank();
        using design::Queue;
        const auto advance = [this](Queue queue) {
            return anyMover(queue, &MoverWires::advance, &MoveWires::active);
        };
        const auto finished = [this](Queue queue) {
            return anyMover(queue, &MoverWires::finished, &MoveWires::finished);
        };
        m_.assign(streamAdvance_, advance(Queue::Calls));
        m_.assign(streamFinished_, finished(Queue::Calls));
        if (parts_.transferQueue)
            m_.assign(queueAdvance_, advance(Queue::Transfers));
        for (const auto& [queue, wire] : moverFinished_)
            m_.assign(wire, finished(queue));
        holds();
    }

    /// Beside other queues only where the storer reads.
    void holds() {
        m_.note("A stopped storer holds the words being read.");
        const std::vector<const StreamPlan*> stores = plan_.storers();
        const auto held = [&](const std::optional<std::size_t>& slot) {
            Expr reads = rtl::constant(1, 1);
            for (std::size_t k = 0; k < stores.size(); ++k)
                if (const MoverWires& store = wires_.stores[k]; !slot || stores[k]->slot == *slot)
                    reads = reads & (~store.active | store.advance);
            return reads;
        };
        if (!plan_.ordered()) {
            wires_.reads.assign(plan_.slots.size(), m_.wire("reads", held({})));
            return;
        }
        for (std::size_t s = 0; s < plan_.slots.size(); ++s)
            wires_.reads.push_back(
                plan_.slots[s].used ? m_.wire(plan_.slots[s].name + "_reads", held(s)) : Expr());
    }

    /// The movers of the top's streams, and those of external tensors.
    void streams() {
        const std::vector<const StreamPlan*> loads = plan_.loaders();
        for (std::size_t k = 0; k < loads.size(); ++k) {
            const bool external = loads[k]->external;
            Wires w = mover(parts_.loads[k], *loads[k], "load_" + loads[k]->name,
                            external ? axisOf(true) : wiresOf(ports_.loads[k]));
            wires_.loads.push_back({w.at("active"), w.at("advance"), w.at("finished"),
                                    external ? Expr() : w.at("bad"), w.at("we"), w.at("waddr"),
                                    w.at("wdata"), Expr(), loads[k]->queue});
            if (external)
                externals_.push_back(std::move(w));
        }
        const std::vector<const StreamPlan*> stores = plan_.storers();
        for (std::size_t k = 0; k < stores.size(); ++k) {
            const bool external = stores[k]->external;
            Wires w = mover(parts_.stores[k], *stores[k], "store_" + stores[k]->name,
                            external ? axisOf(false) : wiresOf(ports_.stores[k]));
            wires_.stores.push_back({w.at("active"),
                                     w.at("advance"),
                                     w.at("finished"),
                                     {},
                                     {},
                                     {},
                                     {},
                                     w.at("raddr"),
                                     stores[k]->queue});
            if (external)
                externals_.push_back(std::move(w));
        }
    }

    /// Between the movers of external tensors, of which one is active, and the transfer.
    void moveExternals() {
        m_.blank();
        const Wires& transfer = weights_->transfer();
        std::vector<Expr> takes, gives, loadWaits, storeWaits;
        Alternatives stored;
        for (const Wires& w : externals_) {
            const bool loads = w.contains("tready");
            (loads ? loadWaits : storeWaits).push_back(w.at("active") & ~w.at("advance"));
            if (loads) {
                takes.push_back(w.at("tready"));
                continue;
            }
            const Expr valid = w.at("active") & w.at("tvalid");
            gives.push_back(valid);
            stored.emplace_back(w.at("active"), w.at("tdata"));
        }
        m_.assign(transfer.at("loaded_taken"), eitherOf(takes));
        m_.assign(transfer.at("stored_valid"), eitherOf(gives));
        m_.assign(transfer.at("stored"), firstOf(stored, rtl::zeros(kMovedBits)));
        const Expr none = rtl::constant(0, 1); // a queue says how late it is
        m_.assign(loadWaits_, plan_.transfers ? none : eitherOf(loadWaits));
        m_.assign(storeWaits_, plan_.transfers ? none : eitherOf(storeWaits));
    }

    /// Steps that a module runs between slots.
    struct SlotMover {
        rtl::ModulePtr module;
        std::string name;
        std::vector<std::size_t> steps;
        design::Queue queue = design::Queue::Calls;
    };

    /// Between slots, waiting for nobody. `other`: a slot that is read along.
    void move(const SlotMover& mover, std::optional<design::SlotId> from,
              std::optional<design::SlotId> to, std::optional<design::SlotId> other = {}) {
        m_.blank();
        Wires wires;
        const Wires& machine = machines_.at(mover.queue);
        wires["active"] = active(mover.name, mover.steps, machine);
        wires.merge(outputsOf(m_, *mover.module, mover.name + "_", wires));
        Wires word = {{"q", firstWords_[from->index()]}};
        if (other)
            word["other_q"] = firstWords_[other->index()];
        const Wires setup = {{"setup", machine.at("setup")}, {"step", machine.at("step")}};
        m_.instance(mover.module, mover.name,
                    wired(*mover.module, {&common_, &setup, &wires, &word}));
        wires_.moves.push_back({from, to, wires.at("active"), wires.at("finished"),
                                wires.at("raddr"), wires.at("waddr"), wires.at("wdata"),
                                wires.at("we"), mover.queue});
        if (other)
            wires_.seconds.push_back({*other, wires.at("active"), wires.at("other_raddr")});
    }

    std::vector<const MoverWires*> moversOf(design::Queue queue) const {
        std::vector<const MoverWires*> all;
        for (const auto* movers : {&wires_.loads, &wires_.stores})
            for (const MoverWires& mover : *movers)
                if (mover.queue == queue)
                    all.push_back(&mover);
        return all;
    }

    /// Of what a queue runs.
    Expr anyMover(design::Queue queue, Expr MoverWires::*wire, Expr MoveWires::*ofMoves) const {
        std::vector<Expr> all;
        for (const MoverWires* mover : moversOf(queue))
            all.push_back(mover->*wire);
        for (const MoveWires& move : wires_.moves)
            if (move.queue == queue)
                all.push_back(move.*ofMoves);
        return eitherOf(all);
    }

    void unit(std::size_t index) {
        const UnitPlan& u = plan_.units[index];
        m_.blank();
        control_->declare(m_, index);
        UnitWires& out = wires_.units[index];
        out.valid = m_.wire(u.name + "_valid", bits(1));
        out.result = m_.wire(u.name + "_result", bits(u.writeLanes * u.resultBits));
        Wires wires = {{"issue", control_->issue(index)},
                       {"operand", operand(index)},
                       {"result_valid", out.valid},
                       {"result", out.result}};
        const rtl::Module& module = *parts_.units[index];
        for (const char* signal : {"first", "last", "pool_first", "pool_last"})
            if (module.port(signal))
                wires[signal] = control_->of(index, signal);
        if (module.port("outside"))
            wires["outside"] = outside(index);
        if (module.port("weight_address"))
            wires["weight_address"] =
                control_->of(index, "weight_address").slice(0, u.weightAddressBits);
        if (module.port("scale_address"))
            wires["scale_address"] =
                control_->of(index, "scale_address").slice(0, u.writeBack->addressBits);
        if (u.holds)
            heldWeights(index, wires);
        if (u.loaded)
            weights_->connect(index, *control_, wires);
        for (const ModePort& mode : controlModes(u))
            wires[mode.name] = control_->of(index, cat(u.name, "_", mode.name));
        if (u.adds)
            addend(index, wires);
        m_.instance(parts_.units[index], u.name, wired(module, {&common_, &wires}));
    }

    /// What moves write to the weights of a unit.
    void heldWeights(std::size_t index, Wires& wires) {
        const UnitPlan& u = plan_.units[index];
        std::vector<Expr> enables;
        Alternatives address, data;
        for (std::size_t k = 0; k < plan_.moves.size(); ++k) {
            const MovePlan& move = plan_.moves[k];
            if (!move.to.weights() || move.unit != index)
                continue;
            const MoveWires& mover = wires_.moves[k];
            enables.push_back(mover.we);
            address.emplace_back(mover.active, mover.waddr);
            data.emplace_back(mover.active, mover.wdata);
        }
        Expr enable = enables.front();
        for (std::size_t k = 1; k < enables.size(); ++k)
            enable = enable | enables[k];
        wires["held_we"] = m_.wire(u.name + "_held_we", enable);
        wires["held_address"] = m_.wire(u.name + "_held_address", firstOf(address, {}));
        wires["held_word"] = m_.wire(u.name + "_held_word", firstOf(data, {}));
    }

    Expr operand(std::size_t index) {
        const UnitPlan& u = plan_.units[index];
        Alternatives words;
        for (const std::size_t s : u.inSlots) {
            const SlotPlan& p = plan_.slots[s];
            const std::int64_t taken = p.window ? p.window->words() : u.span;
            const std::int64_t left = u.span * lanes_ - taken * p.wordLanes;
            std::vector<Expr> side = {rtl::zeros(left * u.operandBits)}; // the last one first
            for (std::int64_t k = taken; k-- > 0;)
                side.push_back(paddedElements(
                    m_, cat(u.name, "_of_", plan_.slots[s].name, k > 0 ? cat("_", k) : ""),
                    {wires_.operands[s][static_cast<std::size_t>(k)], storedLanes(s),
                     schedule_.slots[s].elementBits, u.operandBits, false, u.operandBits},
                    static_cast<int>(p.wordLanes)));
            const Expr word = rtl::join(side);
            words.emplace_back(u.inSlots.size() == 1
                                   ? rtl::constant(1, 1)
                                   : UnitControl::isSlot(control_->of(index, "in_slot"), s),
                               word);
        }
        return m_.wire(u.name + "_operand", firstOf(words, {}));
    }

    /// A bit for each of the unit's lanes that are told from the padding together.
    Expr outside(std::size_t index) {
        const UnitPlan& u = plan_.units[index];
        const Expr words = control_->of(index, "outside");
        Alternatives masks;
        for (const std::size_t s : u.inSlots) {
            const SlotPlan& p = plan_.slots[s];
            const std::int64_t taken = p.window ? p.window->words() : u.span;
            std::vector<Expr> bitsOf; // the last one first
            for (std::int64_t k = u.span * lanes_ / u.maskLanes; k-- > 0;) {
                const std::int64_t word = k * u.maskLanes / p.wordLanes;
                bitsOf.push_back(word < taken ? words.bit(word) : rtl::constant(0, 1));
            }
            masks.emplace_back(u.inSlots.size() == 1
                                   ? rtl::constant(1, 1)
                                   : UnitControl::isSlot(control_->of(index, "in_slot"), s),
                               rtl::join(bitsOf));
        }
        return m_.wire(u.name + "_outside", firstOf(masks, {}));
    }

    void addend(std::size_t index, Wires& wires) {
        const UnitPlan& u = plan_.units[index];
        const int width = addendAddressBits(plan_, u);
        const int to = planEpilogue(u).addendBits;
        Alternatives words;
        for (std::size_t i = 0; i < u.addends.size(); ++i) {
            const std::size_t slot = u.addends[i].slot;
            const ir::ScalarInfo& info = ir::info(u.addends[i].scalar);
            const Expr word =
                paddedElements(m_, cat(u.name, "_addend_", i),
                               {firstWords_[slot], storedLanes(slot),
                                schedule_.slots[slot].elementBits, info.bits, info.isSigned, to},
                               lanes_);
            words.emplace_back(u.addends.size() == 1
                                   ? rtl::constant(1, 1)
                                   : control_->of(index, u.name + "_addend_source") ==
                                         static_cast<std::int64_t>(i),
                               word);
        }
        wires["addend_word"] = m_.wire(u.name + "_addend_word", firstOf(words, {}));
        wires["addend_read_address"] = wires_.units[index].addendReadAddress =
            m_.wire(u.name + "_addend_read_address", bits(width - u.groupBits));
        wires["addend_address"] = control_->of(index, "addend_address").slice(0, width);
    }

    void status() {
        m_.blank();
        std::vector<Expr> valid;
        for (const UnitWires& unit : wires_.units)
            valid.push_back(unit.valid);
        if (!plan_.computes.empty())
            m_.assign(resultValid_, control_->resultValid(valid, {}));
        for (std::size_t k = 0; k < followerValid_.size(); ++k)
            m_.assign(followerValid_[k], control_->resultValid(valid, k));
        std::vector<Expr> bad;
        for (const MoverWires& load : wires_.loads)
            if (load.bad.size() != rtl::Size(0))
                bad.push_back(load.bad);
        if (weights_)
            bad.push_back(weights_->bad());
        if (parts_.transfer)
            bad.push_back(weights_->transfer().at("bad"));
        m_.clocked(wires_.clock, [&](rtl::Block& b) {
            b.when(~ports_.reset | (ports_.start & ~ports_.busy),
                   [&](rtl::Block& then) { then.set(ports_.error, rtl::constant(0, 1)); });
            b.orWhen(eitherOf(bad),
                     [&](rtl::Block& then) { then.set(ports_.error, rtl::constant(1, 1)); });
        });
    }

    DesignLibrary& library_;
    const RtlPlan& plan_;
    const design::Schedule& schedule_;
    const DesignParts& parts_;
    int lanes_;
    rtl::Module m_;
    DesignPorts ports_;
    Wires common_; ///< ports of the top that modules have under the same name
    Wires leader_; ///< of the sequencer
    Wires queue_;  ///< of the queue of transfers
    /// By queue: `setup`, `run` and `step` of what runs it, and the end of what movers run there.
    std::map<design::Queue, Wires> machines_;
    std::map<design::Queue, Expr> moverFinished_;
    Expr queueAdvance_;
    Expr streamAdvance_, streamFinished_, loadWaits_, storeWaits_, resultValid_;
    std::vector<Expr> followerValid_;
    std::vector<Expr> missing_; ///< of followers: a call waits for weights
    std::optional<UnitControl> control_;
    std::optional<WeightWiring> weights_;
    TopWires wires_;
    std::vector<Wires> externals_; ///< of their movers
    std::vector<Expr> firstWords_; ///< of those that are read at once; index: SlotId
};

} // namespace

TopModule topModule(DesignLibrary& library, const RtlPlan& plan, const design::Schedule& schedule,
                    const DesignParts& parts) {
    return TopBuilder(library, plan, schedule, parts).build();
}

} // namespace marquetry::hdl
