#include "engine/design/design.h"

namespace marquetry::design {

std::string toString(CostModel model) {
    switch (model) {
    case CostModel::Cycles:
        return "cycles";
    case CostModel::Published:
        return "published";
    case CostModel::PublishedOpen:
        return "published-open";
    }
    return "cycles";
}

std::string toString(BufferKind kind) {
    switch (kind) {
    case BufferKind::Register:
        return "register";
    case BufferKind::LutRam:
        return "lutram";
    case BufferKind::BlockRam:
        return "bram";
    case BufferKind::Stream:
        return "stream";
    case BufferKind::External:
        return "external";
    }
    return "bram";
}

} // namespace marquetry::design
