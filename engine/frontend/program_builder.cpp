#include "engine/frontend/program_builder.h"

#include "engine/frontend/lexer.h"
#include "engine/ir/checked_use.h"
#include "engine/ir/interpreter.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>

namespace marquetry::frontend {

namespace {

/// Of a name: weights become files that carry theirs, and a path's part has 255 bytes.
constexpr std::size_t kLongestName = 96;

std::string identifier(const std::string& wanted) {
    std::string name;
    for (const char c : wanted.substr(0, kLongestName)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool digit = c >= '0' && c <= '9';
        if (letter || (digit && !name.empty()))
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
        else if (digit)
            name = std::string("v") + c;
    }
    while (name.ends_with('_'))
        name.pop_back();
    if (name.empty())
        return "v";
    // Words of the language, and operators, are no names.
    const bool taken = ir::opNamed(name) || isReserved(name);
    return taken ? name + "_" : name;
}

Status checkSize(const std::string& name, const ir::Type& type) {
    const auto elements = checkedProduct(type.dims);
    const bool positive = std::ranges::all_of(type.dims, [](auto dim) { return dim > 0; });
    if (positive && elements && *elements <= kMaxElements)
        return ok();
    return tooLarge("'" + name + "', " + ir::toString(type) + ", has", elements.value_or(INT64_MAX),
                    kMaxElements, "elements");
}

} // namespace

ProgramBuilder::ProgramBuilder(const std::string& name) {
    program_.name = identifier(name);
}

Result<ir::ValueId> ProgramBuilder::input(const std::string& name, ir::Type type) {
    if (const Status size = checkSize(name, type); !size)
        return size.error();
    ir::Value value;
    value.kind = ir::ValueKind::Input;
    value.name = unused(name);
    value.range = ir::fullRange(type.scalar);
    value.type = std::move(type);
    program_.inputs.push_back(append(std::move(value)));
    return program_.inputs.back();
}

Result<ir::ValueId> ProgramBuilder::weight(const std::string& name, ir::Type type,
                                           std::vector<std::int64_t> values) {
    if (const Status size = checkSize(name, type); !size)
        return size.error();
    ENGINE_ASSERT(std::ssize(values) == type.elements(), "as many values as elements");
    ir::Value value;
    value.kind = ir::ValueKind::Weight;
    value.name = unused(name);
    const auto [lo, hi] = std::ranges::minmax(values);
    value.range = {lo, hi};
    value.type = std::move(type);
    const std::string path = "weights/" + value.name + ".npy";
    value.source = ir::FileSource{path, path,
                                  std::make_shared<const std::string>(ir::encodeTensorFile(
                                      path, ir::Tensor{value.type, std::move(values)}))};
    program_.weights.push_back(append(std::move(value)));
    return program_.weights.back();
}

Result<ir::ValueId> ProgramBuilder::op(const std::string& name, ir::OpKind kind,
                                       std::vector<ir::ValueId> operands, ir::OpParams params) {
    ir::Value use;
    use.op = kind;
    use.operands = std::move(operands);
    use.params = std::move(params);
    auto checked = ir::checkedUse(program_, std::move(use), warnings_);
    if (!checked)
        return checked.error();
    checked->name = unused(name);
    return append(*std::move(checked));
}

void ProgramBuilder::output(const std::string& name, ir::ValueId value) {
    const bool own = program_.value(value).name == identifier(name);
    program_.outputs.push_back({own ? identifier(name) : unused(name), value});
}

ir::Program ProgramBuilder::take() {
    return std::exchange(program_, ir::Program());
}

ir::ValueId ProgramBuilder::append(ir::Value value) {
    value.id = ir::ValueId(program_.values.size());
    program_.values.push_back(std::move(value));
    return program_.values.back().id;
}

std::string ProgramBuilder::unused(const std::string& wanted) {
    const std::string name = identifier(wanted);
    for (int number = names_[name]++;; number = names_[name]++) {
        if (number == 0)
            return name;
        const std::string numbered = name + "_" + std::to_string(number + 1);
        if (names_.emplace(numbered, 1).second)
            return numbered;
    }
}

} // namespace marquetry::frontend
