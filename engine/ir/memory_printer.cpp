#include "engine/ir/printer.h"

namespace marquetry::ir {

namespace {

template <class Items, class Text>
std::string joined(const Items& items, const Text& text) {
    std::string all;
    for (const auto& item : items)
        all += (all.empty() ? "" : ", ") + text(item);
    return all;
}

std::string directiveText(const BankDirective& directive) {
    std::string text;
    if (directive.hierarchical) {
        const auto banks = [](const FlatMap& map) { return std::to_string(map.banks); };
        const auto blocks = [](const FlatMap& map) { return std::to_string(map.block); };
        std::vector<std::int64_t> alpha;
        for (std::size_t d = 0; d < directive.maps.size(); ++d)
            alpha.push_back(directive.maps[d].alpha[d]);
        text += " bank hierarchical([" + joined(directive.maps, banks) + "], [" +
                joined(directive.maps, blocks) + "], " + listText(alpha) + ")";
    } else if (!directive.maps.empty() && directive.maps[0].form == MapForm::Parity) {
        const auto masks = [](const FlatMap& map) { return listText(map.alpha); };
        text += " bank xor([" + joined(directive.maps, masks) + "])";
    } else if (!directive.maps.empty()) {
        const FlatMap& map = directive.maps.front();
        text += " bank flat(" + std::to_string(map.banks) + ", " + std::to_string(map.block) +
                ", " + listText(map.alpha) + ")";
    }
    if (directive.copies > 0)
        text += " copies " + std::to_string(directive.copies);
    return text;
}

std::string nestText(const MemoryNest& nest, const std::string& array) {
    std::string text =
        "  for " +
        joined(nest.loops, [&](const MemoryLoop& loop) { return toString(loop, nest); }) + " {";
    for (const MemoryReference& reference : nest.references)
        text +=
            (reference.write ? " write " : " read ") + array + "[" +
            joined(reference.index, [&](const AffineForm& form) { return toString(form, nest); }) +
            "];";
    return text + " }\n";
}

} // namespace

std::string print(const MemoryProgram& program) {
    std::string text =
        "memory " + program.name + " {\n  array " + program.array + " : " + toString(program.type);
    if (program.ports != 1)
        text += " ports " + std::to_string(program.ports);
    text += directiveText(program.directive) + ";\n";
    for (const MemoryNest& nest : program.nests)
        text += nestText(nest, program.array);
    return text + "}\n";
}

} // namespace marquetry::ir
