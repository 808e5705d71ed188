#include "engine/design/comparison_text.h"
#include "engine/support/json.h"

#include <cmath>

namespace marquetry::design {

namespace {

using ComparisonJson = nlohmann::ordered_json;

/// Whole numbers print without a fraction.
ComparisonJson numberJson(const std::optional<double>& value) {
    constexpr double kExact = 9e15;
    if (!value)
        return {};
    if (*value == std::floor(*value) && std::abs(*value) < kExact)
        return static_cast<std::int64_t>(*value);
    return *value;
}

ComparisonJson figureJson(const Comparison& comparison, std::size_t row) {
    const ComparedFigure& figure = comparison.figures[row];
    const std::string better = toString(favouredOf(comparison, ComparisonRows::Figures, row));
    return {{"key", figure.key},
            {"title", figure.title},
            {"measure", figure.measure},
            {"a", numberJson(figure.value.a)},
            {"b", numberJson(figure.value.b)},
            {"difference", numberJson(figure.value.difference())},
            {"ratio", numberJson(figure.value.ratio())},
            {"better", better.empty() ? ComparisonJson() : ComparisonJson(better)}};
}

ComparisonJson layerOfDesignJson(const std::optional<LayerOfDesign>& layer) {
    if (!layer)
        return {};
    const auto text = [](const std::string& word) {
        return word.empty() ? ComparisonJson() : ComparisonJson(word);
    };
    return {{"cycles", layer->cycles},
            {"bound_by", text(layer->bound)},
            {"unit", text(layer->unit)},
            {"share_percent", layer->share},
            {"external_weights",
             layer->external ? ComparisonJson(*layer->external) : ComparisonJson()}};
}

ComparisonJson layerJson(const ComparedLayer& layer) {
    return {{"name", layer.name},
            {"what", toString(layer.kind)},
            {"a", layerOfDesignJson(layer.a)},
            {"b", layerOfDesignJson(layer.b)},
            {"difference", numberJson(layer.cycles().difference())},
            {"ratio", numberJson(layer.cycles().ratio())}};
}

ComparisonJson useJson(const std::optional<UnitOfDesign>& use) {
    if (!use)
        return {};
    return {{"calls", use->calls},
            {"busy_percent", use->busy},
            {"used_percent", numberJson(use->utilisation)},
            {"dsp", numberJson(use->resources.dsp)},
            {"bram", numberJson(use->resources.bram)},
            {"lut", numberJson(use->resources.lut)},
            {"ff", numberJson(use->resources.ff)}};
}

ComparisonJson unitJson(const ComparedUnit& unit) {
    return {{"name", unit.name},
            {"in", holdersOf(unit.a.has_value(), unit.b.has_value())},
            {"parallelism", unit.parallelism},
            {"lanes", unit.lanes},
            {"write_lanes", unit.writeLanes},
            {"multipliers", unit.multipliers},
            {"a", useJson(unit.a)},
            {"b", useJson(unit.b)}};
}

ComparisonJson memoryJson(const std::optional<BufferOfDesign>& buffer) {
    if (!buffer)
        return {};
    return {{"place", buffer->place},
            {"words", buffer->words},
            {"width", buffer->width},
            {"banks", buffer->banks},
            {"bits", numberJson(buffer->bits())},
            {"bram", numberJson(buffer->bram)}};
}

ComparisonJson bufferJson(const ComparedBuffer& buffer) {
    return {{"name", buffer.name},
            {"holds", buffer.weights ? "weights" : "values"},
            {"in", holdersOf(buffer.a.has_value(), buffer.b.has_value())},
            {"a", memoryJson(buffer.a)},
            {"b", memoryJson(buffer.b)},
            {"difference", numberJson(buffer.bits().difference())},
            {"ratio", numberJson(buffer.bits().ratio())}};
}

} // namespace

std::string comparisonJson(const Comparison& comparison) {
    ComparisonJson json = {{"program", comparison.program},
                           {"a", {{"name", comparison.nameA}, {"words", comparison.wordsA}}},
                           {"b", {{"name", comparison.nameB}, {"words", comparison.wordsB}}},
                           {"notes", comparison.notes},
                           {"figures", ComparisonJson::array()},
                           {"layers", ComparisonJson::array()},
                           {"units", ComparisonJson::array()},
                           {"buffers", ComparisonJson::array()}};
    for (std::size_t row = 0; row < comparison.figures.size(); ++row)
        json["figures"].push_back(figureJson(comparison, row));
    for (const ComparedLayer& layer : comparison.layers)
        json["layers"].push_back(layerJson(layer));
    for (const ComparedUnit& unit : comparison.units)
        json["units"].push_back(unitJson(unit));
    for (const ComparedBuffer& buffer : comparison.buffers)
        json["buffers"].push_back(bufferJson(buffer));
    return json.dump(2, ' ', false, ComparisonJson::error_handler_t::replace);
}

} // namespace marquetry::design
