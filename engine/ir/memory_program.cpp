#include "engine/ir/memory_program.h"

namespace marquetry::ir {

namespace {

void appendTerm(std::string& text, std::int64_t coefficient, const std::string& name) {
    if (coefficient == 0)
        return;
    const bool negative = coefficient < 0;
    if (!text.empty())
        text += negative ? " - " : " + ";
    else if (negative)
        text += "-";
    const std::int64_t magnitude = negative ? -coefficient : coefficient;
    if (magnitude != 1)
        text += std::to_string(magnitude) + "*";
    text += name;
}

} // namespace

std::string toString(const AffineForm& form, const MemoryNest& nest) {
    std::string text;
    for (std::size_t j = 0; j < form.coefficients.size(); ++j)
        appendTerm(text, form.coefficients[j], nest.loops[j].name);
    for (std::size_t s = 0; s < form.symbols.size(); ++s) {
        std::string name = "?" + nest.symbols[s].name + "(";
        for (std::size_t k = 0; k < nest.symbols[s].loops.size(); ++k)
            name += (k > 0 ? ", " : "") + nest.loops[nest.symbols[s].loops[k]].name;
        appendTerm(text, form.symbols[s], name + ")");
    }
    if (text.empty())
        return std::to_string(form.constant);
    if (form.constant != 0)
        text += (form.constant < 0 ? " - " : " + ") +
                std::to_string(form.constant < 0 ? -form.constant : form.constant);
    return text;
}

std::string toString(const MemoryLoop& loop, const MemoryNest& nest) {
    std::string text = loop.name + " in " + std::to_string(loop.begin) + " .. " +
                       (loop.bound ? toString(*loop.bound, nest) : std::to_string(loop.end));
    if (loop.step != 1)
        text += " step " + std::to_string(loop.step);
    if (loop.parallel != 1)
        text += " par " + std::to_string(loop.parallel);
    return text;
}

} // namespace marquetry::ir
