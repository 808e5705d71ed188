// Short ways to memory patterns in tests.
#pragma once

#include "engine/banking/plan.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"

#include <gtest/gtest.h>

namespace marquetry::banking {

inline ir::MemoryProgram memoryOf(const std::string& body) {
    const auto parsed = frontend::parse("memory m { " + body + " }", "test.mq");
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : format(parsed.error()));
    return parsed && !parsed->memories.empty() ? parsed->memories[0] : ir::MemoryProgram();
}

inline AccessPattern patternOf(const std::string& body) {
    const auto pattern = accessPattern(memoryOf(body));
    EXPECT_TRUE(pattern.has_value());
    return pattern ? *pattern : AccessPattern();
}

inline device::Device deviceNamed(const std::string& id) {
    const auto found = device::findDevice(id);
    EXPECT_TRUE(found.has_value());
    return found ? *found : device::Device();
}

inline Result<Plan> planOf(const std::string& body, const PlanParams& params = {}) {
    const ir::MemoryProgram memory = memoryOf(body);
    const auto pattern = accessPattern(memory);
    if (!pattern)
        return pattern.error();
    return plan(*pattern, memory.directive, deviceNamed("arria10"), params);
}

} // namespace marquetry::banking
