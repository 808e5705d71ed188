// The circuit of a stream as rows of a tree, and what a row says when asked.
//
// One row for each operator, the operators of its function below it. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/streams/space_time.h"

#include <QStandardItemModel>

namespace marquetry::widgets {

inline constexpr int kOperatorRole = Qt::UserRole; ///< place in StreamItem::operators

QStringList circuitHeader();
QStringList circuitTexts(const std::vector<session::StreamOperator>& operators, std::size_t place);
void fillCircuit(QStandardItemModel& model, const std::vector<session::StreamOperator>& operators);

/// Why an operator is there, in words; empty where its name says it.
QString whyOf(const session::StreamOperator& op);
/// The operands of an operator, at most three, above what it makes of them.
SpaceTimePicture pictureOf(const std::vector<session::StreamOperator>& operators,
                           std::size_t place);

/// "TSeq 4 0 (SSeq 2 u8) · 2 lanes · 4 clocks, all valid".
QString typeText(const spacetime::SeqType& type);
double elementsPerClock(const session::StreamRate& rate);
QString rateText(const session::StreamRate& rate);
QString areaText(const device::Resources& area, std::int64_t delay);
/// "latency 2, 4.53 ns", or why the area is only counted.
QString hardwareText(const cost::SharedEstimate& hardware);

} // namespace marquetry::widgets
