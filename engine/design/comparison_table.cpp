#include "engine/design/comparison_table.h"

#include <array>
#include <cmath>

namespace marquetry::design {

namespace {

using Column = ComparisonColumn;

constexpr std::array<Column, 7> kFigureColumns{{
    {"figure", "Figure", "What is compared", CellForm::Text},
    {"measure", "In", "What it is counted in", CellForm::Text},
    {"a", "A", "Of design A, the one that is looked at", CellForm::Number},
    {"b", "B", "Of design B, the other one", CellForm::Number},
    {"difference", "B − A", "Below zero: B has less", CellForm::Difference},
    {"ratio", "B ÷ A", "Below one: B has less", CellForm::Ratio},
    {"better", "Better", "The design whose figure one would rather have", CellForm::Text},
}};

constexpr std::array<Column, 16> kLayerColumns{{
    {"layer", "Layer", "The layer, or the port of an input or output", CellForm::Text},
    {"what", "What",
     "A call of a unit, moves that copy a tensor, a function of rows, the load of an input or the "
     "store of an output",
     CellForm::Text},
    {"a_cycles", "Cycles A", "Clocks of a run of A that the layer takes", CellForm::Number},
    {"b_cycles", "Cycles B", "Clocks of a run of B that the layer takes", CellForm::Number},
    {"difference", "B − A", "Below zero: B needs fewer cycles", CellForm::Difference},
    {"ratio", "B ÷ A", "Below one: B needs fewer cycles", CellForm::Ratio},
    {"a_bound", "Bound A", "What takes the most of its clocks in A", CellForm::Text},
    {"b_bound", "Bound B", "What takes the most of its clocks in B", CellForm::Text},
    {"a_unit", "Unit A", "The unit that does it in A", CellForm::Text},
    {"b_unit", "Unit B", "The unit that does it in B", CellForm::Text},
    {"a_share_percent", "Share % A", "Cycles A ÷ cycles of the whole run of A", CellForm::Number},
    {"b_share_percent", "Share % B", "Cycles B ÷ cycles of the whole run of B", CellForm::Number},
    {"a_weights", "Weights A", "Where its weights are in A", CellForm::Text},
    {"b_weights", "Weights B", "Where its weights are in B", CellForm::Text},
    {"better", "Better", "The design that needs fewer cycles for it", CellForm::Text},
    {"in", "In", "The designs that have this layer", CellForm::Text},
}};

constexpr std::array<Column, 14> kUnitColumns{{
    {"unit", "Unit", "Function and shape; a unit of both designs is equal hardware in both",
     CellForm::Text},
    {"in", "In", "The designs that have this unit", CellForm::Text},
    {"parallelism", "Rows", "Rows that it computes at once", CellForm::Number},
    {"lanes", "Lanes", "Products of a row in a clock", CellForm::Number},
    {"multipliers", "Multipliers", "That it has", CellForm::Number},
    {"a_calls", "Calls A", "Layers of A that use it", CellForm::Number},
    {"b_calls", "Calls B", "Layers of B that use it", CellForm::Number},
    {"a_busy_percent", "Busy % A", "Cycles of its calls ÷ all cycles of A", CellForm::Number},
    {"b_busy_percent", "Busy % B", "Cycles of its calls ÷ all cycles of B", CellForm::Number},
    {"a_used_percent", "Used % A", "Multiplications ÷ (its multipliers × all cycles of A)",
     CellForm::Number},
    {"b_used_percent", "Used % B", "Multiplications ÷ (its multipliers × all cycles of B)",
     CellForm::Number},
    {"a_dsp", "DSP A", "DSP blocks of A that it takes", CellForm::Number},
    {"b_dsp", "DSP B", "DSP blocks of B that it takes", CellForm::Number},
    {"difference", "DSP B − A", "Of a unit of one design alone, what the other has not",
     CellForm::Difference},
}};

constexpr std::array<Column, 14> kBufferColumns{{
    {"buffer", "Buffer", "A memory that holds values between calls, or the weights of a layer",
     CellForm::Text},
    {"holds", "Holds", "Values of a run, or weights", CellForm::Text},
    {"in", "In", "The designs that have this buffer", CellForm::Text},
    {"a_place", "Place A", "What it is made of in A; external: it is in external memory",
     CellForm::Text},
    {"b_place", "Place B", "What it is made of in B; external: it is in external memory",
     CellForm::Text},
    {"a_words", "Words A", "That it holds in A", CellForm::Number},
    {"b_words", "Words B", "That it holds in B", CellForm::Number},
    {"a_bits", "Bits A", "Words × bits of a word in A", CellForm::Number},
    {"b_bits", "Bits B", "Words × bits of a word in B", CellForm::Number},
    {"difference", "B − A", "Bits; below zero: it is smaller in B", CellForm::Difference},
    {"a_banks", "Banks A", "Memories with ports of their own in A", CellForm::Number},
    {"b_banks", "Banks B", "Memories with ports of their own in B", CellForm::Number},
    {"a_bram", "RAM A",
     "Blocks of A's block RAM that it takes; what weights take is counted with their unit",
     CellForm::Number},
    {"b_bram", "RAM B",
     "Blocks of B's block RAM that it takes; what weights take is counted with their unit",
     CellForm::Number},
}};

LedgerCell numberCell(const std::optional<double>& value) {
    constexpr double kExact = 9e15;
    if (!value)
        return {};
    if (*value == std::floor(*value) && std::abs(*value) < kExact)
        return static_cast<std::int64_t>(*value);
    return *value;
}

LedgerCell ratioCell(const ComparedNumber& number) {
    const auto ratio = number.ratio();
    return ratio ? LedgerCell(*ratio) : LedgerCell();
}

Favoured favouredBy(Preferred preferred, const ComparedNumber& number) {
    const auto difference = number.difference();
    if (!difference || *difference == 0 || preferred == Preferred::Neither)
        return Favoured::Neither;
    return (*difference < 0) == (preferred == Preferred::Less) ? Favoured::B : Favoured::A;
}

LedgerCell figureCell(const ComparedFigure& figure, std::size_t column) {
    switch (column) {
    case 0:
        return figure.title;
    case 1:
        return figure.measure;
    case 2:
        return numberCell(figure.value.a);
    case 3:
        return numberCell(figure.value.b);
    case 4:
        return numberCell(figure.value.difference());
    case 5:
        return ratioCell(figure.value);
    default:
        return toString(favouredBy(figure.preferred, figure.value));
    }
}

LedgerCell weightsPlaceCell(const LayerOfDesign& layer) {
    if (!layer.external)
        return {};
    return std::string(*layer.external ? "external" : "on chip");
}

LedgerCell layerCell(const ComparedLayer& layer, Preferred preferred, std::size_t column) {
    const auto& of = column % 2 == 0 ? layer.a : layer.b;
    switch (column) {
    case 0:
        return layer.name;
    case 1:
        return toString(layer.kind);
    case 2:
        return numberCell(layer.cycles().a);
    case 3:
        return numberCell(layer.cycles().b);
    case 4:
        return numberCell(layer.cycles().difference());
    case 5:
        return ratioCell(layer.cycles());
    case 6:
    case 7:
        return of ? LedgerCell(of->bound) : LedgerCell();
    case 8:
    case 9:
        return of ? LedgerCell(of->unit) : LedgerCell();
    case 10:
    case 11:
        return of ? LedgerCell(of->share) : LedgerCell();
    case 12:
    case 13:
        return of ? weightsPlaceCell(*of) : LedgerCell();
    case 14:
        return toString(favouredBy(preferred, layer.cycles()));
    default:
        return holdersOf(layer.a.has_value(), layer.b.has_value());
    }
}

/// Of a design that lacks the unit, its DSP blocks are none.
double unitDifference(const ComparedUnit& unit) {
    return (unit.b ? unit.b->resources.dsp : 0) - (unit.a ? unit.a->resources.dsp : 0);
}

LedgerCell useCell(const std::optional<UnitOfDesign>& use, std::size_t what) {
    if (!use)
        return {};
    switch (what) {
    case 0:
        return use->calls;
    case 1:
        return use->busy;
    case 2:
        return use->utilisation ? LedgerCell(*use->utilisation) : LedgerCell();
    default:
        return numberCell(use->resources.dsp);
    }
}

LedgerCell unitCell(const ComparedUnit& unit, std::size_t column) {
    constexpr std::size_t kFirstUse = 5;
    constexpr std::size_t kLast = kUnitColumns.size() - 1;
    switch (column) {
    case 0:
        return unit.name;
    case 1:
        return holdersOf(unit.a.has_value(), unit.b.has_value());
    case 2:
        return unit.parallelism;
    case 3:
        return unit.lanes;
    case 4:
        return unit.multipliers;
    case kLast:
        return numberCell(unitDifference(unit));
    default:
        return useCell((column - kFirstUse) % 2 == 0 ? unit.a : unit.b, (column - kFirstUse) / 2);
    }
}

LedgerCell memoryCell(const std::optional<BufferOfDesign>& buffer, std::size_t what) {
    if (!buffer)
        return {};
    switch (what) {
    case 0:
        return buffer->place;
    case 1:
        return buffer->words;
    case 2:
        return numberCell(buffer->bits());
    case 3:
        return buffer->banks;
    default:
        return numberCell(buffer->bram);
    }
}

LedgerCell bufferCell(const ComparedBuffer& buffer, std::size_t column) {
    constexpr std::size_t kFirst = 3;
    constexpr std::size_t kDifference = 9;
    switch (column) {
    case 0:
        return buffer.name;
    case 1:
        return std::string(buffer.weights ? "weights" : "values");
    case 2:
        return holdersOf(buffer.a.has_value(), buffer.b.has_value());
    case kDifference:
        return numberCell(buffer.bits().difference());
    default:
        break;
    }
    const std::size_t at = column - kFirst - (column > kDifference ? 1 : 0);
    return memoryCell(at % 2 == 0 ? buffer.a : buffer.b, at / 2);
}

} // namespace

std::string toString(ComparisonRows rows) {
    switch (rows) {
    case ComparisonRows::Figures:
        return "figures";
    case ComparisonRows::Layers:
        return "layers";
    case ComparisonRows::Units:
        return "units";
    case ComparisonRows::Buffers:
        return "buffers";
    }
    return "figures";
}

std::string toString(Favoured favoured) {
    if (favoured == Favoured::Neither)
        return {};
    return favoured == Favoured::A ? "A" : "B";
}

std::span<const ComparisonColumn> comparisonColumns(ComparisonRows rows) {
    if (rows == ComparisonRows::Figures)
        return kFigureColumns;
    if (rows == ComparisonRows::Layers)
        return kLayerColumns;
    if (rows == ComparisonRows::Units)
        return kUnitColumns;
    return kBufferColumns;
}

std::size_t comparisonRowCount(const Comparison& comparison, ComparisonRows rows) {
    if (rows == ComparisonRows::Figures)
        return comparison.figures.size();
    if (rows == ComparisonRows::Layers)
        return comparison.layers.size();
    return rows == ComparisonRows::Units ? comparison.units.size() : comparison.buffers.size();
}

LedgerCell cellOf(const Comparison& comparison, ComparisonRows rows, std::size_t row,
                  std::size_t column) {
    if (rows == ComparisonRows::Figures)
        return figureCell(comparison.figures[row], column);
    if (rows == ComparisonRows::Layers)
        return layerCell(comparison.layers[row], comparison.ofLayers, column);
    if (rows == ComparisonRows::Units)
        return unitCell(comparison.units[row], column);
    return bufferCell(comparison.buffers[row], column);
}

Favoured favouredOf(const Comparison& comparison, ComparisonRows rows, std::size_t row) {
    if (rows == ComparisonRows::Figures) {
        const ComparedFigure& figure = comparison.figures[row];
        return favouredBy(figure.preferred, figure.value);
    }
    if (rows == ComparisonRows::Layers)
        return favouredBy(comparison.ofLayers, comparison.layers[row].cycles());
    return Favoured::Neither;
}

std::string holdersOf(bool inA, bool inB) {
    if (inA && inB)
        return "both";
    return inA ? "only A" : "only B";
}

} // namespace marquetry::design
