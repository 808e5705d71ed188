#include "engine/hdl/step_table.h"

#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    TextIn in(text);
    for (std::string line; std::getline(in, line);)
        result.push_back(line.substr(std::min<std::size_t>(4, line.size())));
    return result;
}

} // namespace

void StepTable::add(const std::string& name, int width,
                    const std::vector<std::optional<std::int64_t>>& values) {
    std::optional<std::int64_t> common;
    bool varies = false;
    for (const auto& value : values) {
        varies |= value && common && *value != *common;
        common = common ? common : value;
    }
    if (!varies) {
        wires_.line("wire ", range(width), name, " = ", literal(width, common.value_or(0)), ";");
        return;
    }
    wires_.line("reg ", range(width), name, ";");
    defaults_.push_back(cat(name, " = ", literal(width, 0), ";"));
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] && *values[i] != 0)
            rows_[i].push_back(cat(name, " = ", literal(width, *values[i]), ";"));
}

void StepTable::write(Body& body) const {
    body.note("The table of the steps.");
    for (const std::string& line : lines(wires_.text()))
        body.line(line);
    if (defaults_.empty())
        return;
    body.line("always @* begin");
    for (const std::string& text : defaults_)
        body.line("    ", text);
    body.line("    case (step)");
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].empty())
            continue;
        body.line("    ", literal(stepBits_, static_cast<std::int64_t>(i)), ": begin // ",
                  commentLine(comments_[i]));
        for (const std::string& text : rows_[i])
            body.line("        ", text);
        body.line("    end");
    }
    body.line("    default: begin");
    body.line("    end");
    body.line("    endcase");
    body.line("end");
}

} // namespace marquetry::hdl
