#include "engine/design/ledger_table.h"

namespace marquetry::design {

namespace {

constexpr std::array<LedgerColumn, 19> kLedgerColumns{{
    {LedgerField::Name, "layer", "Layer", "The layer, or the port of an input or output", false},
    {LedgerField::What, "what", "What",
     "A call of a unit, moves that copy a tensor, a function of rows, the load of an input or the "
     "store of an output",
     false},
    {LedgerField::Unit, "unit", "Unit", "The unit that does it", false},
    {LedgerField::Bound, "bound_by", "Bound by",
     "What takes the most of its clocks: compute, padding, elements, load/store, moves, "
     "write-back or drain; memory where it waits for weights for more than a twentieth of the time "
     "that it computes",
     false},
    {LedgerField::Cycles, "cycles", "Cycles",
     "Clocks of a run in which it waits for this; where several steps run, a clock counts for one",
     true},
    {LedgerField::Share, "share_percent", "Share %", "Cycles ÷ cycles of the whole run", true},
    {LedgerField::Multiplying, "multiplying", "Multiplying",
     "Multiplications ÷ multipliers of the unit: clocks it would take if each of them always had "
     "one",
     true},
    {LedgerField::Padding, "padding", "Padding",
     "The other clocks in which the unit takes words: multipliers that meet rows, lanes or "
     "channels "
     "which the layer does not have",
     true},
    {LedgerField::Elements, "elements", "Elements",
     "Clocks in which a unit without multipliers takes words: a pool, a pass, a function of rows, "
     "a stream",
     true},
    {LedgerField::Transfer, "transfer", "Load/store",
     "Clocks in which elements move between a stream and the chip", true},
    {LedgerField::Move, "move", "Moves",
     "Clocks in which elements are copied from one memory to another", true},
    {LedgerField::WriteBack, "write_back", "Write-back",
     "Clocks in which no word is taken, since results of the reduction before still leave", true},
    {LedgerField::Waiting, "waiting", "Waiting",
     "Clocks in which no word is taken, since external weights are not there yet", true},
    {LedgerField::Drain, "drain", "Drain",
     "Set-up of the steps, and their pipelines after the last word", true},
    {LedgerField::Overlap, "overlap", "Overlap",
     "Of all these, clocks in which the run waits for another step that runs beside; they count "
     "there",
     true},
    {LedgerField::Multiplications, "multiplications", "Multiplications",
     "That the results of a run need, on multipliers", true},
    {LedgerField::Use, "use_percent", "Used %", "Multiplying ÷ all clocks of the row", true},
    {LedgerField::Weights, "weights", "Weights", "Where its weights are", false},
    {LedgerField::Why, "why", "Why there", "Why its weights are there", false},
}};

LedgerCell weightsCell(const LedgerRow& row) {
    if (!row.weights)
        return {};
    return std::string(row.weights->external ? "external" : "on chip");
}

double percentOf(double part, std::int64_t whole) {
    return whole > 0 ? 100 * part / static_cast<double>(whole) : 0;
}

/// Of texts and what is no clock.
LedgerCell plainCell(const Ledger& ledger, const LedgerRow& row, LedgerField field) {
    switch (field) {
    case LedgerField::Name:
        return row.name;
    case LedgerField::What:
        return row.kind == StepKind::Sum ? LedgerCell() : LedgerCell(toString(row.kind));
    case LedgerField::Unit:
        return row.unit ? LedgerCell(row.unitName) : LedgerCell();
    case LedgerField::Bound:
        return boundName(row.bound);
    case LedgerField::Share:
        return 100 * ledger.share(row);
    case LedgerField::Use:
        return row.clocks.taking > 0
                   ? LedgerCell(percentOf(row.clocks.multiplying, row.clocks.alone()))
                   : LedgerCell();
    case LedgerField::Weights:
        return weightsCell(row);
    case LedgerField::Why:
        return row.weights ? LedgerCell(row.weights->why) : LedgerCell();
    default:
        return {};
    }
}

} // namespace

std::span<const LedgerColumn> ledgerColumns() {
    return kLedgerColumns;
}

LedgerCell cellOf(const Ledger& ledger, const LedgerRow& row, LedgerField field) {
    const LedgerClocks& clocks = row.clocks;
    switch (field) {
    case LedgerField::Cycles:
        return clocks.cycles();
    case LedgerField::Multiplying:
        return clocks.multiplying;
    case LedgerField::Padding:
        return clocks.padding();
    case LedgerField::Elements:
        return clocks.elements;
    case LedgerField::Transfer:
        return clocks.transfer;
    case LedgerField::Move:
        return clocks.move;
    case LedgerField::WriteBack:
        return clocks.writeBack;
    case LedgerField::Waiting:
        return clocks.waiting;
    case LedgerField::Drain:
        return clocks.drain;
    case LedgerField::Overlap:
        return clocks.overlap;
    case LedgerField::Multiplications:
        return clocks.multiplications;
    default:
        return plainCell(ledger, row, field);
    }
}

LedgerRow totalRow(const Ledger& ledger) {
    LedgerRow row;
    row.name = "total";
    row.kind = StepKind::Sum;
    row.clocks = ledger.total;
    row.bound = ledger.binding.part;
    return row;
}

} // namespace marquetry::design
