// Cycles of published networks at the numbers of DSP blocks of published accelerators, predicted
// and simulated: the first tables of docs/networks.md, a line for each run.
//
//   networks MARQUETRY MODELS
//
// MODELS holds the networks. Each design is exported and verified with three vectors. Exit code 1
// where a word differs, or the cycles are not those predicted.
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace marquetry::bench {
namespace {

struct Run {
    const char* network;
    const char* file; ///< in MODELS
    const char* device;
    const char* dsp;       ///< at most; empty: the device's
    const char* published; ///< cycles
};

constexpr const char* kResnet = "mlperf_tiny_ic_resnet8_qdq/model.onnx";
constexpr const char* kDsCnn = "mlperf_tiny_kws_dscnn_qdq/model.onnx";
constexpr const char* kMobilenet = "mlperf_tiny_vww_mobilenet_qdq/model.onnx";
constexpr const char* kAutoencoder = "mlperf_tiny_ad_autoencoder_qdq/model.onnx";
constexpr const char* kSpotting = "finn_kws_w3a3_qonnx/model.onnx";

constexpr Run kRuns[] = {
    {"MLPerf Tiny ResNet-8", kResnet, "xc7z020", "", ""},
    {"MLPerf Tiny DS-CNN", kDsCnn, "xc7z020", "", ""},
    {"MLPerf Tiny MobileNet 0.25 (VWW)", kMobilenet, "xc7z020", "", ""},
    {"MLPerf Tiny autoencoder (AD)", kAutoencoder, "xc7z020", "", ""},
    {"micro_kws, QDQ", "micro_kws_m_static_qdq/model.onnx", "xc7z020", "", ""},
    {"micro_kws, QOperator", "micro_kws_m_static_qoperator/model.onnx", "xc7z020", "", ""},
    {"nn2FPGA's ResNet-8, QONNX", "nn2fpga_resnet8_a8w8b16/model.onnx", "xc7z020", "", ""},
    {"FINN's keyword spotting, 3 bits, QONNX", kSpotting, "xc7z020", "", ""},
    {"DORY's Frontnet", "dory_nas_frontnet/Frontnet.onnx", "xc7z020", "", ""},
    {"ResNet-8", kResnet, "xc7z020", "211", "58 813"},
    {"ResNet-8", kResnet, "xc7k160t", "525", "27 542"},
    {"ResNet-8", kResnet, "xc7z020", "78", "393 698"},
    {"DS-CNN", kDsCnn, "xc7z020", "188", "46 310"},
    {"DS-CNN", kDsCnn, "xc7z020", "60", "268 881"},
    {"DS-CNN", kDsCnn, "xc7z020", "55", "602 204"},
    {"MobileNet 0.25", kMobilenet, "xc7z020", "189", "1 053 011"},
    {"MobileNet 0.25", kMobilenet, "xc7k160t", "564", "144 062"},
    {"FINN's keyword spotting", kSpotting, "xc7z020", "220", "1 746 (FINN)"},
};

struct Outcome {
    nlohmann::json design;
    bool confirmed = false; ///< every word is equal, and the cycles are those predicted
};

std::optional<Outcome> outcomeOf(const std::string& marquetry, const std::string& file,
                                 const Run& run, bool overlap) {
    const test::TemporaryFolder place;
    std::vector<std::string> command = {marquetry,  "export", file,  "--device",
                                        run.device, "--out",  "made"};
    if (*run.dsp != '\0')
        command.insert(command.end(), {"--limit", std::string("dsp=") + run.dsp});
    if (!overlap)
        command.insert(command.end(), {"--without", "overlap"});
    const auto exported = runProcess({command, place.string()});
    if (!exported || exported->exitCode != 0)
        return std::nullopt;
    Outcome outcome;
    outcome.design = nlohmann::json::parse(*test::readText(place / "made/DESIGN.json"))["design"];
    const auto verified =
        runProcess({{marquetry, "verify", "made", "--vectors", "3"}, place.string()});
    const std::string cycles = " " + std::to_string(outcome.design["cycles"].get<long long>());
    const std::string simulated = "simulated" + cycles + cycles + cycles + ",";
    outcome.confirmed = verified && verified->exitCode == 0 &&
                        verified->output.find(simulated) != std::string::npos;
    return outcome;
}

std::string cell(const std::optional<Outcome>& outcome) {
    if (!outcome)
        return "no design";
    const auto& design = outcome->design;
    return std::to_string(design["cycles"].get<long long>()) + ", " +
           std::to_string(design["resources"]["dsp"].get<long long>()) +
           (outcome->confirmed ? "" : " NOT CONFIRMED");
}

int run(const std::string& marquetry, const std::string& models) {
    bool allConfirmed = true;
    std::printf(
        "| network | DSP at most, device | calls apart: cycles, DSP | cycles, DSP | published "
        "cycles |\n|---|---|---|---|---|\n");
    for (const Run& one : kRuns) {
        const std::string file = std::filesystem::absolute(models) / one.file;
        const auto apart = outcomeOf(marquetry, file, one, false);
        const auto together = outcomeOf(marquetry, file, one, true);
        for (const auto* outcome : {&apart, &together})
            allConfirmed = allConfirmed && *outcome && (*outcome)->confirmed;
        std::printf("| %s | %s%s%s | %s | %s | %s |\n", one.network, one.dsp,
                    *one.dsp == '\0' ? "" : ", ", one.device, cell(apart).c_str(),
                    cell(together).c_str(), one.published);
        std::fflush(stdout);
    }
    return allConfirmed ? 0 : 1;
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: networks MARQUETRY MODELS\n");
        return 2;
    }
    return marquetry::bench::run(std::filesystem::absolute(argv[1]), argv[2]);
}
