#include "engine/hdl/wiring.h"

namespace marquetry::hdl {

void instance(Body& body, const Module& module, const std::string& name, const Wiring& wiring) {
    body.line(module.name, " ", name, " (");
    for (std::size_t i = 0; i < module.ports.size(); ++i) {
        std::string signal = module.ports[i].name;
        for (const auto& [port, to] : wiring)
            if (port == module.ports[i].name)
                signal = to;
        body.line("    .", module.ports[i].name, "(", signal, ")",
                  i + 1 < module.ports.size() ? "," : ");");
    }
}

std::string elements(const Elements& e) {
    const int width = e.wordElements * e.stored;
    if (e.stored == e.taken && e.taken == e.to)
        return slice(e.word, width, e.count * e.stored - 1, 0);
    std::string text;
    for (int i = e.count; i-- > 0;) {
        const int low = i * e.stored;
        const std::string value = slice(e.word, width, low + e.taken - 1, low);
        text += i + 1 == e.count ? "" : ", ";
        if (e.to > e.taken && e.isSigned)
            text += cat("{", e.to - e.taken, "{",
                        slice(e.word, width, low + e.taken - 1, low + e.taken - 1), "}}, ");
        else if (e.to > e.taken)
            text += literal(e.to - e.taken, 0) + ", ";
        text += value;
    }
    return "{" + text + "}";
}

std::string paddedElements(const Elements& e, int lanes) {
    const int zeros = (lanes - e.count) * e.to;
    return zeros == 0 ? elements(e) : cat("{{", zeros, "{1'b0}}, ", elements(e), "}");
}

std::string Choice::text(const std::string& otherwise) const {
    if (items_.empty())
        return otherwise;
    std::string result;
    for (std::size_t i = 0; i + 1 < items_.size(); ++i)
        result += cat(items_[i].first, " ? ", items_[i].second, " :\n            ");
    return result + items_.back().second;
}

} // namespace marquetry::hdl
