// Examples, explored.
#pragma once

#include "engine/frontend/parser.h"
#include "engine/session/explore.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

namespace marquetry::session {

inline std::string examplePath(const std::string& example) {
    return test::sourceFolder() + "/examples/" + example;
}

inline std::shared_ptr<const ir::Program> parsedExample(const std::string& example) {
    auto parsed = frontend::parseFile(examplePath(example));
    EXPECT_TRUE(parsed.has_value()) << example;
    auto program = frontend::selectItem(*std::move(parsed), "");
    EXPECT_TRUE(program.has_value()) << example;
    return std::make_shared<const ir::Program>(*std::move(program));
}

inline Exploration exploredFor(const std::shared_ptr<const ir::Program>& program,
                               const std::string& device) {
    Settings settings;
    settings.device = device;
    auto result = explore(program, settings, {});
    EXPECT_TRUE(result.has_value()) << (result ? "" : format(result.error()));
    return *std::move(result);
}

} // namespace marquetry::session
