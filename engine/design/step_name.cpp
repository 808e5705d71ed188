#include "engine/design/step_name.h"

namespace marquetry::design {

std::string nameOf(const Step& step) {
    if (const std::string* layer = layerOf(step))
        return "layer " + *layer;
    if (const auto* load = std::get_if<LoadStep>(&step))
        return "the load of " + load->port;
    return "the store of " + std::get<StoreStep>(step).port;
}

} // namespace marquetry::design
