// What units of functions of rows share: they read each row in several passes, a run of elements
// per clock, and write the results of the last one.
//
// Clock 0 of their pipelines is that of the registers of a run's elements. Thread rule: one
// builder.
#pragma once

#include "engine/lower_design/lane_pipe.h"
#include "engine/lower_design/row_plan.h"
#include "engine/lower_design/run_writer.h"

#include <functional>

namespace marquetry::hdl {

class RowFrame {
public:
    RowFrame(rtl::Module& m, const RtlPlan& plan, const RowPlan& rows);

    /// Ports, counters and the elements' registers.
    void read();
    /// Of a function of elements, the second operands of a run, as wide as they are kept; a tensor
    /// is read along, constants are those of the file.
    std::vector<Timed> readSecond(const std::shared_ptr<const std::string>& constants);
    /// The results of a run, `clock` clocks after its elements, the first one lowest.
    void write(const std::vector<Expr>& results, int clock);

    LanePipe& pipe() { return pipe_; }
    const Expr& clock() const { return clocking_.clock; }
    const Clocking& clocking() const { return clocking_; }
    int run() const { return static_cast<int>(rows_.shape.run); }
    /// Of an element, as wide as it is stored.
    const Timed& element(int lane) const { return elements_[static_cast<std::size_t>(lane)]; }
    /// At a clock of the pipeline: a run of that pass is there; it is the first or last of its row.
    Expr inPass(int pass, int clock);
    Expr first(int clock) { return pipe_.at(first_, clock); }
    Expr last(int clock) { return pipe_.at(last_, clock); }
    /// Whether the element is one of the row, where the last run has fewer; 1 elsewhere.
    Expr inRow(int lane, int clock);

    /// Of all elements at `clock`, by a tree of registers.
    Timed reduced(const std::string& name, std::vector<Timed> values,
                  const std::function<Expr(const Expr&, const Expr&)>& both);
    /// num / den, which is below 2^bits: a clock for each bit. `den` is steady.
    Timed quotient(const std::string& name, const Timed& num, const Expr& den, int bits);

private:
    void starts();
    void counters();
    struct ElementSource {
        std::string name;
        Expr q;
        design::MoveSide side;
        std::int64_t lanes = 8;
        int bits = 8;        ///< of an element of the word
        int operandBits = 8; ///< of it
    };
    void takeElements(const Expr& address);
    /// Of the word that is there at `clock`, whose address was a clock before.
    std::vector<Timed> elementsOf(const ElementSource& source, const Expr& address, int clock);
    Expr tableStart();
    std::vector<Timed> entriesOf(const RowOther& table, const Expr& q, const Expr& raddr);
    Expr secondAddress(int bits, const Expr& start, std::int64_t nextRow);
    std::vector<Timed> constantsOf(const std::shared_ptr<const std::string>& text);
    void capture(const Expr& issues, const Expr& chunkFirst, const Expr& chunkLast,
                 const Expr& pass);
    Expr waitOf(const Expr& pass, const Expr& row) const;

    rtl::Module& m_;
    const RtlPlan& plan_;
    const RowPlan& rows_;
    Clocking clocking_;
    LanePipe pipe_;
    Expr setup_, active_, q_, finished_, raddr_;
    Expr fromStart_, otherStart_; ///< where a step begins
    Expr issues_, chunkLast_;     ///< a run is asked for; it is the last of its row
    std::optional<RunWriter> writer_;
    std::vector<Timed> elements_;
    Timed valid_, first_, last_, pass_;
};

} // namespace marquetry::hdl
