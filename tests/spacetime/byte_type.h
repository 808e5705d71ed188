// The type of one byte, of which most tests of types and circuits are made.
#pragma once

#include "engine/spacetime/seq_type.h"

namespace marquetry::spacetime {

inline const SeqType kByte = atomType(ir::scalarStream(ir::Scalar::U8));

} // namespace marquetry::spacetime
