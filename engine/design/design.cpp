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

std::optional<CostModel> costModelNamed(std::string_view name) {
    for (const CostModel model :
         {CostModel::Cycles, CostModel::Published, CostModel::PublishedOpen})
        if (toString(model) == name)
            return model;
    return std::nullopt;
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
