#include "engine/design/step_kind.h"

namespace marquetry::design {

StepKind stepKind(const Step& step) {
    return std::visit(
        [](const auto& s) {
            using Kind = std::decay_t<decltype(s)>;
            if constexpr (std::is_same_v<Kind, LoadStep>)
                return StepKind::Load;
            else if constexpr (std::is_same_v<Kind, StoreStep>)
                return StepKind::Store;
            else if constexpr (std::is_same_v<Kind, MoveStep>)
                return StepKind::Move;
            else if constexpr (std::is_same_v<Kind, RowStep>)
                return StepKind::Rows;
            else
                return StepKind::Call;
        },
        step);
}

const std::string& stepSubject(const Step& step) {
    if (const std::string* layer = layerOf(step))
        return *layer;
    const auto* load = std::get_if<LoadStep>(&step);
    return load != nullptr ? load->port : std::get<StoreStep>(step).port;
}

} // namespace marquetry::design
