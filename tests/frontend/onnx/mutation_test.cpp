#include "tests/frontend/onnx/mutations.h"

namespace marquetry::frontend::onnx {
namespace {

TEST(OnnxMutation, GoodModelsAreGood) {
    for (ModelBuilder model : {smallModel(), mixedModel(), qonnxModel()}) {
        const auto network = importOnnx(model.bytes(), "", "good.onnx");
        EXPECT_TRUE(network) << format(network.error());
    }
}

TEST(OnnxMutation, BrokenFilesAreImportedOrRefused) {
    tryBrokenFiles(0, 400);
}

} // namespace
} // namespace marquetry::frontend::onnx
