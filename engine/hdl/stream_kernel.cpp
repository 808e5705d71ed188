#include "engine/hdl/stream_kernel.h"

#include "engine/spacetime/path_delay.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>

namespace marquetry::hdl {

using spacetime::Cell;
using spacetime::CellKind;
using spacetime::DelayLine;
using spacetime::SeqType;
using spacetime::Tap;
using spacetime::TimedDatapath;

namespace {

/// Of more latency a counter costs less than a register for each step.
constexpr std::int64_t kFollowedSteps = 64;

const char* nameOf(CellKind kind) {
    switch (kind) {
    case CellKind::Add:
        return "sum";
    case CellKind::Sub:
        return "difference";
    case CellKind::Mul:
        return "product";
    case CellKind::Left:
    case CellKind::Right:
    case CellKind::LeftBy:
    case CellKind::RightBy:
        return "shifted";
    case CellKind::Less:
    case CellKind::LessSigned:
    case CellKind::Equal:
    case CellKind::And:
    case CellKind::Or:
    case CellKind::Not:
        return "flag";
    case CellKind::Choose:
        return "choice";
    case CellKind::Sample:
        return "sample";
    case CellKind::Fetch:
        return "fetched";
    default:
        return "word";
    }
}

class KernelWriter {
public:
    KernelWriter(const TimedDatapath& timed, const std::vector<std::string>& inputs,
                 const std::string& output)
        : timed_(timed), cells_(timed.datapath.cells), inputs_(inputs), output_(output) {}

    StreamKernel write(const std::string& name) && {
        StreamKernel kernel;
        kernel.module.name = name;
        kernel.inputs = inputs_;
        kernel.output = output_;
        for (std::size_t k = 0; k < cells_.size(); ++k)
            writeCell(k);
        memories_.write({declarations_, assigns_, valid_, clocked_});
        writeOutput();
        writeValid(kernel);
        Body body;
        control_.declare(body);
        body.line("/* verilator lint_off UNUSED */");
        const std::string text = body.text() + declarations_.text() +
                                 "    /* verilator lint_on UNUSED */\n" + assigns_.text();
        Body clocked;
        for (const auto& [enable, lines] : clocked_) {
            clocked.line("always @(posedge aclk)");
            clocked.line("    if (", enable, ") begin");
            for (const std::string& line : lines)
                clocked.line("        ", line);
            clocked.line("    end");
        }
        control_.run(clocked);
        kernel.module.body = text + clocked.text() + valid_.text();
        kernel.registerBits = registerBits_;
        kernel.memoryBits = memories_.bits();
        kernel.memories = memories_.all();
        kernel.control = control_.size();
        addPorts(kernel);
        return kernel;
    }

private:
    void addPorts(StreamKernel& kernel) const {
        std::vector<Port>& ports = kernel.module.ports;
        ports = {{Direction::Input, 1, "aclk"},
                 {Direction::Input, 1, "aresetn"},
                 {Direction::Input, 1, "enable"}};
        if (kernel.takesValid)
            ports.push_back({Direction::Input, 1, "in_valid"});
        for (std::size_t k = 0; k < inputs_.size(); ++k)
            ports.push_back({Direction::Input, timed_.datapath.inputs[k].bits(), inputs_[k]});
        ports.push_back({Direction::Output, timed_.datapath.output.bits(), output_});
        ports.push_back({Direction::Output, 1, "out_valid"});
    }

    std::string wireOf(std::size_t cell) const { return cat(nameOf(cells_[cell].kind), "_", cell); }
    std::string stageName(std::size_t cell, std::int64_t stage) const {
        return stage == 0 ? wireOf(cell) : cat(wireOf(cell), "_d", stage);
    }

    /// An operand of a user at step `time`, exactly `bits` wide.
    std::string operand(const Tap& tap, int bits, std::int64_t time) {
        const Cell& cell = cells_[tap.cell.index()];
        if (isGenerator(cell.kind))
            return control_.word(cell, bits - 1, 0, time + tap.distance);
        if (isView(cell.kind))
            return view(tap, bits, time);
        const std::string name = stageName(tap.cell.index(), timed_.stageOf(tap, time));
        if (bits > cell.bits())
            return cat("{", literal(bits - cell.bits(), 0), ", ", name, "}");
        return slice(name, cell.bits(), bits - 1, 0);
    }

    /// A shifted word is other wires of a stored one, perhaps of a shifted one again.
    std::string view(const Tap& tap, int bits, std::int64_t time) {
        const Cell& cell = cells_[tap.cell.index()];
        const Tap inner{cell.operands[0].cell, cell.operands[0].distance + tap.distance};
        const int within = std::min(bits, cell.bits());
        const auto by = static_cast<int>(cell.number);
        std::string text;
        if (cell.kind == CellKind::Left) {
            text = within > by ? operand(inner, within - by, time) : literal(within, 0);
            if (by > 0 && within > by) // by nothing: only narrower
                text += ", " + literal(by, 0);
        } else {
            text = sliced(inner, by + within - 1, by, time);
        }
        return bits > within ? cat("{", literal(bits - within, 0), ", ", text, "}")
                             : cat("{", text, "}");
    }

    /// Bits [low, high] of an operand.
    std::string sliced(const Tap& tap, int high, int low, std::int64_t time) {
        const Cell& cell = cells_[tap.cell.index()];
        if (isGenerator(cell.kind))
            return control_.word(cell, high, low, time + tap.distance);
        if (!isView(cell.kind))
            return slice(stageName(tap.cell.index(), timed_.stageOf(tap, time)), cell.bits(), high,
                         low);
        const Tap inner{cell.operands[0].cell, cell.operands[0].distance + tap.distance};
        const auto by = static_cast<int>(cell.number);
        if (cell.kind == CellKind::Right)
            return sliced(inner, high + by, low + by, time);
        if (low >= by)
            return sliced(inner, high - by, low - by, time);
        const std::string zeros = literal(std::min(by - 1, high) - low + 1, 0);
        return high < by ? zeros : cat("{", sliced(inner, high - by, 0, time), ", ", zeros, "}");
    }

    /// An operand of a sum. Synthesis makes one sum of all sums that feed one another and only
    /// that, and a long one of it takes twice the LUTs: where the carry chain shall not be shared,
    /// two inversions keep them apart, at no cost.
    std::string summand(std::size_t k, std::size_t n) {
        const Cell& cell = cells_[k];
        const Tap& tap = cell.operands[n];
        const std::string text = operand(tap, cell.bits(), timed_.times[k]);
        const bool apart = isSum(cells_[tap.cell.index()].kind) &&
                           timed_.waitOf(tap, timed_.times[k]) == 0 &&
                           timed_.sharedChain[k] != static_cast<int>(n);
        return apart ? "~(~" + text + ")" : text;
    }

    std::string expression(std::size_t k) {
        const Cell& cell = cells_[k];
        const int bits = cell.bits();
        const std::int64_t time = timed_.times[k];
        const auto in = [&](std::size_t n, int width) {
            return operand(cell.operands[n], width, time);
        };
        const auto bitsOf = [&](std::size_t n) {
            return cells_[cell.operands[n].cell.index()].bits();
        };
        switch (cell.kind) {
        case CellKind::Input: {
            const int low = static_cast<int>(cell.first);
            const auto port = static_cast<std::size_t>(cell.number);
            return slice(inputs_[port], timed_.datapath.inputs[port].bits(), low + bits - 1, low);
        }
        case CellKind::Add:
            return cat(summand(k, 0), " + ", summand(k, 1));
        case CellKind::Sub:
            return cat(summand(k, 0), " - ", summand(k, 1));
        case CellKind::Mul:
            return cat(in(0, bits), " * ", in(1, bits));
        case CellKind::LeftBy:
            return cat(in(0, bits), " << ", in(1, bitsOf(1)));
        case CellKind::RightBy:
            return cat(in(0, bits), " >> ", in(1, bitsOf(1)));
        case CellKind::Less:
        case CellKind::Equal: {
            const int width = std::max(bitsOf(0), bitsOf(1));
            return cat(in(0, width), cell.kind == CellKind::Less ? " < " : " == ", in(1, width));
        }
        case CellKind::LessSigned:
            return cat("$signed(", in(0, cell.width), ") < $signed(", in(1, cell.width), ")");
        case CellKind::And:
            return cat(in(0, bits), " & ", in(1, bits));
        case CellKind::Or:
            return cat(in(0, bits), " | ", in(1, bits));
        case CellKind::Not:
            return cat("~", in(0, 1));
        case CellKind::Choose:
            return cat(in(0, 1), " ? ", in(1, bits), " : ", in(2, bits));
        default:
            return in(0, bits);
        }
    }

    void writeCell(std::size_t k) {
        const Cell& cell = cells_[k];
        if (isGenerator(cell.kind) || isView(cell.kind) || cell.kind == CellKind::Store)
            return;
        declarations_.line("wire ", range(cell.bits()), wireOf(k), ";");
        if (cell.kind == CellKind::Fetch)
            addQueue(k);
        else
            assigns_.line("assign ", wireOf(k), " = ", expression(k), ";");
        for (const DelayLine::Part& part : timed_.lines[k].memories)
            addLine(k, part);
        for (const DelayLine::Part& part : timed_.lines[k].registers) {
            for (std::int64_t stage = part.from + 1; stage <= part.to; ++stage) {
                declarations_.line("reg ", range(cell.bits()), stageName(k, stage), ";");
                clocked_[enableOf(k)].push_back(
                    cat(stageName(k, stage), " <= ", stageName(k, stage - 1), ";"));
                registerBits_ += cell.bits();
            }
        }
    }

    /// The clocks in which the registers behind a cell take the next word.
    std::string enableOf(std::size_t k) {
        const spacetime::Used& used = cells_[k].used;
        if (used.stride == 1)
            return "enable";
        return cat("enable & ", control_.phase(used.stride, 0, 1, timed_.times[k] + used.offset));
    }

    void addLine(std::size_t cell, const DelayLine::Part& part) {
        const int bits = cells_[cell].bits();
        declarations_.line("wire ", range(bits), stageName(cell, part.to), ";");
        memories_.addLine(part.to - part.from - 1, enableOf(cell),
                          {stageName(cell, part.from), stageName(cell, part.to), bits});
    }

    /// Both sides of a queue: the word goes in at the time of the Store.
    void addQueue(std::size_t k) {
        const Cell& fetch = cells_[k];
        const std::size_t storeIndex = fetch.operands[0].cell.index();
        const Cell& store = cells_[storeIndex];
        const std::int64_t time = timed_.times[storeIndex];
        const QueueTiming timing{timed_.datapath.queues[static_cast<std::size_t>(fetch.number)],
                                 time, timed_.times[k] - 1};
        const std::string stored = operand(store.operands[1], 1, time);
        const std::string fetched = operand(fetch.operands[1], 1, timed_.times[k]);
        memories_.addQueue(
            timing, stored, fetched,
            {operand(store.operands[0], fetch.bits(), time), wireOf(k), fetch.bits()});
    }

    void writeOutput() {
        std::string words;
        const spacetime::DatapathPort& port = timed_.datapath.output;
        for (std::size_t k = timed_.datapath.outputs.size(); k-- > 0;) {
            const int bits = port.leafBits[k % port.leafBits.size()];
            words += cat(words.empty() ? "" : ", ",
                         operand(timed_.datapath.outputs[k], bits, timed_.latency));
        }
        assigns_.line("assign ", output_, " = {", words, "};");
    }

    void writeValid(StreamKernel& kernel) {
        const std::int64_t unit = timed_.datapath.unit;
        const auto pattern = validSteps(timed_.datapath.output.type, unit);
        kernel.takesValid = !timed_.datapath.inputs.empty() && timed_.latency <= kFollowedSteps &&
                            validSteps(timed_.datapath.inputs[0].type, unit) == pattern;
        if (kernel.takesValid)
            return followInput();
        std::string valid = control_.started(timed_.latency);
        for (const ValidSteps& steps : pattern)
            valid += " & " + control_.phase(steps.period, 0, steps.end, timed_.latency);
        assigns_.line("assign out_valid = ", valid, ";");
    }

    void followInput() {
        const auto length = static_cast<int>(timed_.latency);
        if (length == 0) {
            assigns_.line("assign out_valid = in_valid;");
            return;
        }
        declarations_.line("reg ", range(length), "valid;");
        assigns_.line("assign out_valid = ", slice("valid", length, length - 1, length - 1), ";");
        valid_.line("always @(posedge aclk)");
        valid_.line("    if (!aresetn)");
        valid_.line("        valid <= ",
                    length <= 64 ? literal(length, 0) : cat("{", length, "{1'b0}}"), ";");
        valid_.line("    else if (enable)");
        valid_.line("        valid <= ",
                    length == 1 ? "in_valid"
                                : cat("{", slice("valid", length, length - 2, 0), ", in_valid}"),
                    ";");
    }

    const TimedDatapath& timed_;
    const std::vector<Cell>& cells_;
    const std::vector<std::string>& inputs_;
    const std::string& output_;
    StreamControl control_;
    Body declarations_, assigns_, valid_;
    ClockedLines clocked_;
    KernelMemories memories_;
    std::int64_t registerBits_ = 0;
};

} // namespace

std::vector<ValidSteps> validSteps(const SeqType& type, std::int64_t unit) {
    std::vector<ValidSteps> steps;
    const SeqType normal = normalize(type);
    for (const SeqType* t = &normal; !t->is(SeqType::Kind::Atom); t = &t->element()) {
        if (!t->is(SeqType::Kind::TSeq) || t->idle == 0)
            continue;
        const std::int64_t end = t->length * clocks(t->element());
        const std::int64_t period = clocks(*t);
        if (ceilDiv(end, unit) < period / unit)
            steps.push_back({period / unit, ceilDiv(end, unit)});
    }
    return steps;
}

StreamKernel kernelModule(const TimedDatapath& timed, const std::string& name,
                          const std::vector<std::string>& inputs, const std::string& output) {
    return KernelWriter(timed, inputs, output).write(name);
}

} // namespace marquetry::hdl
