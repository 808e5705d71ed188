#include "engine/artefact/imported_section.h"

#include "engine/ir/layer.h"

namespace marquetry::hdl {

std::optional<PageSection> importedSection(const ir::Program& program) {
    if (program.imported.empty())
        return std::nullopt;
    std::vector<std::vector<std::string>> values;
    std::vector<std::vector<std::string>> factors;
    for (const ir::Layer& layer : ir::planLayers(program).layers)
        for (const ir::ImportedValue* part : ir::importedValues(program, layer)) {
            values.push_back({layer.name, part->node, part->op, part->tensor, part->scale});
            if (!part->factor.empty())
                factors.push_back({layer.name, part->node, part->factor, part->proof});
        }
    return PageSection{
        "Requantisation",
        {ReportText{"This program was imported from a file of a trained network. Its integers "
                    "stand for these tensors of the file:"},
         ReportTable{{"layer", "node", "operator", "tensor", "how its integers read"},
                     std::move(values)},
         ReportText{"Where a layer rounds, its multipliers, addends and shifts give for every sum "
                    "that the layer can have what the exact real factors of the file give. The "
                    "figures are those of the proof; of several channels, of the one with the "
                    "widest multiplier."},
         ReportTable{{"layer", "node", "multiplier and shift", "proof"}, std::move(factors)}}};
}

} // namespace marquetry::hdl
