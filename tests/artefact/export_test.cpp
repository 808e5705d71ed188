// What an export holds, where it may be put, and what the hardware refuses.
#include "engine/lower_design/lower_design.h"
#include "engine/rtl/names.h"
#include "engine/rtl/reserved_words.h"
#include "engine/rtl/scope.h"
#include "engine/support/json.h"
#include "engine/support/sha256.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/test_designs.h"
#include "tests/support/text_files.h"

#include <unistd.h>

namespace marquetry {

using test::requestFor;
using test::TestDesign;

namespace {

class Export : public test::ExportTest {};

std::map<std::string, std::string> contents(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[std::filesystem::relative(entry.path(), folder).string()] =
                *test::readText(entry.path().string());
    return files;
}

std::string refusal(const TestDesign& design) {
    const Status status = hdl::check(design.schedule);
    if (status)
        return "accepted";
    EXPECT_EQ(status.error().front().code, "hdl-unsupported");
    return status.error().front().message;
}

} // namespace

TEST(Sha256, KnownDigests) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Names, AreIdentifiersAndUnique) {
    hdl::NameTable names;
    EXPECT_EQ(names.part("conv 3x3"), "conv_3x3");
    EXPECT_EQ(names.part("conv-3x3"), "conv_3x3_2");
    EXPECT_EQ(names.part("3d"), "n3d");
    EXPECT_EQ(names.part("é"), "n");
    rtl::Scope scope(rtl::kNoSignal);
    EXPECT_EQ(scope.give("conv 3x3"), "conv_3x3");
    EXPECT_EQ(scope.give("conv-3x3"), "conv_3x3_2");
    EXPECT_EQ(scope.give("module"), "module_x");
}

TEST_F(Export, SameDesignSameBytes) {
    const TestDesign design = test::twoShapesOneUnit();
    const auto first = contents(exportTo("a", design));
    EXPECT_EQ(first, contents(exportTo("b", design)));
    for (const char* name :
         {"manifest.json", "DESIGN.json", "report.json", "tb/tb_icarus.v", "tb/tb_verilator.cpp",
          "rtl/two_shapes_top.v", "vectors/in_x.hex", "vectors/out_y.hex", "program/two_shapes.mq"})
        EXPECT_TRUE(first.count(name)) << name;
    EXPECT_FALSE(first.count(".b"));
}

TEST_F(Export, EveryModuleSaysWhatItIs) {
    for (const auto& [name, text] : contents(exportTo("a", test::residualBlock()))) {
        if (!name.starts_with("rtl/") || !name.ends_with(".v"))
            continue;
        EXPECT_TRUE(text.starts_with("// ")) << name;
        EXPECT_NE(text.find("// Cycles: "), std::string::npos) << name;
        EXPECT_NE(text.find("Resources: "), std::string::npos) << name;
    }
}

TEST_F(Export, KeepsMembersOfTheDesign) {
    auto request = requestFor(test::wideOutput());
    request.designJson = R"({"units":[{"id":0}]})";
    ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(request), path("d")));
    const auto json = nlohmann::json::parse(*test::readText(path("d") + "/DESIGN.json"));
    EXPECT_EQ(json["units"][0]["id"], 0);
    EXPECT_EQ(json["schedule"]["name"], "wide");
    const auto opened = test::openedDesign(path("d"));
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->program, "wide");
    EXPECT_EQ(opened->programFile, "program/wide.mq");
}

TEST_F(Export, ReplacesItsOwnFolderOnly) {
    const TestDesign design = test::wideOutput();
    exportTo("own", design);
    ASSERT_TRUE(test::writeText(path("own") + "/left-over", "x"));
    exportTo("own", design);
    EXPECT_EQ(*test::readText(path("own") + "/left-over"), "x") << "files of the user are kept";

    std::filesystem::create_directories(path("foreign"));
    ASSERT_TRUE(test::writeText(path("foreign") + "/thesis.txt", "years of work"));
    const auto refused =
        hdl::exportArtefact(hdl::designArtefact(requestFor(design)), path("foreign"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "output-exists");
    EXPECT_EQ(*test::readText(path("foreign") + "/thesis.txt"), "years of work");

    // A manifest of something else does not make a folder ours; a file is never replaced.
    ASSERT_TRUE(test::writeText(path("foreign") + "/manifest.json", "{\"kind\":\"other\"}"));
    EXPECT_EQ(hdl::exportArtefact(hdl::designArtefact(requestFor(design)), path("foreign"))
                  .error()
                  .front()
                  .code,
              "output-exists");
    EXPECT_EQ(hdl::exportArtefact(hdl::designArtefact(requestFor(design)),
                                  path("foreign") + "/thesis.txt")
                  .error()
                  .front()
                  .code,
              "output-exists");
}

TEST_F(Export, SaysWhenItCannotWrite) {
    const auto refused =
        hdl::exportArtefact(hdl::designArtefact(requestFor(test::wideOutput())), "/proc/nowhere/x");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "output-unwritable");
}

TEST_F(Export, UnknownTarget) {
    auto request = requestFor(test::wideOutput());
    request.form.target = "vhdl";
    EXPECT_EQ(hdl::exportArtefact(hdl::designArtefact(request), path("x")).error().front().code,
              "unknown-target");
}

TEST(HdlCheck, NamesTheLayerItCannotBuild) {
    TestDesign design = test::convPoolRequant();
    EXPECT_EQ(refusal(design), "accepted");
    auto& step = std::get<design::ComputeStep>(design.schedule.steps[1]);
    step.epilogue.requantBefore.mul = 3;
    EXPECT_NE(refusal(design).find("layer " + step.layer + ": requant multiplies by 3"),
              std::string::npos);
    step.epilogue.requantBefore.mul = 1;
    step.epilogue.activationBefore = {design::ActivationStage::Kind::Leaky, 9, 3};
    EXPECT_NE(refusal(design).find("leaky multiplies by 9 / 2^3"), std::string::npos);
}

TEST(HdlCheck, RefusesUnitsWithoutHardware) {
    TestDesign design = test::convPoolRequant();
    design.schedule.units[0].parallel = 0;
    EXPECT_NE(refusal(design).find("computes 0 rows at once"), std::string::npos);
    design = test::convPoolRequant();
    design.schedule.units[0].span = 3;
    EXPECT_NE(refusal(design).find("reads 3 words at once"), std::string::npos);
    design.schedule.units[0].span = 33;
    EXPECT_NE(refusal(design).find("takes 33 words at once"), std::string::npos);
    design = test::convPoolRequant();
    design.schedule.units[0].weight = ir::Scalar::I32;
    EXPECT_NE(refusal(design).find("i8 x i32"), std::string::npos);
    design = test::sixteenBits();
    design.schedule.units[0].pairsRows = true;
    EXPECT_NE(refusal(design).find("of u16 x i16 pairs rows"), std::string::npos);
    design = test::convPoolRequant();
    design.schedule.units[0].pairsRows = true;
    EXPECT_EQ(refusal(design), "accepted");
    design.schedule.lanes = 24;
    EXPECT_NE(refusal(design).find("24 lanes"), std::string::npos);
}

TEST(HdlCheck, RefusesASlotReadAndWrittenAtOnce) {
    TestDesign design = test::convPoolRequant();
    const auto& step = std::get<design::ComputeStep>(design.schedule.steps[1]);
    auto& slots = design.schedule.slots;
    auto& output = design.schedule.tensors[step.output.index()];
    output.slot = design.schedule.tensor(step.input).slot;
    slots[output.slot.index()].depth += output.words();
    slots[output.slot.index()].storedLanes = design.schedule.lanes;
    EXPECT_NE(refusal(design).find("reads and writes slot"), std::string::npos);
}

TEST(HdlCheck, RefusesASlotNarrowerThanItsTensors) {
    TestDesign design = test::convPoolRequant();
    const auto& step = std::get<design::ComputeStep>(design.schedule.steps[1]);
    const design::StoredTensor& output = design.schedule.tensor(step.output);
    design::Slot& slot = design.schedule.slots[output.slot.index()];
    slot.storedLanes /= 2;
    slot.writeLanes = 1;
    EXPECT_NE(refusal(design).find("does not lie inside slot"), std::string::npos);
}

} // namespace marquetry
