// Broken device files: a diagnostic that names the field, never a device.
#include "engine/device/device_file.h"
#include "engine/support/json.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace marquetry {

namespace {

using Json = nlohmann::json;

Json goodDevice() {
    return Json::parse(R"({"id": "mine", "dsp": 10, "lut": 100, "ff": 200,
        "bram": {"kind": "B", "count": 4, "shapes": [[8, 512]]}, "clock_mhz": 50})");
}

/// "code: message" of the first error.
std::string errorOf(const std::string& text) {
    const auto result = device::parseDevices(text, "d.json");
    if (result)
        return "accepted";
    EXPECT_EQ(result.error().front().file, "d.json");
    return result.error().front().code + ": " + result.error().front().message;
}

struct Mutation {
    const char* pointer;
    const char* value; ///< JSON, or null to remove the field
    const char* field; ///< named by the message
};

} // namespace

TEST(DeviceFile, AcceptsTheLeastAndGivesDefaults) {
    const auto devices = device::parseDevices(goodDevice().dump(), "d.json");
    ASSERT_TRUE(devices.has_value());
    ASSERT_EQ(devices->size(), 1U);
    const device::Device& d = devices->front();
    EXPECT_EQ(d.name, "mine");
    EXPECT_EQ(d.int8ProductsPerDsp, 1);
    EXPECT_EQ(d.memoryBytesPerCycle, 0);
    EXPECT_EQ(d.limits.bram, 4);
}

TEST(DeviceFile, SaysWhetherProductsShareAFactor) {
    Json pairs = goodDevice();
    pairs["int8_products_per_dsp"] = 2;
    EXPECT_FALSE(device::parseDevices(pairs.dump(), "d.json")->front().int8ProductsShareFactor);
    pairs["int8_products_share_factor"] = true;
    EXPECT_TRUE(device::parseDevices(pairs.dump(), "d.json")->front().int8ProductsShareFactor);
    for (const auto& [products, shared] : {std::pair(1, Json(true)), {3, true}, {2, 1}}) {
        pairs["int8_products_per_dsp"] = products;
        pairs["int8_products_share_factor"] = shared;
        EXPECT_THAT(errorOf(pairs.dump()), testing::HasSubstr("int8_products_share_factor"));
    }
}

TEST(DeviceFile, NamesTheFieldThatIsWrong) {
    const Mutation mutations[] = {
        {"/id", nullptr, "id"},
        {"/id", "7", "id"},
        {"/id", "\"\"", "id"},
        {"/dsp", nullptr, "dsp"},
        {"/dsp", "-1", "dsp"},
        {"/lut", "\"many\"", "lut"},
        {"/ff", "null", "ff"},
        {"/bram", nullptr, "count"},
        {"/bram", "5", "count"},
        {"/bram/count", "-4", "count"},
        {"/bram/halves", "3", "bram.halves"},
        {"/bram/shapes", nullptr, "bram.shapes"},
        {"/bram/shapes", "[]", "bram.shapes"},
        {"/bram/shapes", "[[8]]", "bram.shapes"},
        {"/bram/shapes", "[[8, 0]]", "bram.shapes"},
        {"/bram/shapes", "[[-8, 512]]", "bram.shapes"},
        {"/bram/shapes", "[[99999999999, 512]]", "bram.shapes"},
        {"/bram/shapes", "[[8, 1.5]]", "bram.shapes"},
        {"/clock_mhz", "0", "clock_mhz"},
        {"/int8_products_per_dsp", "0", "int8_products_per_dsp"},
        {"/int8_products_per_dsp", "17", "int8_products_per_dsp"},
        {"/int8_products_per_dsp", "1.5", "int8_products_per_dsp"},
        {"/memory", "3", "memory"},
        {"/memory", R"({"bytes_per_cycle": -1})", "bytes_per_cycle"},
        {"/memory", R"({"bytes_per_cycle": 1, "latency_cycles": 1e300})", "latency_cycles"},
    };
    for (const Mutation& mutation : mutations) {
        Json device = goodDevice();
        const Json::json_pointer pointer(mutation.pointer);
        if (mutation.value == nullptr)
            device.at(pointer.parent_pointer()).erase(pointer.back());
        else
            device[pointer] = Json::parse(mutation.value);
        const std::string error = errorOf(device.dump());
        EXPECT_TRUE(error.starts_with("device-field:")) << device.dump() << "\n" << error;
        EXPECT_NE(error.find("\"" + std::string(mutation.field) + "\""), std::string::npos)
            << error;
    }
}

TEST(DeviceFile, RefusesWhatIsNoDeviceFile) {
    for (const char* text : {"", "{", "nonsense", "\x01\xff\xfe", "[1]", "\"x\"", "[[]]"})
        EXPECT_TRUE(errorOf(text).starts_with("device-file:")) << text;
}

TEST(FindDevice, SaysWhichDevicesThereAre) {
    const auto unknown = device::findDevice("nothing-like-it");
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().front().code, "device-unknown");
    EXPECT_NE(unknown.error().front().hint.find("arria10"), std::string::npos);
}

TEST(FindDevice, ReadsAFileWithOneDevice) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "one_device.json";
    std::ofstream(path) << goodDevice().dump();
    EXPECT_EQ(device::findDevice(path)->id, "mine");
    std::ofstream(path) << Json::array({goodDevice(), goodDevice()}).dump();
    EXPECT_EQ(device::findDevice(path).error().front().code, "device-file");
    std::ofstream(path) << "[]";
    EXPECT_EQ(device::findDevice(path).error().front().code, "device-file");
}

} // namespace marquetry
