#include "engine/frontend/onnx/proto_tensor.h"

#include "engine/support/checked_math.h"
#include "engine/support/files.h"
#include "engine/support/quote.h"

#include <cstring>
#include <filesystem>

namespace marquetry::frontend::onnx {
namespace {

using Proto = ::onnx::TensorProto;

struct TensorFault {
    std::string code = "onnx-tensor";
    std::string message;
    std::string hint;
};

std::size_t bytesOf(Element element) {
    switch (element) {
    case Element::Int8:
    case Element::Uint8:
    case Element::Bool:
        return 1;
    case Element::Int16:
    case Element::Uint16:
        return 2;
    case Element::Double:
    case Element::Int64:
        return 8;
    default:
        return 4;
    }
}

template <class T, class To>
void decodeBytes(const std::string& bytes, std::vector<To>& values) {
    values.resize(bytes.size() / sizeof(T));
    for (std::size_t k = 0; k < values.size(); ++k) {
        T value{};
        std::memcpy(&value, bytes.data() + k * sizeof(T), sizeof(T));
        values[k] = static_cast<To>(value);
    }
}

void decodeRaw(const std::string& bytes, OnnxConstant& tensor) {
    switch (tensor.element) {
    case Element::Float:
        return decodeBytes<float>(bytes, tensor.reals);
    case Element::Double:
        return decodeBytes<double>(bytes, tensor.reals);
    case Element::Int8:
        return decodeBytes<std::int8_t>(bytes, tensor.ints);
    case Element::Uint8:
    case Element::Bool:
        return decodeBytes<std::uint8_t>(bytes, tensor.ints);
    case Element::Int16:
        return decodeBytes<std::int16_t>(bytes, tensor.ints);
    case Element::Uint16:
        return decodeBytes<std::uint16_t>(bytes, tensor.ints);
    case Element::Int32:
        return decodeBytes<std::int32_t>(bytes, tensor.ints);
    case Element::Uint32:
        return decodeBytes<std::uint32_t>(bytes, tensor.ints);
    default:
        return decodeBytes<std::int64_t>(bytes, tensor.ints);
    }
}

template <class Field, class To>
void decodeField(const Field& field, std::vector<To>& values) {
    values.reserve(static_cast<std::size_t>(field.size()));
    for (const auto value : field)
        values.push_back(static_cast<To>(value));
}

void decodeFields(const Proto& proto, OnnxConstant& tensor) {
    switch (tensor.element) {
    case Element::Float:
        return decodeField(proto.float_data(), tensor.reals);
    case Element::Double:
        return decodeField(proto.double_data(), tensor.reals);
    case Element::Int64:
        return decodeField(proto.int64_data(), tensor.ints);
    case Element::Uint32:
        return decodeField(proto.uint64_data(), tensor.ints);
    default:
        return decodeField(proto.int32_data(), tensor.ints);
    }
}

std::optional<TensorFault> checkNumbers(const OnnxConstant& tensor, std::int64_t wanted) {
    if (static_cast<std::int64_t>(tensor.size()) != wanted)
        return TensorFault{.message = "holds " + std::to_string(tensor.size()) +
                                      " numbers, and its dimensions ask for " +
                                      std::to_string(wanted),
                           .hint = "the file is damaged; export it again"};
    if (isReal(tensor.element))
        return std::nullopt;
    const bool inside = std::all_of(tensor.ints.begin(), tensor.ints.end(), [&](std::int64_t k) {
        return k >= lowestOf(tensor.element) && k <= highestOf(tensor.element);
    });
    if (inside)
        return std::nullopt;
    return TensorFault{.message = "holds numbers that are none of " + nameOf(tensor.element),
                       .hint = "the file is damaged; export it again"};
}

/// Where external data may lie: below the model's folder, links followed.
std::optional<std::string> insideFolder(const std::string& folder, const std::string& location) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path root = fs::canonical(folder, error);
    if (error || fs::path(location).is_absolute())
        return std::nullopt;
    const fs::path target = fs::weakly_canonical(root / location, error);
    if (error)
        return std::nullopt;
    const auto [rootEnd, unused] =
        std::mismatch(root.begin(), root.end(), target.begin(), target.end());
    return rootEnd == root.end() ? std::optional(target.string()) : std::nullopt;
}

struct ExternalPlace {
    std::string location;
    std::int64_t offset = 0;
};

std::optional<ExternalPlace> placeOf(const Proto& proto) {
    ExternalPlace place;
    for (const auto& entry : proto.external_data()) {
        if (entry.key() == "location")
            place.location = entry.value();
        if (entry.key() != "offset")
            continue;
        if (entry.value().empty() || entry.value().size() > 15 ||
            entry.value().find_first_not_of("0123456789") != std::string::npos)
            return std::nullopt;
        place.offset = std::stoll(entry.value());
    }
    return place;
}

struct ExternalBytes {
    std::string bytes;
    std::optional<TensorFault> fault;
};

ExternalBytes readExternal(const Proto& proto, const std::string& folder, std::int64_t wanted) {
    const auto refused = [](std::string message, std::string hint) {
        return ExternalBytes{{}, TensorFault{"onnx-external-data", std::move(message), hint}};
    };
    const auto place = placeOf(proto);
    if (!place)
        return refused("has external data at an offset that is no number", "export it again");
    const auto path = folder.empty() || place->location.find('\0') != std::string::npos
                          ? std::nullopt
                          : insideFolder(folder, place->location);
    if (!path)
        return refused("has its data in " + inQuotes(place->location) +
                           ", which is outside the model's folder",
                       "put the data beside the model, or save it as one file");
    auto file = files::read(*path);
    if (!file)
        return refused("has its data in another file: " + file.error().front().message,
                       "copy the data to where the model says");
    const auto size = static_cast<std::int64_t>(file->size());
    if (place->offset > size || size - place->offset < wanted)
        return refused("has its data in " + inQuotes(place->location) + ", which is too short",
                       "copy the whole file");
    return {file->substr(static_cast<std::size_t>(place->offset), static_cast<std::size_t>(wanted)),
            std::nullopt};
}

std::optional<TensorFault> decode(const Proto& proto, const std::string& folder,
                                  std::int64_t wanted, OnnxConstant& tensor) {
    if (proto.data_location() == Proto::EXTERNAL) {
        ExternalBytes external = readExternal(
            proto, folder, wanted * static_cast<std::int64_t>(bytesOf(tensor.element)));
        if (external.fault)
            return external.fault;
        decodeRaw(external.bytes, tensor);
    } else if (proto.has_raw_data()) {
        if (proto.raw_data().size() % bytesOf(tensor.element) != 0)
            return TensorFault{.message = "ends within a number",
                               .hint = "the file is damaged; export it again"};
        decodeRaw(proto.raw_data(), tensor);
    } else {
        decodeFields(proto, tensor);
    }
    return checkNumbers(tensor, wanted);
}

std::optional<TensorFault> checkKind(const Proto& proto, Element element) {
    if (proto.data_type() == Proto::STRING)
        return TensorFault{.message = "holds strings", .hint = "networks of numbers are imported"};
    if (proto.has_segment())
        return TensorFault{.message = "is a segment of a tensor", .hint = "save whole tensors"};
    if (element == Element::None || element == Element::Other)
        return TensorFault{.message = "has the element type " + std::to_string(proto.data_type()) +
                                      ", which is not known here",
                           .hint = "float, double, bool and integers of at most 64 bits are read"};
    return std::nullopt;
}

} // namespace

Element elementOf(int dataType) {
    switch (dataType) {
    case Proto::FLOAT:
        return Element::Float;
    case Proto::DOUBLE:
        return Element::Double;
    case Proto::INT8:
        return Element::Int8;
    case Proto::UINT8:
        return Element::Uint8;
    case Proto::INT16:
        return Element::Int16;
    case Proto::UINT16:
        return Element::Uint16;
    case Proto::INT32:
        return Element::Int32;
    case Proto::UINT32:
        return Element::Uint32;
    case Proto::INT64:
        return Element::Int64;
    case Proto::BOOL:
        return Element::Bool;
    case Proto::UNDEFINED:
        return Element::None;
    default:
        return Element::Other;
    }
}

ConstantPointer TensorReader::read(const Proto& proto, const std::string& name) {
    const auto fail = [&](const TensorFault& fault) {
        faults.add(fault.code, "the tensor " + inQuotes(name) + " " + fault.message, fault.hint);
        return nullptr;
    };
    auto tensor = std::make_shared<OnnxConstant>();
    tensor->element = elementOf(proto.data_type());
    if (const auto fault = checkKind(proto, tensor->element))
        return fail(*fault);
    tensor->dims.assign(proto.dims().begin(), proto.dims().end());
    const bool negative =
        std::any_of(tensor->dims.begin(), tensor->dims.end(), [](std::int64_t d) { return d < 0; });
    const auto wanted = checkedProduct(tensor->dims);
    if (negative || tensor->dims.size() > 8)
        return fail({.message = "has a negative dimension, or more than 8 of them",
                     .hint = "the file is damaged; export it again"});
    if (!wanted || *wanted > elementsLeft)
        return fail({.message = "is too large: all tensors of a file together have at most 2^25 "
                                "numbers",
                     .hint = "import a smaller network"});
    elementsLeft -= *wanted;
    if (const auto fault = decode(proto, folder, *wanted, *tensor))
        return fail(*fault);
    return tensor;
}

} // namespace marquetry::frontend::onnx
