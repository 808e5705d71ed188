#include "engine/lower_design/row_frame.h"

#include "engine/lower_design/step_table.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

RowFrame::RowFrame(rtl::Module& m, const RtlPlan& plan, const RowPlan& rows)
    : m_(m),
      plan_(plan),
      rows_(rows),
      clocking_{m.input("aclk"), m.input("aresetn")},
      pipe_(m, clocking_.clock) {}

void RowFrame::read() {
    setup_ = m_.input("setup");
    active_ = m_.input("active");
    q_ = m_.input("q", bits(rows_.sourceLanes * rows_.sourceBits));
    finished_ = m_.output("finished");
    raddr_ = m_.output("raddr", bits(rows_.from.wordBits));
    writer_.emplace(rows_.to, clocking_, setup_);
    writer_->ports(m_);
    m_.lint("lint_off UNUSEDSIGNAL"); // bits of numbers that nothing reads
    starts();
    counters();
}

/// Where the steps begin in different places, each looks up its own.
void RowFrame::starts() {
    const int otherBits = rows_.other ? rows_.other->from.addressBits() : 1;
    if (!rows_.beginsApart()) {
        const design::RowPart& only = rows_.parts.front();
        fromStart_ = constant(only.from, rows_.from.addressBits());
        otherStart_ = constant(only.other, otherBits);
        return;
    }
    StepTable table(m_, m_.input("step", bits(plan_.stepBits)));
    const auto start = [&](const char* name, int width, std::int64_t design::RowPart::*value) {
        return table.atOnce(
            name, width,
            valuesOf(plan_, rows_.parts, [&](const design::RowPart& part) { return part.*value; }));
    };
    fromStart_ = start("from_start", rows_.from.addressBits(), &design::RowPart::from);
    otherStart_ = start("other_start", otherBits, &design::RowPart::other);
    WalkPart to;
    to.start = start("to_start", rows_.to.side.addressBits(), &design::RowPart::to);
    table.write(clocking_.clock);
    writer_->vary(std::move(to));
}

/// A row's runs, once for each pass, with a wait behind each of them.
void RowFrame::counters() {
    const std::int64_t runs = rows_.runs();
    const auto passes = std::ssize(rows_.waits);
    const Expr address = m_.reg("address", bits(rows_.from.addressBits()));
    const Expr chunk = m_.reg("chunk", bits(bitsFor(runs)));
    const Expr pass = m_.reg("pass", bits(bitsFor(passes)));
    const Expr row = m_.reg("row", bits(bitsFor(rows_.shape.rows)));
    const Expr left = m_.reg("left", bits(waitOf(pass, row).width()));
    const Expr done = m_.reg("done");
    const Expr issues = issues_ = m_.wire("issues", active_ & (left == 0) & ~done);
    const Expr chunkLast = chunkLast_ = m_.wire("chunk_last", chunk == runs - 1);
    const Expr passLast = m_.wire("pass_last", pass == passes - 1);
    m_.assign(finished_, active_ & done & (left == 1));
    m_.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.when(setup_, [&](rtl::Block& then) {
            then.set(address, fromStart_);
            for (const Expr& counter : {chunk, pass, row, left, done})
                then.set(counter, constantLike(counter, 0));
        });
        b.orWhen(issues & chunkLast, [&](rtl::Block& then) {
            then.set(chunk, constantLike(chunk, 0));
            then.set(pass, choose(passLast, constantLike(pass, 0), pass + 1));
            then.set(left, waitOf(pass, row));
            then.set(address,
                     address + choose(passLast, constantLike(address, rows_.rowRuns - runs + 1),
                                      constantLike(address, 1 - runs)));
            then.when(passLast, [&](rtl::Block& ends) {
                ends.set(row, row + 1);
                ends.set(done, row == rows_.shape.rows - 1);
            });
        });
        b.orWhen(issues, [&](rtl::Block& then) {
            then.set(chunk, chunk + 1);
            then.set(address, address + 1);
        });
        b.orWhen(left != 0, [&](rtl::Block& then) { then.set(left, left - 1); });
    });
    capture(issues, m_.wire("chunk_first", chunk == 0), chunkLast, pass);
    takeElements(address);
}

void RowFrame::takeElements(const Expr& address) {
    m_.assign(raddr_, address.slice(rows_.from.placeBits, rows_.from.wordBits));
    elements_ = elementsOf(
        {"x", q_, rows_.from, rows_.sourceLanes, rows_.sourceBits, rows_.shape.operandBits},
        address, -1);
}

std::vector<Timed> RowFrame::elementsOf(const ElementSource& source, const Expr& address,
                                        int clock) {
    std::vector<Timed> all;
    if (source.side.runs > 1) {
        const Expr place = m_.reg(source.name + "_place", bits(bitsFor(source.side.runs)));
        m_.clocked(clocking_.clock,
                   [&](rtl::Block& b) { b.set(place, address.slice(0, place.size())); });
        const int width = run() * source.bits;
        const Expr word = m_.wire(source.name + "_run", source.q.part(place, width));
        for (int lane = 0; lane < run(); ++lane)
            all.push_back(pipe_.registered(cat(source.name, "_", lane),
                                           word.slice(lane * source.bits, source.operandBits),
                                           clock));
        return all;
    }
    for (int lane = 0; lane < run(); ++lane) {
        // A narrow slot has fewer lanes than a run.
        const bool stored = lane < source.lanes;
        all.push_back(pipe_.registered(cat(source.name, "_", lane),
                                       stored
                                           ? source.q.slice(lane * source.bits, source.operandBits)
                                           : rtl::zeros(source.operandBits),
                                       clock));
    }
    return all;
}

/// A register of the address of the second operand: from run to run, and `nextRow` from the last
/// run of a row on; a number for each row stays there for the runs of it.
Expr RowFrame::secondAddress(int width, const Expr& start, std::int64_t nextRow) {
    const Expr address = m_.reg("second_address", bits(width));
    const bool ofRow = rows_.shape.second == cost::SecondOperand::ConstantOfRow;
    m_.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.when(setup_, [&](rtl::Block& then) { then.set(address, start); });
        b.orWhen(issues_ & chunkLast_, [&](rtl::Block& then) {
            then.set(address, address + constantLike(address, nextRow));
        });
        if (!ofRow)
            b.orWhen(issues_, [&](rtl::Block& then) { then.set(address, address + 1); });
    });
    return address;
}

std::vector<Timed> RowFrame::constantsOf(const std::shared_ptr<const std::string>& text) {
    const cost::RowShape& shape = rows_.shape;
    const int width = shape.secondFactor - (rows_.constantsSigned ? 0 : 1);
    const int kept = (width + 3) / 4 * 4; // of hex digits
    const std::int64_t words = shape.constantWords();
    const bool back = shape.second == cost::SecondOperand::ConstantRow;
    const int addressBits = bitsFor(words);
    const Expr address =
        secondAddress(addressBits, constant(0, addressBits), back ? 1 - shape.runs() : 1);
    const rtl::Memory constants = m_.memory("constants", bits(shape.constantsOfWord() * kept),
                                            words, rtl::RamStyle::BlockRom);
    m_.fill(constants, text);
    const Expr word = m_.reg("constants_q", bits(shape.constantsOfWord() * kept));
    m_.clocked(clocking_.clock, [&](rtl::Block& b) { b.set(word, constants[address]); });
    std::vector<Timed> all;
    for (int lane = 0; lane < run(); ++lane) {
        const int at = shape.constantsOfWord() == 1 ? 0 : lane;
        all.push_back(pipe_.registered(cat("c_", lane), word.slice(at * kept, width), -1));
    }
    return all;
}

std::vector<Timed> RowFrame::readSecond(const std::shared_ptr<const std::string>& constants) {
    if (rows_.shape.second == cost::SecondOperand::Itself)
        return elements_;
    if (cost::isConstant(rows_.shape.second))
        return constantsOf(constants);
    const RowOther& other = *rows_.other;
    const Expr q = m_.input("other_q", bits(other.lanes * other.bits));
    const Expr raddr = m_.output("other_raddr", bits(other.from.wordBits));
    if (rows_.shape.second == cost::SecondOperand::Entry)
        return entriesOf(other, q, raddr);
    const bool back = rows_.shape.second == cost::SecondOperand::Row;
    const Expr address = secondAddress(other.from.addressBits(), otherStart_,
                                       back ? 1 - rows_.runs() : rows_.rowRuns - rows_.runs() + 1);
    m_.assign(raddr, address.slice(other.from.placeBits, other.from.wordBits));
    return elementsOf({"y", q, other.from, other.lanes, other.bits, other.operandBits}, address,
                      -1);
}

/// In a register, where steps have theirs.
Expr RowFrame::tableStart() {
    if (otherStart_.constant())
        return otherStart_;
    const Expr start = m_.reg("table_start", otherStart_.type());
    m_.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.when(setup_, [&](rtl::Block& then) { then.set(start, otherStart_); });
    });
    return start;
}

/// An element is the number of its entry, from the least value of its type on.
std::vector<Timed> RowFrame::entriesOf(const RowOther& table, const Expr& q, const Expr& raddr) {
    const Timed& x = element(0);
    const Expr low = x.value.slice(0, table.entryBits);
    const int top = table.entryBits - 1;
    const Expr number = rows_.operandSigned ? rtl::join({~low.bit(top), low.slice(0, top)}) : low;
    const int width = table.from.addressBits();
    const Expr address =
        m_.wire("entry_address",
                number.extended(std::max(width, table.entryBits)).slice(0, width) + tableStart());
    m_.assign(raddr, address.slice(table.from.placeBits, table.from.wordBits));
    return elementsOf({"y", q, table.from, table.lanes, table.bits, table.operandBits}, address,
                      x.clock + 1);
}

/// The results of a row are made while the next one is read.
Expr RowFrame::waitOf(const Expr& pass, const Expr& row) const {
    const int width = bitsFor(*std::ranges::max_element(rows_.waits) + 1);
    Expr wait = choose(row == rows_.shape.rows - 1, constant(rows_.waits.back(), width),
                       constant(rows_.gap, width));
    for (std::size_t k = rows_.waits.size() - 1; k-- > 0;)
        wait = choose(pass == static_cast<std::int64_t>(k), constant(rows_.waits[k], width), wait);
    return wait;
}

/// What goes along with a run: two registers, as the word and its elements have.
void RowFrame::capture(const Expr& issues, const Expr& chunkFirst, const Expr& chunkLast,
                       const Expr& pass) {
    const auto twice = [&](const char* name, const Expr& value) {
        const Timed once = pipe_.registered(cat(name, "_read"), value, -2);
        return pipe_.registered(cat(name, "_there"), once.value, -1);
    };
    valid_ = twice("valid", clocking_.reset & issues);
    first_ = twice("first", chunkFirst);
    last_ = twice("last", chunkLast);
    pass_ = twice("pass", pass);
}

Expr RowFrame::inPass(int pass, int clock) {
    return pipe_.at(valid_, clock) & (pipe_.at(pass_, clock) == pass);
}

Expr RowFrame::inRow(int lane, int clock) {
    if (lane < rows_.rest())
        return constant(1, 1);
    return ~last(clock);
}

Timed RowFrame::reduced(const std::string& name, std::vector<Timed> values,
                        const std::function<Expr(const Expr&, const Expr&)>& both) {
    for (int level = 0; values.size() > 1; ++level) {
        std::vector<Timed> next;
        for (std::size_t k = 0; k < values.size(); k += 2)
            next.push_back(pipe_.registered(cat(name, "_", level, "_", k / 2),
                                            both(values[k].value, values[k + 1].value),
                                            values[k].clock));
        values = std::move(next);
    }
    return values.front();
}

Timed RowFrame::quotient(const std::string& name, const Timed& num, const Expr& den, int bits) {
    // Before bit k it is below den · 2^(k + 1), afterwards below den · 2^k.
    Timed rest{num.value.resized(den.width() + bits), num.clock};
    Timed found;
    for (int k = bits; k-- > 0;) {
        const int width = den.width() + k + 1;
        const Expr part =
            m_.wire(cat(name, "_part_", k), rtl::join({constant(0, 1), den, rtl::zeros(k)}));
        const Expr fits = m_.wire(cat(name, "_fits_", k), rest.value >= part);
        const Expr less =
            m_.wire(cat(name, "_less_", k), choose(fits, rest.value - part, rest.value));
        const Expr more = found.exists() ? rtl::join({found.value, fits}) : fits;
        found = pipe_.registered(cat(name, "_bits_", k), more, rest.clock);
        rest = pipe_.registered(cat(name, "_rest_", k), less.slice(0, width - 1), rest.clock);
    }
    return found;
}

void RowFrame::write(const std::vector<Expr>& results, int clock) {
    const int passes = static_cast<int>(rows_.waits.size());
    const Expr valid = m_.wire("results_there", active_ & inPass(passes - 1, clock));
    std::vector<Expr> highFirst;
    for (std::size_t lane = results.size(); lane-- > 0;)
        if (static_cast<std::int64_t>(lane) < rows_.to.side.runLanes)
            highFirst.push_back(
                (rows_.resultSigned ? results[lane].asSigned() : results[lane].asUnsigned())
                    .extended(rows_.to.elementBits)
                    .asUnsigned());
    const Expr word = m_.wire("results", rtl::join(highFirst));
    m_.lint("lint_on UNUSEDSIGNAL");
    writer_->write(m_, valid, word);
}

} // namespace marquetry::hdl
