// The circuit of a stream as a drawing: operators as boxes that say their delay and how many bits
// leave them in a clock, operands as lines, wider for more bits; the function of an operator is
// drawn inside a frame of its own.
//
// Keys are places in StreamItem::operators. Operands stand above their users. Storage (FIFOs, line
// buffers, changes of layout), inputs and constants, and operators that compute differ in tint, and
// by their names. Complexity: that of layeredLayout. Thread rule: pure.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/canvas/scene.h"

#include <memory>
#include <vector>

namespace marquetry::widgets {

/// Null: no circuit, for which `message` stands.
std::shared_ptr<const Scene> circuitScene(const std::vector<session::StreamOperator>* operators,
                                          const QString& message);

} // namespace marquetry::widgets
