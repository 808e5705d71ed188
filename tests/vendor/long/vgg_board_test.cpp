// VGG, whole, as a user takes it to a board: projects of both vendors, and its driver on the
// Verilated hardware with its memory.
#include "tests/vendor/exports/exported_folders.h"
#include "tests/vendor/simulated_software.h"

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;

class VggOnABoard : public ExportedFolders {
protected:
    const std::string vgg_ = sourceFolder() + "/examples/vgg_cifar/vgg_cifar.mq";
};

TEST_F(VggOnABoard, QuartusTakesItForArria10) {
    expectWhole(
        made("--target quartus --interface axi --device arria10 --limit dsp=1152", "vgg", vgg_));
}

TEST_F(VggOnABoard, VivadoAndTheDriverTakeItForZu3eg) {
    const auto folder = made("--target vivado --interface axi --device zu3eg", "vgg", vgg_);
    expectWhole(folder);
    const auto opened = hdl::readExport(folder);
    ASSERT_TRUE(opened) << format(opened.error());
    buildSimulation(folder, softwareProjectOf(*opened), "rtl/*.v", "drive_weights.c");
    EXPECT_THAT(ran({folder / "build/sim", "check", "vectors", "0"}, folder).output,
                HasSubstr("PASS: frame 0, 0 wrong lines"));
    const auto drive = ran({folder / "build/sim", "drive"}, folder);
    EXPECT_THAT(drive.output, ::testing::EndsWith("\n0 wrong\n"));
}

} // namespace
} // namespace marquetry::test
