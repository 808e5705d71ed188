#include "engine/design/timetable_table.h"

#include <array>

namespace marquetry::design {

namespace {

constexpr std::array<TimetableColumn, 16> kTimetableColumns{{
    {TimetableField::Number, "step", "Step",
     "Its place in the list of the schedule, as in DESIGN.json", true},
    {TimetableField::Name, "name", "Layer", "The layer, or what a transfer loads or stores", false},
    {TimetableField::What, "what", "What",
     "A call of a unit, a move that copies a tensor, a function of rows, a load or a store", false},
    {TimetableField::Line, "queue", "Queue",
     "Calls run one after another; second calls and transfers run beside them, each in a queue of "
     "their own",
     false},
    {TimetableField::Unit, "unit", "Unit", "The unit that does it", false},
    {TimetableField::Begin, "begin", "Begins", "Clock of the run in which it begins", true},
    {TimetableField::End, "end", "Ends", "Clock of the run in which it has ended", true},
    {TimetableField::Clocks, "clocks", "Clocks", "From its begin to its end", true},
    {TimetableField::Critical, "critical", "Run waits",
     "Of its clocks, those in which the run waits for it: its cycles in the ledger. Without any it "
     "may take longer without the run taking longer",
     true},
    {TimetableField::QueueWaits, "queue_waits", "Waits for queues",
     "Clocks from its turn in the list until what it awaits in queues, its own among them, has "
     "ended",
     true},
    {TimetableField::MemoryWaits, "memory_waits", "Waits for memory",
     "Of its clocks, those in which external memory keeps it waiting", true},
    {TimetableField::After, "begins_when", "Begins when",
     "The step by whose end, hand-over or start it begins when it does", false},
    {TimetableField::Tokens, "awaits", "Awaits",
     "The last steps of queues that must have ended before it begins, whenever that is", false},
    {TimetableField::Loops, "loops", "Loops",
     "Iterations of its loops, the outermost first; together the clocks in which it takes words",
     false},
    {TimetableField::Reads, "reads", "Reads", "Tensors and weights, with the words they lie in",
     false},
    {TimetableField::Writes, "writes", "Writes", "The tensor, with the words it lies in", false},
}};

std::string rangeText(std::int64_t first, std::int64_t count) {
    const std::string from = std::to_string(first);
    return count == 1 ? " " + from : "s " + from + " to " + std::to_string(first + count - 1);
}

std::string wordsText(const StepPlace& place) {
    if (place.ring == 0 || place.firstWord + place.words <= place.ring)
        return "word" + rangeText(place.firstWord, place.words);
    return "words " + std::to_string(place.firstWord) + " to " + std::to_string(place.ring - 1) +
           " and 0 to " + std::to_string(place.firstWord + place.words - place.ring - 1);
}

/// Behind what a place holds.
std::string whereText(const StepPlace& place) {
    switch (place.kind) {
    case PlaceKind::Stream:
        return " of stream " + place.memory;
    case PlaceKind::External:
        return " in external memory";
    case PlaceKind::Weights:
        return (place.words > 0 ? ", in " + wordsText(place) + " of" : std::string(" in")) +
               " unit " + place.memory;
    case PlaceKind::Slot:
        break;
    }
    return ", in " + wordsText(place) + " of " + place.memory;
}

std::string placesText(const std::vector<StepPlace>& places) {
    std::string text;
    for (const StepPlace& place : places)
        text += (text.empty() ? "" : "; ") + placeText(place);
    return text;
}

std::string tokensText(const Timetable& timetable, const TimedStep& step) {
    std::string text;
    for (const StepToken& token : step.tokens)
        text += (text.empty() ? "" : "; ") + stepText(timetable, token.step);
    return text;
}

TimetableCell orNothing(std::string text) {
    return text.empty() ? TimetableCell() : TimetableCell(std::move(text));
}

TimetableCell clocksCell(const TimedStep& step, TimetableField field) {
    switch (field) {
    case TimetableField::Begin:
        return step.begin;
    case TimetableField::End:
        return step.end;
    case TimetableField::Clocks:
        return step.clocks();
    case TimetableField::Critical:
        return step.critical;
    case TimetableField::QueueWaits:
        return step.queueWaits();
    case TimetableField::MemoryWaits:
        return step.memoryWaits;
    default:
        return {};
    }
}

} // namespace

std::span<const TimetableColumn> timetableColumns() {
    return kTimetableColumns;
}

TimetableCell cellOf(const Timetable& timetable, std::size_t step, TimetableField field) {
    const TimedStep& timed = timetable.steps[step];
    switch (field) {
    case TimetableField::Number:
        return static_cast<std::int64_t>(step);
    case TimetableField::Name:
        return timed.name;
    case TimetableField::What:
        return toString(timed.kind);
    case TimetableField::Line:
        return queueName(timed.queue);
    case TimetableField::Unit:
        return orNothing(timed.unitName);
    case TimetableField::After:
        return orNothing(beginText(timetable, step));
    case TimetableField::Tokens:
        return orNothing(tokensText(timetable, timed));
    case TimetableField::Loops:
        return orNothing(loopCounts(timed.loops));
    case TimetableField::Reads:
        return orNothing(placesText(timed.reads));
    case TimetableField::Writes:
        return orNothing(placesText(timed.writes));
    default:
        return clocksCell(timed, field);
    }
}

std::string queueName(Queue queue) {
    constexpr std::array<const char*, kMostQueues> kNames{
        "calls",        "transfers",   "second calls", "third calls",
        "fourth calls", "fifth calls", "sixth calls",  "seventh calls"};
    return kNames[indexOf(queue)];
}

std::string loopCounts(const std::vector<TimedLoop>& loops) {
    std::string text;
    for (const TimedLoop& loop : loops)
        text += (text.empty() ? "" : " × ") + std::to_string(loop.count);
    return text;
}

std::string placeText(const StepPlace& place) {
    const std::string rows =
        place.firstRow ? ", row" + rangeText(*place.firstRow, place.rows) : std::string();
    return place.holds + rows + whereText(place);
}

std::string stepText(const Timetable& timetable, std::size_t step) {
    const TimedStep& timed = timetable.steps[step];
    const std::string what = timed.kind == StepKind::Call ? "" : toString(timed.kind) + " of ";
    return "step " + std::to_string(step) + ", " + what + timed.name;
}

std::string beginText(const Timetable& timetable, std::size_t step) {
    const TimedStep& timed = timetable.steps[step];
    if (!timed.awaited)
        return {};
    const std::string other = stepText(timetable, *timed.awaited);
    if (timed.joinedAfter)
        return std::to_string(*timed.joinedAfter) + " clocks after " + other + ", starts";
    const bool ended = timetable.steps[*timed.awaited].end == timed.begin;
    return "when " + other + (ended ? ", ends" : ", is handed over");
}

} // namespace marquetry::design
