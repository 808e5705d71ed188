#include "engine/lower_stream/stream_control.h"
#include "engine/lower_stream/stream_edges.h"
#include "engine/lower_stream/stream_hardware.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using rtl::Block;
using rtl::constant;

class TopWriter {
public:
    TopWriter(const StreamInterface& interface, const StreamKernel& kernel,
              rtl::ModulePtr kernelModule)
        : interface_(interface),
          kernel_(kernel),
          kernelModule_(std::move(kernelModule)),
          module_(interface.name + "_top"),
          signals_(declareSignals()),
          control_(module_, signals_) {}

    StreamTop write() && {
        module_.comment(cat("AXI4-Stream edges of the stream ", interface_.name,
                            ": a beat for each valid slot, TLAST at the end of a frame."));
        module_.comment(cat("Cycles: ", interface_.predictedCycles(),
                            " from the first beat to the last result without gaps."));
        for (std::size_t k = 0; k < interface_.inputs.size(); ++k)
            writeInput(k);
        writeSteps();
        writeKernel();
        writeOutput();
        // The kernel's counters and those here start anew together.
        control_.run();
        return {finished(std::move(module_)), ports_};
    }

private:
    ControlSignals declareSignals() {
        ports_ = declarePorts(module_, interface_);
        step_ = module_.reg("step", rtl::bits(bitsFor(steps())));
        draining_ = module_.reg("draining");
        left_ = module_.reg("left", rtl::bits(bitsFor(interface_.latency + 1)));
        inFrame_ = module_.wire("in_frame", rtl::bits(1));
        room_ = module_.wire("room", rtl::bits(1));
        const Expr enable = module_.wire("enable", rtl::bits(1));
        const Expr restart = module_.wire("restart", draining_ & (left_ == 0));
        return {ports_.clock, module_.wire("kernel_aresetn", ports_.reset & ~restart), enable};
    }

    std::int64_t steps() const { return interface_.clocks / interface_.unit; }

    /// 1 in the steps in which the port has a valid slot.
    Expr validNow(const StreamPort& port) {
        Expr valid = constant(1, 1);
        for (const ValidSteps& steps : validSteps(port.type, interface_.unit))
            valid = valid & control_.phase(steps.period, 0, steps.end, 0);
        return valid;
    }

    Expr lastStep() const { return step_ == steps() - 1; }

    void writeInput(std::size_t k) {
        const StreamPort& input = interface_.inputs[k];
        const rtl::AxisPorts& port = ports_.inputs[k];
        const int beatBits = std::max(2, bitsFor(input.beats));
        if (!inputEdge_)
            inputEdge_ = inputEdge(interface_.name + "_input");
        const Expr cut = module_.wire(input.name + "_cut", rtl::bits(1));
        const Expr here = module_.wire(input.name + "_here", rtl::bits(1));
        const Expr wrong = module_.wire(input.name + "_wrong", rtl::bits(1));
        module_.instance(inputEdge_, input.name + "_edge",
                         {{"aclk", ports_.clock},
                          {"aresetn", ports_.reset},
                          {"last_beat", constant(input.beats - 1, beatBits)},
                          {"tvalid", port.tvalid},
                          {"tlast", port.tlast},
                          {"valid_slot", validNow(input)},
                          {"in_frame", signals_.enable & inFrame_},
                          {"last_step", lastStep()},
                          {"tready", port.tready},
                          {"cut", cut},
                          {"here", here},
                          {"wrong", wrong}},
                         {{"BITS", beatBits}});
        all_ = all_ & here;
        wrong_ = wrong_ | wrong;
        words_.push_back(
            module_.wire("word_" + input.name,
                         choose(cut, rtl::zeros(input.wordBits()), unpacked(input, port.tdata))));
    }

    void writeSteps() {
        const Expr tick = writeTick();
        const Expr last = module_.wire("last_step", lastStep());
        const Expr zero = rtl::zeros(step_.size());
        module_.assign(inFrame_, ~draining_ & all_);
        const Expr drains =
            module_.wire("drains", (draining_ | (~inFrame_ & (step_ == 0))) & (left_ != 0));
        module_.assign(signals_.enable, tick & room_ & (inFrame_ | drains));
        module_.clocked(ports_.clock, [&](Block& block) {
            block.when(~signals_.reset, [&](Block& then) {
                for (const Expr& word : {step_, draining_, left_})
                    then.set(word, rtl::zeros(word.size()));
            });
            block.orWhen(signals_.enable, [&](Block& runs) {
                runs.set(draining_, ~inFrame_);
                runs.when(inFrame_,
                          [&](Block& then) { then.set(step_, choose(last, zero, step_ + 1)); });
                runs.when(inFrame_ & last, [&](Block& then) {
                    then.set(left_, constant(interface_.latency, left_.width()));
                });
                runs.orWhen(~inFrame_, [&](Block& then) { then.set(left_, left_ - 1); });
            });
        });
        module_.clocked(ports_.clock, [&](Block& block) {
            block.when(~ports_.reset, [&](Block& then) { then.set(ports_.error, constant(0, 1)); });
            block.orWhen(wrong_, [&](Block& then) { then.set(ports_.error, constant(1, 1)); });
        });
    }

    /// A step takes `unit` clocks.
    Expr writeTick() {
        if (interface_.unit == 1)
            return constant(1, 1);
        const Expr rest = module_.reg("rest", rtl::bits(bitsFor(interface_.unit)));
        const Expr tick = module_.wire("tick", rest == 0);
        module_.clocked(ports_.clock, [&](Block& block) {
            block.when(~ports_.reset,
                       [&](Block& then) { then.set(rest, rtl::zeros(rest.size())); });
            block.orWhen(signals_.enable, [&](Block& then) {
                then.set(rest, constant(interface_.unit - 1, rest.width()));
            });
            block.orWhen(~tick, [&](Block& then) { then.set(rest, rest - 1); });
        });
        return tick;
    }

    void writeKernel() {
        result_ = module_.wire("result", rtl::bits(interface_.output.wordBits()));
        resultValid_ = module_.wire("result_valid", rtl::bits(1));
        rtl::Module::Connections ports = {
            {"aclk", ports_.clock}, {"aresetn", signals_.reset}, {"enable", signals_.enable}};
        if (kernel_.takesValid())
            ports.emplace_back(kernel_.inValid, inFrame_ & validNow(interface_.inputs[0]));
        for (std::size_t k = 0; k < words_.size(); ++k)
            ports.emplace_back(kernel_.inputs[k], words_[k]);
        ports.emplace_back(kernel_.output, result_);
        ports.emplace_back(kernel_.outValid, resultValid_);
        module_.instance(kernelModule_, "kernel", ports);
    }

    /// The leaves of tdata without the padding to bytes.
    static Expr unpacked(const StreamPort& port, const Expr& tdata) {
        std::vector<Expr> words;
        int low = 0;
        for (std::int64_t lane = 0; lane < port.lanes; ++lane) {
            for (const ir::Scalar scalar : port.leaves) {
                words.insert(words.begin(), tdata.slice(low, ir::info(scalar).bits));
                low += 8 * ir::info(scalar).bytes;
            }
        }
        return rtl::join(words);
    }

    static Expr packed(const StreamPort& port, const Expr& word) {
        std::vector<Expr> bytes;
        int low = 0;
        for (std::int64_t lane = 0; lane < port.lanes; ++lane) {
            for (const ir::Scalar scalar : port.leaves) {
                const int bits = ir::info(scalar).bits;
                bytes.insert(bytes.begin(),
                             word.slice(low, bits).extended(8 * ir::info(scalar).bytes));
                low += bits;
            }
        }
        return rtl::join(bytes);
    }

    void writeOutput() {
        const StreamPort& output = interface_.output;
        const int beatBits = std::max(2, bitsFor(output.beats));
        module_.instance(outputEdge(interface_.name + "_output"), output.name + "_edge",
                         {{"aclk", ports_.clock},
                          {"aresetn", ports_.reset},
                          {"last_beat", constant(output.beats - 1, beatBits)},
                          {"put", signals_.enable & resultValid_},
                          {"data", packed(output, result_)},
                          {"room", room_},
                          {"tdata", ports_.output.tdata},
                          {"tvalid", ports_.output.tvalid},
                          {"tlast", ports_.output.tlast},
                          {"tready", ports_.output.tready}},
                         {{"WIDTH", output.tdataBits()}, {"BITS", beatBits}});
    }

    const StreamInterface& interface_;
    const StreamKernel& kernel_;
    rtl::ModulePtr kernelModule_;
    rtl::Module module_;
    StreamPorts ports_;
    Expr step_, draining_, left_; ///< of the frame, behind it, steps to the end
    Expr inFrame_, room_;         ///< of all inputs; of the output
    ControlSignals signals_;
    StreamControl control_;
    rtl::ModulePtr inputEdge_; ///< null until there is an input
    std::vector<Expr> words_;  ///< what the inputs give the kernel
    Expr result_, resultValid_;
    Expr all_ = constant(1, 1);   ///< every input is there
    Expr wrong_ = constant(0, 1); ///< a frame of the wrong length
};

} // namespace

StreamTop streamTop(const StreamInterface& interface, const StreamKernel& kernel,
                    rtl::ModulePtr kernelModule) {
    return TopWriter(interface, kernel, std::move(kernelModule)).write();
}

} // namespace marquetry::hdl
