// Epilogues and write-backs in JSON, as a schedule has them.
//
// What only some of them have is left out of the others. Reading throws forms::FormError.
// Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include "engine/support/json.h"

namespace marquetry::design {

nlohmann::ordered_json epilogueJson(const Epilogue& epilogue);
nlohmann::ordered_json writeBackJson(const WriteBack& writeBack);

/// `tensors`: how many there are.
Epilogue readEpilogue(const nlohmann::ordered_json& json, std::size_t tensors);
WriteBack readWriteBack(const nlohmann::ordered_json& json);

} // namespace marquetry::design
