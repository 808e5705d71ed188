#include "engine/frontend/onnx/imported_value.h"

#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::frontend::onnx {

namespace {

std::string text(double number) {
    TextOut out;
    out << number;
    return out.str();
}

std::string text(const PerChannel& numbers) {
    const auto [least, greatest] = std::ranges::minmax_element(numbers.values);
    const std::string first = text(least->toDouble());
    return numbers.isUniform() ? first : "(" + first + " … " + text(greatest->toDouble()) + ")";
}

/// "3", or "3 … 9" of several that differ.
std::string text(const std::vector<std::int64_t>& numbers) {
    const auto [least, greatest] = std::ranges::minmax_element(numbers);
    const std::string first = std::to_string(*least);
    return *least == *greatest ? first : first + " … " + std::to_string(*greatest);
}

/// Of a table there are no numbers.
std::string factorText(const ExactMeaning& meaning) {
    if (meaning.muls.empty())
        return "a table";
    const bool several = meaning.muls.size() > 1;
    return "× " + text(meaning.muls) + ", >> " + text(meaning.shifts) + ", rounded " +
           std::string(toString(meaning.mode)) + ", zero point " + std::to_string(meaning.zero) +
           (several ? "; " + std::to_string(meaning.muls.size()) + " factors" : "");
}

} // namespace

std::string readingText(const ImportNote& note) {
    const bool centred = note.offset.isUniform() && note.offset.value().isZero();
    return "real value = " + text(note.scale) + " × integer" +
           (centred ? "" : " + " + text(note.offset));
}

ir::ImportedValue importedValueOf(const ImportNote& note) {
    ir::ImportedValue made{note.value, note.node, note.op, note.tensor, readingText(note), {}, {}};
    if (note.requantised) {
        made.factor = factorText(*note.requantised);
        made.proof = note.requantised->proof;
    }
    return made;
}

} // namespace marquetry::frontend::onnx
