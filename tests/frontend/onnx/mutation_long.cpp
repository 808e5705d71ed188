#include "tests/frontend/onnx/mutations.h"

namespace marquetry::frontend::onnx {
namespace {

TEST(OnnxMutationLong, BrokenFilesAreImportedOrRefused) {
    tryBrokenFiles(1'000'000, 40'000);
}

} // namespace
} // namespace marquetry::frontend::onnx
