// Short ways to parse text in tests.
#pragma once

#include "engine/frontend/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace marquetry::frontend {

/// The one program of a text that must be right.
inline ir::Program programOf(const std::string& text) {
    const auto parsed = parse(text, "test.mq");
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : format(parsed.error()));
    if (!parsed || parsed->programs.empty())
        return {};
    return parsed->programs[0];
}

/// "code message | hint" of the first error of "stream s { body }".
inline std::string firstErrorOf(const std::string& body) {
    const auto parsed = parse("stream s { " + body + " }", "test.mq");
    if (parsed)
        return "";
    const Diagnostic& first = parsed.error()[0];
    return first.code + " " + first.message + " | " + first.hint;
}

/// "line:column code" of every diagnostic, errors and warnings.
inline std::vector<std::string> placesOf(const std::string& text) {
    const auto parsed = parse(text, "test.mq");
    std::vector<std::string> places;
    for (const Diagnostic& d : parsed ? parsed->warnings : parsed.error())
        places.push_back(std::to_string(d.range.line) + ":" + std::to_string(d.range.column) + " " +
                         d.code);
    return places;
}

/// A design with some values to use: x, img, v, w, m, s; then `body` in line 8.
inline std::string withValues(const std::string& body) {
    return "design d {\n"
           "input x : i8[8, 8, 3];\n"
           "input img : u8[8, 8];\n"
           "input v : i8[6];\n"
           "weight w : i8[4, 3, 3, 3] = random(seed: 1);\n"
           "weight m : i8[2, 6] = zeros;\n"
           "weight s : i32[4] = random(seed: 2, lo: 1, hi: 100);\n" +
           body + "\n}\n";
}

inline std::string numbersOf(const ir::OpParams& p) {
    std::string text;
    for (const std::int64_t n : {p.pad.top,
                                 p.pad.left,
                                 p.pad.bottom,
                                 p.pad.right,
                                 p.stride.vertical,
                                 p.stride.horizontal,
                                 p.size.vertical,
                                 p.size.horizontal,
                                 p.padAfter,
                                 p.mul,
                                 p.shift,
                                 p.zero,
                                 p.num,
                                 static_cast<std::int64_t>(p.to),
                                 p.axis,
                                 p.from,
                                 p.until,
                                 p.fill,
                                 p.groups,
                                 p.lo,
                                 p.hi,
                                 p.block,
                                 p.add,
                                 p.tie,
                                 p.muls[0],
                                 p.muls[1],
                                 p.factor.vertical,
                                 p.factor.horizontal,
                                 static_cast<std::int64_t>(p.round),
                                 static_cast<std::int64_t>(p.order),
                                 static_cast<std::int64_t>(p.vectors)})
        text += " " + std::to_string(n);
    for (const std::int64_t n : p.list)
        text += ", " + std::to_string(n);
    return text;
}

/// All facts of a program but the places.
inline std::string summary(const ir::Program& program) {
    std::string text = program.name + "\n";
    for (const ir::Value& value : program.values) {
        text += std::to_string(static_cast<int>(value.kind)) + " " + value.name + " " +
                ir::toString(value.type) + " " + std::to_string(value.range.lo) + " " +
                std::to_string(value.range.hi) + " " + std::to_string(value.macs) + " " +
                std::to_string(value.source.index());
        if (const auto* random = std::get_if<ir::RandomSource>(&value.source))
            text += " " + std::to_string(random->seed) + " " + std::to_string(random->lo) + " " +
                    std::to_string(random->hi);
        if (const auto* file = std::get_if<ir::FileSource>(&value.source))
            text += " " + file->path + " " + file->resolvedPath;
        if (value.kind == ir::ValueKind::Op) {
            text += " " + std::string(ir::info(value.op).name) + numbersOf(value.params);
            for (const ir::ValueId operand : value.operands)
                text += " #" + std::to_string(operand.value());
        }
        text += "\n";
    }
    for (const ir::ValueId id : program.inputs)
        text += "input " + std::to_string(id.value()) + "\n";
    for (const ir::ValueId id : program.weights)
        text += "weight " + std::to_string(id.value()) + "\n";
    for (const ir::Output& output : program.outputs)
        text += "output " + output.name + " " + std::to_string(output.value.value()) + "\n";
    return text;
}

} // namespace marquetry::frontend
