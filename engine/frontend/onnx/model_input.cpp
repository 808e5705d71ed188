#include "engine/frontend/onnx/model_input.h"

#include "engine/ir/interpreter.h"
#include "engine/ir/npy_header.h"
#include "engine/support/files.h"
#include "engine/support/limits.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace marquetry::frontend::onnx {

namespace {

/// The exact value of each element; nothing for one that is not finite.
using Decoder = std::optional<Rational> (*)(const char*);

template <class T>
std::optional<Rational> decoded(const char* bytes) {
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::is_floating_point_v<T>)
        return Rational::fromDouble(value);
    else
        return Rational(static_cast<std::int64_t>(value));
}

struct NumberForm {
    std::string_view descr;
    std::size_t bytes;
    bool real;
    Decoder decode;
};
constexpr NumberForm kForms[] = {
    {"<f4", 4, true, decoded<float>},         {"<f8", 8, true, decoded<double>},
    {"|i1", 1, false, decoded<std::int8_t>},  {"|u1", 1, false, decoded<std::uint8_t>},
    {"<i2", 2, false, decoded<std::int16_t>}, {"<u2", 2, false, decoded<std::uint16_t>},
    {"<i4", 4, false, decoded<std::int32_t>}, {"<u4", 4, false, decoded<std::uint32_t>},
    {"<i8", 8, false, decoded<std::int64_t>},
};

Diagnostic wrong(const std::string& path, const std::string& what, const std::string& hint = {}) {
    return makeError("file-format", inQuotes(path) + " " + what, hint);
}

std::string shapeText(const Dims& dims) {
    std::string text;
    for (const std::int64_t dim : dims)
        text += (text.empty() ? "" : ", ") + std::to_string(dim);
    return "[" + text + "]";
}

/// The integer that stands for a real number: what is rounded to even is the number without its
/// zero point, whose parity would decide otherwise.
std::int64_t integerOf(const Rational& real, const ImportNote& input, std::int64_t flat,
                       const ir::ScalarInfo& scalar) {
    const Rational& scale = input.scale.at(flat);
    const Rational zero = -input.offset.at(flat) / scale;
    const Rational fraction = zero.isInteger() ? Rational(0) : zero;
    const quant::Integer nearest =
        quant::rounded(real / scale + fraction, quant::RoundingMode::Even) +
        (zero.isInteger() ? zero.numerator() : quant::Integer(0));
    return quant::toInt64(
        std::clamp(nearest, quant::Integer(scalar.min), quant::Integer(scalar.max)));
}

Result<std::vector<std::int64_t>> decodedElements(std::string_view bytes, const std::string& path,
                                                  const ImportNote& input, const ir::Type& type,
                                                  const NumberForm& form) {
    const ir::ScalarInfo& scalar = info(type.scalar);
    std::vector<std::int64_t> elements;
    for (std::int64_t flat = 0; flat < type.elements(); ++flat) {
        const auto number = form.decode(bytes.data() + static_cast<std::size_t>(flat) * form.bytes);
        if (!number)
            return wrong(path, "holds a number that is not finite");
        if (form.real) {
            elements.push_back(integerOf(*number, input, flat, scalar));
            continue;
        }
        const quant::Integer& integer = number->numerator();
        if (integer < scalar.min || integer > scalar.max)
            return wrong(path,
                         "holds " + number->text() + ", which is no " + std::string(scalar.name));
        elements.push_back(quant::toInt64(integer));
    }
    return elements;
}

} // namespace

Result<ir::Tensor> loadModelInput(const std::string& path, const ImportNote& input,
                                  const ir::Type& type) {
    if (!path.ends_with(".npy"))
        return ir::loadTensorFile(path, type);
    constexpr std::int64_t kLongestNumber = 8, kHeader = std::int64_t{1} << 17;
    const auto most = static_cast<std::size_t>(type.elements() * kLongestNumber + kHeader);
    const auto bytes = files::read(path, most);
    if (!bytes)
        return bytes.error();
    const auto header = ir::npyHeaderOf(*bytes, path);
    if (!header)
        return header.error();
    const auto form = std::ranges::find(kForms, header->descr, &NumberForm::descr);
    if (form == std::end(kForms))
        return wrong(path, "holds elements of type '" + header->descr + "'",
                     "real numbers (<f4, <f8) or integers of at most 64 bits");
    if (header->dims != input.shape)
        return wrong(path, "holds the shape " + shapeText(header->dims) + ", but the network has " +
                               shapeText(input.shape));
    const auto size = static_cast<std::size_t>(type.elements()) * form->bytes;
    if (bytes->size() - header->start != size)
        return wrong(path, "holds " + std::to_string(bytes->size() - header->start) +
                               " bytes of elements, but " + std::to_string(size) + " are expected");
    const auto elements =
        decodedElements(std::string_view(*bytes).substr(header->start), path, input, type, *form);
    if (!elements)
        return elements.error();
    return ir::Tensor{type, inProgramOrder(*elements, input.layout)};
}

} // namespace marquetry::frontend::onnx
