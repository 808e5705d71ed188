#include "engine/lower_stream/stream_kernel.h"

#include "engine/datapath/path_delay.h"
#include "engine/lower_stream/kernel_names.h"
#include "engine/lower_stream/kernel_tables.h"
#include "engine/rtl/netlist.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <optional>

namespace marquetry::hdl {

using datapath::Cell;
using datapath::CellKind;
using datapath::DelayLine;
using datapath::Tap;
using datapath::TimedDatapath;
using spacetime::SeqType;

namespace {

/// Of more latency a counter costs less than a register for each step.
constexpr std::int64_t kFollowedSteps = 64;

constexpr int kDspFactorBits = 17; ///< without sign, that one DSP block multiplies

/// What is in a block of one enable.
struct Clocked {
    Expr enable;
    std::vector<std::pair<Expr, Expr>> sets; ///< register, word
};

class KernelWriter {
public:
    KernelWriter(const TimedDatapath& timed, const std::string& name,
                 const std::vector<std::string>& inputs, const std::string& output)
        : timed_(timed),
          cells_(timed.datapath.cells),
          module_(name),
          words_(cells_.size()),
          follows_(followsInput()),
          signals_(addPorts(inputs, output)),
          control_(module_, signals_) {}

    StreamKernel write(rtl::ModuleLibrary& library) && {
        module_.lint("lint_off UNUSEDSIGNAL");
        const rtl::Section registers = module_.section("Words of earlier steps.");
        forward_ = module_.section("Words that are used before they are computed.");
        module_.in(registers, [&] {
            for (std::size_t k = 0; k < cells_.size(); ++k)
                if (isWritten(cells_[k].kind))
                    declareStages(k);
        });
        for (std::size_t k = 0; k < cells_.size(); ++k)
            if (isWritten(cells_[k].kind))
                writeCell(k);
        memories_.write(module_, library, signals_);
        for (const Clocked& clocked : clocked_)
            module_.clocked(signals_.clock, [&](rtl::Block& block) {
                block.when(clocked.enable, [&](rtl::Block& then) {
                    for (const auto& [to, word] : clocked.sets)
                        then.set(to, word);
                });
            });
        module_.lint("lint_on UNUSEDSIGNAL");
        writeOutput();
        writeValid();
        control_.run();
        StreamKernel kernel;
        for (const Expr& port : inputPorts_)
            kernel.inputs.push_back(port.node().net);
        kernel.output = outputPort_.node().net;
        if (follows_)
            kernel.inValid = inValid_.node().net;
        kernel.outValid = outValid_.node().net;
        kernel.registerBits = registerBits_;
        kernel.memoryBits = memories_.bits();
        kernel.parts = {memories_.all(), control_.size(), follows_};
        kernel.module = std::move(module_);
        return kernel;
    }

private:
    /// A cell's word, and the words of the steps after it.
    struct Word {
        Expr net;
        std::vector<Expr> stages; ///< by their distance; of no bits: not kept
    };

    bool followsInput() const {
        const std::int64_t unit = timed_.datapath.unit;
        return !timed_.datapath.inputs.empty() && timed_.latency <= kFollowedSteps &&
               validSteps(timed_.datapath.inputs[0].type, unit) ==
                   validSteps(timed_.datapath.output.type, unit);
    }

    ControlSignals addPorts(const std::vector<std::string>& inputs, const std::string& output) {
        const ControlSignals signals{module_.input("aclk"), module_.input("aresetn"),
                                     module_.input("enable")};
        if (follows_)
            inValid_ = module_.input("in_valid");
        for (std::size_t k = 0; k < inputs.size(); ++k)
            inputPorts_.push_back(
                module_.input(inputs[k], rtl::bits(timed_.datapath.inputs[k].bits())));
        outputPort_ = module_.output(output, rtl::bits(timed_.datapath.output.bits()));
        outValid_ = module_.output("out_valid");
        return signals;
    }

    /// The word of a cell; declared ahead when its turn has not come.
    const Expr& wordOf(std::size_t cell) {
        if (!isDeclared(cell))
            module_.in(forward_, [&] { declare(cell, std::nullopt); });
        return words_[cell].net;
    }

    const Expr& stage(std::size_t cell, std::int64_t distance) {
        wordOf(cell);
        return words_[cell].stages.at(static_cast<std::size_t>(distance));
    }

    /// The first register behind a table in block RAM is the block's. Those behind a product of one
    /// DSP block are that block's, each by itself: as a shift register synthesis would leave them
    /// outside, and take the sum behind them into the block.
    bool isRow(std::size_t k) const {
        return (cells_[k].kind != CellKind::Mul || cells_[k].bits() > kDspFactorBits) &&
               !timed_.isInBlockRam(k);
    }

    /// Registers next to each other are one shift register, its first word the lowest.
    void declareStages(std::size_t k) {
        const int bits = cells_[k].bits();
        const std::string name = cat(nameOf(cells_[k].kind), "_", k);
        std::vector<Expr>& stages = words_[k].stages;
        const auto keep = [&](std::int64_t distance, const Expr& at) {
            const auto place = static_cast<std::size_t>(distance);
            stages.resize(std::max(stages.size(), place + 1));
            stages[place] = at;
        };
        for (const DelayLine::Part& part : timed_.lines[k].memories)
            keep(part.to, module_.wire(cat(name, "_d", part.to), rtl::bits(bits)));
        for (const DelayLine::Part& part : timed_.lines[k].registers) {
            const std::int64_t count = isRow(k) ? part.to - part.from : 1;
            for (std::int64_t from = part.from; from < part.to; from += count) {
                const std::string end =
                    count == 1 ? cat("_d", from + 1) : cat("_d", from + 1, "_to_", part.to);
                const Expr all = module_.reg(name + end, rtl::bits(count * bits));
                for (std::int64_t at = 0; at < count; ++at)
                    keep(from + 1 + at, all.slice(at * bits, bits));
            }
        }
        if (timed_.isInBlockRam(k))
            words_[k].net = stages.at(1);
    }

    void declare(std::size_t k, const std::optional<Expr>& value) {
        const std::string name = cat(nameOf(cells_[k].kind), "_", k);
        Word& word = words_[k];
        word.net =
            value ? module_.wire(name, *value) : module_.wire(name, rtl::bits(cells_[k].bits()));
        word.stages.resize(std::max<std::size_t>(word.stages.size(), 1));
        word.stages[0] = word.net;
    }

    bool isDeclared(std::size_t k) const { return words_[k].net.size() != rtl::Size(0); }

    /// An operand of a user at step `time`, exactly `bits` wide.
    Expr operand(const Tap& tap, int bits, std::int64_t time) {
        const Cell& cell = cells_[tap.cell.index()];
        if (isGenerator(cell.kind))
            return control_.word(cell, bits - 1, 0, time + tap.distance);
        const int within = std::min(bits, cell.bits());
        const Expr word = sliced(tap, within - 1, 0, time);
        return cell.isSigned ? withSign(word, std::min(bits, cell.width)).extended(bits)
                             : word.extended(bits);
    }

    static Expr withSign(const Expr& word, int bits) {
        return word.asSigned().extended(bits).asUnsigned();
    }

    /// Bits [low, high] of a word that is stored, with what is above the bits that are kept.
    Expr storedBits(const Tap& tap, int high, int low, std::int64_t time) {
        const Cell& cell = cells_[tap.cell.index()];
        const Expr& word = stage(tap.cell.index(), timed_.stageOf(tap, time));
        const int kept = cell.bits();
        const int end = std::min(high + 1, cell.isSigned ? cell.width : kept);
        const Expr bits = low < kept ? word.slice(low, std::min(end, kept) - low) : Expr();
        const Expr sign =
            end > kept ? word.bit(kept - 1).repeated(end - std::max(low, kept)) : Expr();
        return rtl::join({sign, bits}).extended(high - low + 1);
    }

    /// Bits [low, high] of an operand. A shifted word is other wires of a stored one, perhaps of a
    /// shifted one again.
    Expr sliced(const Tap& tap, int high, int low, std::int64_t time) {
        const Cell& cell = cells_[tap.cell.index()];
        if (isGenerator(cell.kind))
            return control_.word(cell, high, low, time + tap.distance);
        if (!isView(cell.kind))
            return storedBits(tap, high, low, time);
        const Tap inner{cell.operands[0].cell, cell.operands[0].distance + tap.distance};
        const auto by = static_cast<int>(cell.number);
        if (cell.kind == CellKind::Right)
            return sliced(inner, high + by, low + by, time);
        if (cell.kind == CellKind::Extend)
            return signedBits(inner, by, high, low, time);
        if (low >= by)
            return sliced(inner, high - by, low - by, time);
        const Expr zeros = rtl::zeros(std::min(by - 1, high) - low + 1);
        return high < by ? zeros : rtl::join({sliced(inner, high - by, 0, time), zeros});
    }

    /// Bits [low, high] of the lowest `bits` bits of an operand, as a number with a sign.
    Expr signedBits(const Tap& tap, int bits, int high, int low, std::int64_t time) {
        if (high < bits)
            return sliced(tap, high, low, time);
        const Expr signs =
            sliced(tap, bits - 1, bits - 1, time).repeated(high + 1 - std::max(low, bits));
        return low >= bits ? signs : rtl::join({signs, sliced(tap, bits - 1, low, time)});
    }

    /// An operand of a sum. Synthesis makes one sum of all sums that feed one another and only
    /// that, and a long one of it takes twice the LUTs: where the carry chain shall not be shared,
    /// two inversions keep them apart, at no cost.
    Expr summand(std::size_t k, std::size_t n) {
        const Cell& cell = cells_[k];
        const Tap& tap = cell.operands[n];
        const Expr word = operand(tap, cell.bits(), timed_.times[k]);
        const bool apart = isSum(cells_[tap.cell.index()].kind) &&
                           timed_.waitOf(tap, timed_.times[k]) == 0 &&
                           timed_.sharedChain[k] != static_cast<int>(n);
        return apart ? rtl::keptApart(word) : word;
    }

    /// Of the operand that says how far to shift: as a number without sign.
    int amountBits(const Cell& cell) const {
        const Cell& amount = cells_[cell.operands[1].cell.index()];
        return amount.isSigned ? amount.width : amount.bits();
    }

    /// Numbers with a sign are multiplied as such, so that synthesis sees how long they are.
    Expr productOf(std::size_t k) {
        const Cell& cell = cells_[k];
        const Expr a = operand(cell.operands[0], cell.bits(), timed_.times[k]);
        const Expr b = operand(cell.operands[1], cell.bits(), timed_.times[k]);
        const bool isSigned = std::ranges::any_of(
            cell.operands, [&](const Tap& tap) { return cells_[tap.cell.index()].isSigned; });
        return isSigned ? (a.asSigned() * b.asSigned()).asUnsigned() : a * b;
    }

    static Expr comparisonOf(CellKind kind, const Expr& a, const Expr& b) {
        if (kind == CellKind::LessSigned)
            return a.asSigned() < b.asSigned();
        return kind == CellKind::Less ? a < b : a == b;
    }

    Expr valueOf(std::size_t k) {
        const Cell& cell = cells_[k];
        const int bits = cell.bits();
        const auto in = [&](std::size_t n, int width) {
            return operand(cell.operands[n], width, timed_.times[k]);
        };
        switch (cell.kind) {
        case CellKind::Input:
            return inputPorts_[static_cast<std::size_t>(cell.number)].slice(
                static_cast<std::int64_t>(cell.first), bits);
        case CellKind::Add:
            return summand(k, 0) + summand(k, 1);
        case CellKind::Sub:
            return summand(k, 0) - summand(k, 1);
        case CellKind::Mul:
            return productOf(k);
        case CellKind::LeftBy:
            return in(0, bits) << in(1, amountBits(cell));
        case CellKind::RightBy:
            return in(0, bits) >> in(1, amountBits(cell));
        case CellKind::Less:
        case CellKind::Equal:
        case CellKind::LessSigned:
            return comparisonOf(cell.kind, in(0, cell.operandBits), in(1, cell.operandBits));
        case CellKind::And:
            return in(0, bits) & in(1, bits);
        case CellKind::Or:
            return in(0, bits) | in(1, bits);
        case CellKind::Xor:
            return in(0, bits) ^ in(1, bits);
        case CellKind::Not:
            return ~in(0, bits);
        case CellKind::Lookup:
            return tables_.inLuts(module_, k, cell, in(0, indexBits(cell)));
        case CellKind::Choose:
            return choose(in(0, 1), in(1, bits), in(2, bits));
        default:
            return in(0, bits);
        }
    }

    static bool isWritten(CellKind kind) {
        return !isGenerator(kind) && !isView(kind) && kind != CellKind::Store;
    }

    void writeCell(std::size_t k) {
        const Cell& cell = cells_[k];
        if (cell.kind == CellKind::Fetch) {
            wordOf(k);
            addFifo(k);
        } else if (!timed_.isInBlockRam(k)) {
            // What it depends on may be declared ahead meanwhile, and it too.
            const Expr value = valueOf(k);
            if (!isDeclared(k))
                declare(k, value);
            else
                module_.assign(words_[k].net, value);
        }
        for (const DelayLine::Part& part : timed_.lines[k].memories)
            memories_.addLine(part.to - part.from - 1, enableOf(k),
                              {stage(k, part.from), stage(k, part.to)});
        for (const DelayLine::Part& part : timed_.lines[k].registers) {
            registerBits_ += (part.to - part.from) * cell.bits();
            const std::int64_t count = isRow(k) ? part.to - part.from : 1;
            for (std::int64_t from = part.from; from < part.to; from += count)
                shift(k, from, static_cast<int>(count));
        }
    }

    /// A shift register takes a word at its low end.
    void shift(std::size_t k, std::int64_t from, int count) {
        const Expr& first = stage(k, from + 1);
        const Expr all = count == 1 ? first : first.node().operands[0];
        const Expr moved = all.slice(0, (count - 1) * cells_[k].bits());
        const bool reads = from == 0 && timed_.isInBlockRam(k);
        const std::pair<Expr, Expr> set{all,
                                        reads ? readAt(k) : rtl::join({moved, stage(k, from)})};
        const Expr enable = enableOf(k);
        for (Clocked& clocked : clocked_)
            if (clocked.enable.same(enable))
                return clocked.sets.push_back(set);
        clocked_.push_back({enable, {set}});
    }

    /// A word of a table in block RAM.
    Expr readAt(std::size_t k) {
        const Cell& cell = cells_[k];
        return tables_.inBlockRam(module_, cell,
                                  operand(cell.operands[0], indexBits(cell), timed_.times[k]));
    }

    static int indexBits(const Cell& cell) { return bitsFor(std::ssize(cell.table)); }

    /// The clocks in which the registers behind a cell take the next word.
    Expr enableOf(std::size_t k) {
        const datapath::Used& used = cells_[k].used;
        if (used.stride == 1)
            return signals_.enable;
        return signals_.enable & control_.phase(used.stride, 0, 1, timed_.times[k] + used.offset);
    }

    /// Both sides of a FIFO: the word goes in at the time of the Store.
    void addFifo(std::size_t k) {
        const Cell& fetch = cells_[k];
        const std::size_t storeIndex = fetch.operands[0].cell.index();
        const Cell& store = cells_[storeIndex];
        const std::int64_t time = timed_.times[storeIndex];
        const FifoTiming timing{timed_.datapath.fifos[static_cast<std::size_t>(fetch.number)], time,
                                timed_.times[k] - 1};
        const Expr stored = operand(store.operands[1], 1, time);
        const Expr fetched = operand(fetch.operands[1], 1, timed_.times[k]);
        memories_.addFifo(timing, stored, fetched,
                          {operand(store.operands[0], fetch.bits(), time), wordOf(k)});
    }

    void writeOutput() {
        std::vector<Expr> words;
        const datapath::DatapathPort& port = timed_.datapath.output;
        for (std::size_t k = timed_.datapath.outputs.size(); k-- > 0;) {
            const int bits = port.leafBits[k % port.leafBits.size()];
            words.push_back(operand(timed_.datapath.outputs[k], bits, timed_.latency));
        }
        module_.assign(outputPort_, rtl::join(words));
    }

    void writeValid() {
        if (follows_)
            return followInput();
        Expr valid = control_.started(timed_.latency);
        for (const ValidSteps& steps :
             validSteps(timed_.datapath.output.type, timed_.datapath.unit))
            valid = valid & control_.phase(steps.period, 0, steps.end, timed_.latency);
        module_.assign(outValid_, valid);
    }

    void followInput() {
        const auto length = static_cast<int>(timed_.latency);
        if (length == 0)
            return module_.assign(outValid_, inValid_);
        const Expr valid = module_.reg("valid", rtl::bits(length));
        module_.assign(outValid_, valid.bit(length - 1));
        module_.clocked(signals_.clock, [&](rtl::Block& block) {
            block.when(~signals_.reset,
                       [&](rtl::Block& then) { then.set(valid, rtl::zeros(length)); });
            block.orWhen(signals_.enable, [&](rtl::Block& then) {
                then.set(valid, rtl::join({valid.slice(0, length - 1), inValid_}));
            });
        });
    }

    const TimedDatapath& timed_;
    const std::vector<Cell>& cells_;
    rtl::Module module_;
    std::vector<Word> words_;
    bool follows_; ///< the output is valid when the input was, some steps before
    Expr inValid_, outputPort_, outValid_;
    std::vector<Expr> inputPorts_;
    ControlSignals signals_;
    StreamControl control_;
    rtl::Section forward_;
    std::vector<Clocked> clocked_;
    KernelMemories memories_;
    KernelTables tables_;
    std::int64_t registerBits_ = 0;
};

} // namespace

StreamKernel kernelModule(rtl::ModuleLibrary& library, const TimedDatapath& timed,
                          const std::string& name, const std::vector<std::string>& inputs,
                          const std::string& output) {
    return KernelWriter(timed, name, inputs, output).write(library);
}

} // namespace marquetry::hdl
