#include "engine/lower_stream/kernel_names.h"

namespace marquetry::hdl {

using datapath::CellKind;

const char* nameOf(CellKind kind) {
    switch (kind) {
    case CellKind::Add:
        return "sum";
    case CellKind::Sub:
        return "difference";
    case CellKind::Mul:
        return "product";
    case CellKind::Left:
    case CellKind::Right:
    case CellKind::LeftBy:
    case CellKind::RightBy:
        return "shifted";
    case CellKind::Less:
    case CellKind::LessSigned:
    case CellKind::Equal:
    case CellKind::And:
    case CellKind::Or:
    case CellKind::Not:
        return "flag";
    case CellKind::Xor:
        return "bits";
    case CellKind::Lookup:
        return "entry";
    case CellKind::Choose:
        return "choice";
    case CellKind::Sample:
        return "sample";
    case CellKind::Fetch:
        return "fetched";
    default:
        return "word";
    }
}

} // namespace marquetry::hdl
