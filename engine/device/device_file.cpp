#include "engine/device/device_file.h"

#include "engine/support/files.h"
#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/quote.h"

#include <cmath>
#include <optional>

namespace marquetry::device {

namespace detail {
extern const char* const kShippedDevicesJson;
} // namespace detail

namespace {

using Json = nlohmann::json;

/// Beyond any chip; keeps products of figures far from overflow.
constexpr double kMaxFigure = 1e12;
constexpr double kMaxRamWidth = 1e6;

/// Reads fields of one device and remembers the first thing that is wrong with them.
class FieldReader {
public:
    FieldReader(const Json& object, std::string file) : object_(object), file_(std::move(file)) {}

    double number(const Json& where, const char* field, std::optional<double> fallback = {}) {
        if (!where.is_object() || !where.contains(field)) {
            if (!fallback)
                fail(field, "is missing");
            return fallback.value_or(0);
        }
        const Json& value = where.at(field);
        if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > kMaxFigure) {
            fail(field, "must be a number from 0 to 10^12");
            return 0;
        }
        return value.get<double>();
    }

    std::string text(const char* field, std::optional<std::string> fallback = {}) {
        if (!object_.contains(field)) {
            if (!fallback)
                fail(field, "is missing");
            return fallback.value_or("");
        }
        if (!object_.at(field).is_string()) {
            fail(field, "must be a string");
            return {};
        }
        return object_.at(field).get<std::string>();
    }

    void fail(const std::string& field, const std::string& what) {
        if (error_)
            return;
        error_ = makeError("device-field", "device field \"" + field + "\" " + what,
                           "compare with resources/devices/devices.json");
        error_->file = file_;
    }

    const std::optional<Diagnostic>& error() const { return error_; }

private:
    const Json& object_;
    std::string file_;
    std::optional<Diagnostic> error_;
};

void readRam(FieldReader& reader, const Json& object, Device& device) {
    const Json& ram = object.contains("bram") ? object.at("bram") : Json();
    device.limits.bram = reader.number(ram, "count");
    if (ram.is_object() && ram.contains("halves")) {
        if (!ram.at("halves").is_boolean())
            return reader.fail("bram.halves", "must be true or false");
        device.halfRam = ram.at("halves").get<bool>();
    }
    device.ramKind =
        ram.is_object() && ram.contains("kind") && ram.at("kind").is_string() ? ram.at("kind") : "";
    if (!ram.is_object() || !ram.contains("shapes") || !ram.at("shapes").is_array())
        return reader.fail("bram.shapes", "must be a list of [width, depth] pairs");
    for (const Json& shape : ram.at("shapes")) {
        const auto within = [](const Json& number, double most) {
            return number.is_number_integer() && number > 0 && number.get<double>() <= most;
        };
        const bool pair = shape.is_array() && shape.size() == 2 && within(shape[0], kMaxRamWidth) &&
                          within(shape[1], kMaxFigure);
        if (!pair)
            return reader.fail("bram.shapes", "must be a list of [width, depth] pairs above zero");
        device.ramShapes.push_back({shape[0].get<int>(), shape[1].get<std::int64_t>()});
    }
    if (device.ramShapes.empty())
        reader.fail("bram.shapes", "must not be empty");
}

/// Only pairs are built of products with one factor in common.
void readSharedFactor(FieldReader& reader, const Json& object, Device& device) {
    const char* const name = "int8_products_share_factor";
    if (!object.contains(name))
        return;
    const Json& shared = object.at(name);
    if (!shared.is_boolean() || (shared.get<bool>() && device.int8ProductsPerDsp != 2))
        return reader.fail(name, "must be true or false, and true with two products per DSP only");
    device.int8ProductsShareFactor = shared.get<bool>();
}

void readNotes(const Json& object, Device& device) {
    if (!object.contains("sources") || !object.at("sources").is_object())
        return;
    for (const auto& [what, source] : object.at("sources").items())
        if (source.is_string())
            device.notes.push_back(what + ": " + source.get<std::string>());
}

Result<Device> readDevice(const Json& object, const std::string& file) {
    if (!object.is_object()) {
        Diagnostic error = makeError("device-file", "a device must be a JSON object");
        error.file = file;
        return error;
    }
    FieldReader reader(object, file);
    Device device;
    device.id = reader.text("id");
    device.name = reader.text("name", device.id);
    device.part = reader.text("part", "");
    device.family = reader.text("family", "");
    device.lutUnit = reader.text("lut_unit", "LUT");
    device.limits.dsp = reader.number(object, "dsp");
    device.limits.lut = reader.number(object, "lut");
    device.limits.ff = reader.number(object, "ff");
    device.clockMhz = reader.number(object, "clock_mhz", 100.0);
    const double products = reader.number(object, "int8_products_per_dsp", 1.0);
    if (products < 1 || products > 16 || products != std::floor(products))
        reader.fail("int8_products_per_dsp", "must be a whole number from 1 to 16");
    device.int8ProductsPerDsp = static_cast<int>(products);
    readSharedFactor(reader, object, device);
    const Json memory = object.contains("memory") ? object.at("memory") : Json::object();
    if (!memory.is_object())
        reader.fail("memory", "must be an object with bytes_per_cycle and latency_cycles");
    device.memoryBytesPerCycle = reader.number(memory, "bytes_per_cycle", 0.0);
    device.memoryLatencyCycles =
        static_cast<std::int64_t>(reader.number(memory, "latency_cycles", 0.0));
    readRam(reader, object, device);
    readNotes(object, device);
    if (device.id.empty())
        reader.fail("id", "must not be empty");
    if (device.clockMhz <= 0)
        reader.fail("clock_mhz", "must be above zero");
    if (reader.error())
        return *reader.error();
    return device;
}

std::string idList() {
    std::string ids;
    for (const Device& device : shippedDevices())
        ids += (ids.empty() ? "" : ", ") + device.id;
    return ids;
}

} // namespace

Result<std::vector<Device>> parseDevices(std::string_view json, const std::string& file) {
    const auto document = parsedJson<Json>(json);
    if (document.is_discarded()) {
        Diagnostic error = makeError("device-file", "the device file is not valid JSON",
                                     "a device file holds one device object or a list of them");
        error.file = file;
        return error;
    }
    std::vector<Device> devices;
    const Json list = document.is_array() ? document : Json::array({document});
    for (const Json& object : list) {
        Result<Device> device = readDevice(object, file);
        if (!device)
            return device.error();
        devices.push_back(*std::move(device));
    }
    return devices;
}

const std::vector<Device>& shippedDevices() {
    static const std::vector<Device> devices = [] {
        auto parsed = parseDevices(detail::kShippedDevicesJson, "resources/devices/devices.json");
        ENGINE_ASSERT(parsed.has_value(), "the shipped device file is well formed");
        return *std::move(parsed);
    }();
    return devices;
}

Result<Device> findDevice(const std::string& idOrFile) {
    for (const Device& device : shippedDevices())
        if (device.id == idOrFile)
            return device;
    constexpr std::size_t kMostBytes = std::size_t{16} << 20;
    const auto text = files::read(idOrFile, kMostBytes);
    if (!text && text.error()[0].code == "file-missing")
        return makeError("device-unknown",
                         inQuotes(idOrFile) + " is neither a shipped device nor a device file",
                         "devices: " + idList());
    if (!text)
        return text.error();
    auto devices = parseDevices(*text, idOrFile);
    if (!devices)
        return devices.error();
    if (devices->size() != 1) {
        Diagnostic error =
            makeError("device-file",
                      "the file holds " + std::to_string(devices->size()) +
                          " devices, but a file given as a device must hold exactly one",
                      "write the device you mean to a file of its own");
        error.file = idOrFile;
        return error;
    }
    return devices->front();
}

} // namespace marquetry::device
