// Tensors in files: raw little-endian bytes, and NumPy's .npy (format versions 1 and 2, C order).
#include "engine/ir/interpreter.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace marquetry::ir {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

bool isNpy(const std::string& path) {
    return path.ends_with(".npy");
}

Diagnostic formatError(const std::string& path, const std::string& what) {
    return makeError("file-format", "'" + path + "' " + what);
}

std::string_view npyDescr(Scalar scalar) {
    static constexpr std::array<std::string_view, 7> kDescr = {"|i1", "|u1", "<i2", "<u2",
                                                               "<i4", "<u4", "|b1"};
    return kDescr[static_cast<std::size_t>(scalar)];
}

/// What follows `key` and a colon in the header's dictionary, up to a character of `ends`.
std::string_view dictEntry(std::string_view header, std::string_view key, std::string_view ends) {
    const std::size_t at = header.find("'" + std::string(key) + "'");
    if (at == std::string_view::npos)
        return {};
    std::size_t from = header.find(':', at);
    if (from == std::string_view::npos)
        return {};
    from = header.find_first_not_of(' ', from + 1);
    if (from == std::string_view::npos)
        return {};
    return header.substr(from, header.find_first_of(ends, from) - from);
}

/// "(3, 4" → {3, 4}; nothing when it is not a tuple of numbers.
std::optional<Shape> parseShape(std::string_view text) {
    if (!text.starts_with("("))
        return std::nullopt;
    Shape dims;
    bool inNumber = false;
    for (const char c : text.substr(1)) {
        if (c >= '0' && c <= '9') {
            if (!inNumber)
                dims.push_back(0);
            inNumber = true;
            dims.back() = std::min(dims.back() * 10 + (c - '0'), kMaxElements + 1);
        } else if (c == ',' || c == ' ') {
            inNumber = false;
        } else {
            return std::nullopt;
        }
    }
    return dims;
}

Status checkNpyDictionary(const std::string& path, std::string_view header, const Type& type) {
    std::string descr(dictEntry(header, "descr", ",}"));
    std::erase(descr, '\'');
    if (descr.starts_with("<") && descr.ends_with("1"))
        descr[0] = '|';
    const bool scalarFits =
        descr == npyDescr(type.scalar) || (type.scalar == Scalar::Bit && descr == "|u1");
    if (!scalarFits)
        return formatError(path, "holds elements of type '" + descr + "', but '" +
                                     std::string(npyDescr(type.scalar)) + "' (" +
                                     std::string(info(type.scalar).name) + ") is expected");
    if (!dictEntry(header, "fortran_order", ",}").starts_with("False"))
        return formatError(path, "is not in C order");
    const auto dims = parseShape(dictEntry(header, "shape", ")"));
    if (!dims)
        return formatError(path, "has a broken .npy header: no shape");
    if (*dims != type.dims)
        return formatError(path, "holds the shape " + toString(Type{type.scalar, *dims}) +
                                     ", but " + toString(type) + " is expected");
    return ok();
}

/// Checks the header and yields the number of bytes before the data.
Result<std::int64_t> readNpyHeader(std::istream& file, const std::string& path, const Type& type) {
    std::array<unsigned char, 12> start{};
    const auto read = [&](std::size_t from, std::size_t count) {
        return static_cast<bool>(file.read(reinterpret_cast<char*>(start.data() + from),
                                           static_cast<std::streamsize>(count)));
    };
    if (!read(0, 8) ||
        !std::equal(kMagic.begin(), kMagic.end(), start.begin(),
                    [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; }))
        return formatError(path, "is not a .npy file");
    const int version = start[6];
    if (version != 1 && version != 2)
        return formatError(path, "has .npy format version " + std::to_string(version) +
                                     "; 1 and 2 are understood");
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    if (!read(8, lengthBytes))
        return formatError(path, "ends inside the .npy header");
    std::size_t length = 0;
    for (std::size_t k = 0; k < lengthBytes; ++k)
        length |= static_cast<std::size_t>(start[8 + k]) << (8 * k);
    constexpr std::size_t kLongestHeader = 1 << 16;
    std::string header(std::min(length, kLongestHeader + 1), ' ');
    if (length > kLongestHeader || !file.read(header.data(), static_cast<std::streamsize>(length)))
        return formatError(path, "ends inside the .npy header");
    if (const Status fits = checkNpyDictionary(path, header, type); !fits)
        return fits.error();
    return static_cast<std::int64_t>(8 + lengthBytes + length);
}

Status checkLength(const std::string& path, const Type& type, std::int64_t headerBytes) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error)
        return makeError("file-unreadable", "cannot read '" + path + "'");
    const std::int64_t bytes = static_cast<std::int64_t>(size) - headerBytes;
    if (bytes == type.bytes())
        return ok();
    return makeError("file-size",
                     "'" + path + "' holds " + std::to_string(bytes) + " bytes, but " +
                         toString(type) + " needs " + std::to_string(type.bytes()),
                     bytes < type.bytes() ? "the file is truncated, or of another type"
                                          : "the file is too long, or of another type");
}

/// Opens the file, checks header and length, and leaves the stream at the data.
Status openTensorFile(std::ifstream& file, const std::string& path, const Type& type) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        return makeError("file-missing", "there is no file '" + path + "'",
                         "paths are relative to the folder of the .mq file");
    if (!std::filesystem::is_regular_file(status))
        return makeError("file-unreadable", "'" + path + "' is not a file");
    file.open(path, std::ios::binary);
    if (!file)
        return makeError("file-unreadable", "cannot open '" + path + "' for reading");
    std::int64_t headerBytes = 0;
    if (isNpy(path)) {
        const auto header = readNpyHeader(file, path, type);
        if (!header)
            return header.error();
        headerBytes = *header;
    }
    return checkLength(path, type, headerBytes);
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
    std::string start(kMagic);
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

Status checkTensorFile(const std::string& path, const Type& type) {
    std::ifstream file;
    return openTensorFile(file, path, type);
}

Result<Tensor> loadTensorFile(const std::string& path, const Type& type) {
    std::ifstream file;
    if (const Status opened = openTensorFile(file, path, type); !opened)
        return opened.error();
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(type.bytes()));
    if (!file.read(reinterpret_cast<char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size())))
        return makeError("file-unreadable", "cannot read all of '" + path + "'");
    if (type.scalar == Scalar::Bit &&
        std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b > 1; }))
        return formatError(path, "holds bytes other than 0 and 1, but bits are expected");
    return fromBytes(type, bytes);
}

Status saveTensorFile(const std::string& path, const Tensor& tensor) {
    std::ofstream file(path, std::ios::binary);
    if (isNpy(path))
        file << npyHeader(tensor.type);
    const std::vector<std::uint8_t> bytes = toBytes(tensor);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        return makeError("file-unwritable", "cannot write '" + path + "'");
    return ok();
}

} // namespace marquetry::ir
