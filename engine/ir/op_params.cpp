#include "engine/ir/op.h"

namespace marquetry::ir {

namespace {

using Integers = std::vector<std::int64_t>;

struct FieldSetter {
    OpParams& params;
    const Integers& values;

    bool operator()(std::monostate) const { return false; }
    bool operator()(std::int64_t OpParams::*field) const {
        if (values.size() == 1)
            params.*field = values[0];
        return values.size() == 1;
    }
    bool operator()(PerAxis OpParams::*field) const {
        if (values.empty() || values.size() > 2)
            return false;
        params.*field = {values.front(), values.back()};
        return true;
    }
    bool operator()(Pads OpParams::*field) const {
        const Integers& v = values;
        if (v.size() != 1 && v.size() != 2 && v.size() != 4)
            return false;
        params.*field = v.size() == 1   ? Pads(v[0])
                        : v.size() == 2 ? Pads(v[0], v[1], v[0], v[1])
                                        : Pads(v[0], v[1], v[2], v[3]);
        return true;
    }
    bool operator()(std::array<std::int64_t, 2> OpParams::*field) const {
        if (values.size() == 2)
            params.*field = {values[0], values[1]};
        return values.size() == 2;
    }
    template <class Word>
    bool operator()(Word OpParams::*field) const {
        params.*field = static_cast<Word>(values.at(0));
        return true;
    }
};

struct FieldReader {
    const OpParams& params;

    Integers operator()(std::monostate) const { return {}; }
    Integers operator()(std::int64_t OpParams::*field) const { return {params.*field}; }
    Integers operator()(PerAxis OpParams::*field) const {
        const PerAxis& value = params.*field;
        return value.isSquare() ? Integers{value.vertical}
                                : Integers{value.vertical, value.horizontal};
    }
    Integers operator()(Pads OpParams::*field) const {
        const Pads& value = params.*field;
        if (value.isEven())
            return {value.top};
        if (value.top == value.bottom && value.left == value.right)
            return {value.top, value.left};
        return {value.top, value.left, value.bottom, value.right};
    }
    Integers operator()(std::array<std::int64_t, 2> OpParams::*field) const {
        return {(params.*field)[0], (params.*field)[1]};
    }
    template <class Word>
    Integers operator()(Word OpParams::*field) const {
        return {static_cast<std::int64_t>(params.*field)};
    }
};

} // namespace

bool setField(OpParams& params, const ParamSpec& spec, const std::vector<std::int64_t>& values) {
    return std::visit(FieldSetter{params, values}, spec.field);
}

std::vector<std::int64_t> fieldOf(const OpParams& params, const ParamSpec& spec) {
    return std::visit(FieldReader{params}, spec.field);
}

std::string formOf(const ParamSpec& spec) {
    if (!spec.words.empty()) {
        std::string text = "one of";
        for (const std::string_view word : spec.words)
            text += (word == spec.words.front() ? " " : ", ") + std::string(word);
        return text;
    }
    if (std::holds_alternative<Pads OpParams::*>(spec.field))
        return "an integer, [vertical, horizontal] or [top, left, bottom, right]";
    if (std::holds_alternative<PerAxis OpParams::*>(spec.field))
        return "an integer or [vertical, horizontal]";
    return "a list of two integers";
}

} // namespace marquetry::ir
