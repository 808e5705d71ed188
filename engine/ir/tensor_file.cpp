// Tensors in files: raw little-endian bytes, and NumPy's .npy (format versions 1 and 2, C order).
#include "engine/ir/interpreter.h"
#include "engine/ir/npy_header.h"
#include "engine/support/limits.h"

#include "engine/support/files.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace marquetry::ir {

namespace {

bool isNpy(const std::string& path) {
    return path.ends_with(".npy");
}

Diagnostic formatError(const std::string& path, const std::string& what) {
    return makeError("file-format", inQuotes(path) + " " + what);
}

std::string_view npyDescr(Scalar scalar) {
    static constexpr std::array<std::string_view, 7> kDescr = {"|i1", "|u1", "<i2", "<u2",
                                                               "<i4", "<u4", "|b1"};
    if (isOddWidth(scalar))
        return info(scalar).isSigned ? kDescr[0] : kDescr[1];
    return kDescr[static_cast<std::size_t>(scalar)];
}

/// The number of bytes before the elements.
Result<std::size_t> checkNpyHeader(std::string_view bytes, const std::string& path,
                                   const Type& type) {
    const auto header = npyHeaderOf(bytes, path);
    if (!header)
        return header.error();
    const bool scalarFits = header->descr == npyDescr(type.scalar) ||
                            (type.scalar == Scalar::Bit && header->descr == "|u1");
    if (!scalarFits)
        return formatError(path, "holds elements of type '" + header->descr + "', but '" +
                                     std::string(npyDescr(type.scalar)) + "' (" +
                                     std::string(info(type.scalar).name) + ") is expected");
    if (header->dims != type.dims)
        return formatError(path, "holds the shape " + toString(Type{type.scalar, header->dims}) +
                                     ", but " + toString(type) + " is expected");
    return header->start;
}

Diagnostic wrongSize(const std::string& path, const Type& type, std::int64_t bytes) {
    return makeError("file-size",
                     inQuotes(path) + " holds " + std::to_string(bytes) + " bytes, but " +
                         toString(type) + " needs " + std::to_string(type.bytes()),
                     bytes < type.bytes() ? "the file is truncated, or of another type"
                                          : "the file is too long, or of another type");
}

/// The elements of a file whose header and length are right.
Result<std::string_view> elementBytes(std::string_view bytes, const std::string& path,
                                      const Type& type) {
    if (isNpy(path)) {
        const auto header = checkNpyHeader(bytes, path, type);
        if (!header)
            return header.error();
        bytes.remove_prefix(*header);
    }
    const auto size = static_cast<std::int64_t>(bytes.size());
    return size == type.bytes() ? Result<std::string_view>(bytes) : wrongSize(path, type, size);
}

std::string npyHeader(const Type& type) {
    std::string shape = "(";
    for (const std::int64_t dim : type.dims)
        shape += std::to_string(dim) + ", ";
    if (type.dims.size() > 1)
        shape.resize(shape.size() - 2);
    std::string header = "{'descr': '" + std::string(npyDescr(type.scalar)) +
                         "', 'fortran_order': False, 'shape': " + shape + "), }";
    // NumPy aligns the data to 64 bytes; the header ends in a newline.
    constexpr std::size_t kPrefix = 10;
    header.resize((kPrefix + header.size() + 1 + 63) / 64 * 64 - kPrefix - 1, ' ');
    header += '\n';
    std::string start(kNpyMagic);
    start += {'\x01', '\x00', static_cast<char>(header.size() & 0xff),
              static_cast<char>(header.size() >> 8)};
    return start + header;
}

} // namespace

std::vector<std::uint8_t> toBytes(const Tensor& tensor) {
    const int width = info(tensor.type.scalar).bytes;
    std::vector<std::uint8_t> bytes;
    bytes.reserve(tensor.data.size() * static_cast<std::size_t>(width));
    for (const std::int64_t value : tensor.data) {
        for (int k = 0; k < width; ++k)
            bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> 8 * k));
    }
    return bytes;
}

Tensor fromBytes(const Type& type, std::span<const std::uint8_t> bytes) {
    const auto width = static_cast<std::size_t>(info(type.scalar).bytes);
    ENGINE_ASSERT(static_cast<std::int64_t>(bytes.size()) == type.bytes(),
                  "as many bytes as the type has");
    Tensor tensor{type, std::vector<std::int64_t>(static_cast<std::size_t>(type.elements()))};
    for (std::size_t k = 0; k < tensor.data.size(); ++k) {
        std::uint64_t value = 0;
        for (std::size_t b = 0; b < width; ++b)
            value |= static_cast<std::uint64_t>(bytes[k * width + b]) << 8 * b;
        tensor.data[k] = wrap(type.scalar, static_cast<std::int64_t>(value));
    }
    return tensor;
}

Result<std::shared_ptr<const std::string>> readTensorFile(const std::string& path,
                                                          const Type& type) {
    const auto most =
        static_cast<std::size_t>(type.bytes()) + kLongestNpyHeader + kNpyMagic.size() + 6;
    auto bytes = files::read(path, most);
    if (!bytes) {
        Diagnostics errors = bytes.error();
        if (errors[0].code == "file-missing")
            errors[0].hint = "paths are relative to the folder of the .mq file";
        std::error_code failed;
        const auto size = std::filesystem::file_size(path, failed);
        if (errors[0].code == "file-too-large" && !failed)
            return wrongSize(path, type, static_cast<std::int64_t>(size));
        return errors;
    }
    if (const auto elements = elementBytes(*bytes, path, type); !elements)
        return elements.error();
    return std::make_shared<const std::string>(*std::move(bytes));
}

Result<Tensor> decodeTensorFile(const std::string& path, std::string_view bytes, const Type& type) {
    const auto elements = elementBytes(bytes, path, type);
    if (!elements)
        return elements.error();
    const std::span data(reinterpret_cast<const std::uint8_t*>(elements->data()), elements->size());
    if (type.scalar == Scalar::Bit &&
        std::any_of(data.begin(), data.end(), [](std::uint8_t b) { return b > 1; }))
        return formatError(path, "holds bytes other than 0 and 1, but bits are expected");
    Tensor tensor = fromBytes(type, data);
    const ScalarInfo& scalar = info(type.scalar);
    const auto outside = std::ranges::find_if(tensor.data, [&](std::int64_t element) {
        return element < scalar.min || element > scalar.max;
    });
    if (outside != tensor.data.end())
        return formatError(path, "holds " + std::to_string(*outside) + ", which is no " +
                                     std::string(scalar.name));
    return tensor;
}

Result<Tensor> loadTensorFile(const std::string& path, const Type& type) {
    const auto bytes = readTensorFile(path, type);
    if (!bytes)
        return bytes.error();
    return decodeTensorFile(path, **bytes, type);
}

std::string encodeTensorFile(const std::string& path, const Tensor& tensor) {
    const std::vector<std::uint8_t> elements = toBytes(tensor);
    std::string bytes = isNpy(path) ? npyHeader(tensor.type) : std::string();
    bytes.append(elements.begin(), elements.end());
    return bytes;
}

} // namespace marquetry::ir
