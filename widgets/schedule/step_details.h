// One step of a timetable in words: when it runs and why then, its loop nest, and the memories it
// reads and writes. Other steps are links, "step:7". Thread rule: pure.
#pragma once

#include "engine/design/timetable.h"

#include <QString>

#include <optional>

namespace marquetry::widgets {

/// Several lines of plain text.
QString stepTip(const design::Timetable& timetable, std::size_t step);
QString stepHtml(const design::Timetable& timetable, std::size_t step);
/// Of a link in that text; nothing where it leads nowhere.
std::optional<std::size_t> linkedStep(const design::Timetable& timetable, const QString& link);

} // namespace marquetry::widgets
