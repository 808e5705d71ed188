// The steps of a timetable as a table: what each column is called, means and holds. Files and the
// window have the same columns.
//
// Clocks and words are whole numbers. Thread rule: pure.
#pragma once

#include "engine/design/timetable.h"

#include <span>
#include <variant>

namespace marquetry::design {

using TimetableCell = std::variant<std::monostate, std::string, std::int64_t>;

enum class TimetableField : std::uint8_t {
    Number,
    Name,
    What,
    Line, ///< its queue
    Unit,
    Begin,
    End,
    Clocks,
    Critical,
    QueueWaits,
    MemoryWaits,
    After,
    Tokens,
    Loops,
    Reads,
    Writes,
};

struct TimetableColumn {
    TimetableField field = TimetableField::Number;
    const char* key = "";   ///< in files
    const char* title = ""; ///< for people
    const char* tip = "";   ///< what it means
    bool number = true;
};

/// By TimetableField.
std::span<const TimetableColumn> timetableColumns();

/// Nothing where the step has no such thing.
TimetableCell cellOf(const Timetable& timetable, std::size_t step, TimetableField field);

/// "calls", "second calls", "transfers".
std::string queueName(Queue queue);
/// "56 × 56 × 4 × 9"; empty of a step of one iteration.
std::string loopCounts(const std::vector<TimedLoop>& loops);
/// "conv1, rows 8 to 15, in words 0 to 447 of s3".
std::string placeText(const StepPlace& place);
/// "step 7, conv1": how a step is spoken of.
std::string stepText(const Timetable& timetable, std::size_t step);
/// Why a step begins when it does: "when step 7, conv1, ends"; empty of the first one.
std::string beginText(const Timetable& timetable, std::size_t step);

} // namespace marquetry::design
