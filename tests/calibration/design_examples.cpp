#include "tests/calibration/design_table.h"

namespace marquetry::test {

// Designs of a few thousand LUTs: synthesis of larger ones takes many minutes.
const std::vector<DesignExample>& designExamples() {
    static const std::string kSmall = "--device xc7z020 --limit dsp=";
    static const std::string kThroughput = " --objective throughput";
    static const std::vector<DesignExample> kExamples = {
        {"examples/splits/relu128/relu128.mq", "--device xc7z020", false, true},
        {"examples/skeleshare/stencil/stencil.mq", kSmall + "24", false, true},
        {"examples/lenet5/lenet5.mq", kSmall + "16", false, true},
        {"examples/lenet5/lenet5.mq", kSmall + "60", true, true},
        {"examples/running_example/running_example.mq", kSmall + "64", false, true},
        {"examples/splits/mlp/mlp.mq", kSmall + "64", false, true},
        {"examples/splits/residual/residual.mq", kSmall + "32", false, true},
        {"examples/splits/depthwise/depthwise.mq", kSmall + "64", false, true},
        {"examples/vgg_cifar_block1/vgg_cifar_block1.mq", kSmall + "64", false, true},
        {"examples/vgg_cifar/vgg_cifar.mq", kSmall + "64", false, false, true},
        {"examples/cnv/cnv.mq", kSmall + "64", true, false, true},
        {"examples/networks/resnet8.onnx", kSmall + "64", false, false},
        {"examples/networks/ds_cnn.onnx", kSmall + "64", false, false},
        {"examples/networks/mobilenet.onnx", kSmall + "64", true, false},
        {"examples/networks/autoencoder.onnx", kSmall + "64", false, true},
        {"examples/networks/u_net.onnx", kSmall + "64", true, false},
        {"examples/networks/transformer.onnx", kSmall + "80", false, true},
        {"examples/networks/autoencoder.onnx", kSmall + "64" + kThroughput, true, false},
        {"examples/networks/ds_cnn.onnx", kSmall + "64" + kThroughput, false, false},
    };
    return kExamples;
}

} // namespace marquetry::test
