#include "engine/rtl/size.h"

#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::rtl {

bool Size::Before::operator()(const Product& a, const Product& b) const {
    // Longer products first: "A*B + A + 1".
    if (a.size() != b.size())
        return a.size() > b.size();
    return std::ranges::lexicographical_compare(a, b, {}, &SizeVariable::order,
                                                &SizeVariable::order);
}

Size::Size(std::int64_t number) {
    add({}, number);
}

Size::Size(VariablePtr variable) {
    add({std::move(variable)}, 1);
}

void Size::add(const Product& product, std::int64_t factor) {
    const auto entry = terms_.try_emplace(product, 0).first;
    entry->second += factor;
    if (entry->second == 0)
        terms_.erase(entry);
}

bool Size::known() const {
    return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty());
}

std::int64_t Size::value() const {
    ENGINE_ASSERT(known(), "the size depends on a parameter or loop");
    return terms_.empty() ? 0 : terms_.begin()->second;
}

Size operator+(Size a, const Size& b) {
    for (const auto& [product, factor] : b.terms_)
        a.add(product, factor);
    return a;
}

Size operator-(Size a, const Size& b) {
    for (const auto& [product, factor] : b.terms_)
        a.add(product, -factor);
    return a;
}

Size operator*(const Size& a, const Size& b) {
    Size result;
    for (const auto& [left, x] : a.terms_) {
        for (const auto& [right, y] : b.terms_) {
            Size::Product product = left;
            product.insert(product.end(), right.begin(), right.end());
            std::ranges::sort(product, {}, &SizeVariable::order);
            result.add(product, x * y);
        }
    }
    return result;
}

Size Size::with(const Values& values) const {
    Size result;
    for (const auto& [product, factor] : terms_) {
        Size term = factor;
        for (const VariablePtr& variable : product) {
            const auto given = values.find(variable.get());
            if (given != values.end())
                term = term * given->second;
            else if (variable->kind == SizeVariable::Kind::Parameter)
                term = term * Size(variable->value);
            else
                term = term * Size(variable);
        }
        result = result + term;
    }
    return result;
}

std::string Size::text(const std::function<std::string(const SizeVariable&)>& nameOf) const {
    std::string text;
    const auto add = [&](const Product& product, std::int64_t factor) {
        const bool minus = factor < 0;
        text += text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
        const std::int64_t size = minus ? -factor : factor;
        std::string term = size == 1 && !product.empty() ? "" : std::to_string(size);
        for (const VariablePtr& variable : product)
            term += (term.empty() ? "" : "*") + nameOf(*variable);
        text += term;
    };
    // "32 - ADDRESS": a minus stands in front only where nothing else can.
    for (const bool minus : {false, true})
        for (const auto& [product, factor] : terms_)
            if ((factor < 0) == minus)
                add(product, factor);
    return text.empty() ? "0" : text;
}

std::vector<VariablePtr> Size::variables() const {
    std::vector<VariablePtr> all;
    for (const auto& [product, factor] : terms_)
        all.insert(all.end(), product.begin(), product.end());
    return all;
}

} // namespace marquetry::rtl
