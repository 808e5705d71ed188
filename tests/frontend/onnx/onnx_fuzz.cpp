// What libFuzzer drives (docs/reliability.md): any bytes are imported or refused, and what is
// imported can be run. The first input is the process's business: an empty corpus will do, the
// files of examples/networks and small ones made by tests are better.
#include "engine/frontend/onnx/imported.h"
#include "engine/ir/interpreter.h"

#include <cstdlib>

namespace {

using namespace marquetry;

void runOnce(const ir::Program& program) {
    std::map<std::string, ir::Tensor> inputs;
    for (const ir::ValueId id : program.inputs) {
        const ir::Value& value = program.value(id);
        inputs[value.name] = {
            value.type, std::vector<std::int64_t>(static_cast<std::size_t>(value.type.elements()))};
    }
    if (!ir::interpret(program, inputs))
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto network = frontend::onnx::importOnnx(bytes, "", "fuzz.onnx");
    if (!network && network.error().empty())
        std::abort();
    if (network && network->program.macs() < 100'000)
        runOnce(network->program);
    return 0;
}
