#include "tests/frontend/onnx/mutations.h"

namespace marquetry::frontend::onnx {
namespace {

TEST(OnnxMutation, GoodModelsAreGood) {
    for (const ModelBuilder& model : goodModels()) {
        const auto network = importOnnx(model.bytes(), "", "good.onnx");
        EXPECT_TRUE(network) << format(network.error());
    }
}

TEST(OnnxMutation, BrokenFilesAreImportedOrRefused) {
    tryBrokenFiles(0, 2400);
}

} // namespace
} // namespace marquetry::frontend::onnx
