// Memories of a session without its thread.
#pragma once

#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/session/memories.h"
#include "engine/session/snapshot.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace marquetry::widgets {

inline std::vector<ir::MemoryProgram> parsed(const std::string& text) {
    auto result = frontend::parse(text, "test.mq");
    EXPECT_TRUE(result.has_value()) << (result ? "" : format(result.error()));
    return result ? result->memories : std::vector<ir::MemoryProgram>();
}

inline std::vector<ir::MemoryProgram> shipped() {
    auto result = frontend::parseFile(test::sourceFolder() + "/examples/memories/memories.mq");
    EXPECT_TRUE(result.has_value());
    return result ? result->memories : std::vector<ir::MemoryProgram>();
}

class Rooms {
public:
    Rooms(std::vector<ir::MemoryProgram> programs, const std::string& item) {
        memories.open(std::move(programs), item);
    }
    std::shared_ptr<const session::Snapshot> snapshot() {
        while (memories.due())
            memories.work(device, {10}, {});
        auto made = std::make_shared<session::Snapshot>();
        made->phase = session::Phase::Loaded;
        made->device = device;
        made->memories = memories.items();
        made->memory = memories.current();
        return made;
    }
    const session::MemoryItem& item() const { return memories.items()[memories.current()]; }

    device::Device device = *device::findDevice("arria10");
    session::Memories memories;
};

} // namespace marquetry::widgets
