#include "engine/design/step_name.h"

namespace marquetry::design {

std::string nameOf(const Step& step) {
    if (const std::string* layer = layerOf(step))
        return "layer " + *layer;
    if (const auto* load = std::get_if<LoadStep>(&step))
        return "the load of " + load->port;
    return "the store of " + std::get<StoreStep>(step).port;
}

std::optional<UnitId> unitOfStep(const Step& step) {
    return std::visit(
        [](const auto& s) -> std::optional<UnitId> {
            if constexpr (requires { s.unit; })
                return s.unit;
            else
                return std::nullopt;
        },
        step);
}

} // namespace marquetry::design
