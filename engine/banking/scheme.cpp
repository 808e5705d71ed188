#include "engine/banking/scheme.h"

#include "engine/banking/flat_maps.h"
#include "engine/support/checked_math.h"

namespace marquetry::banking {

std::string toString(Kind kind) {
    switch (kind) {
    case Kind::Flat:
        return "flat";
    case Kind::Hierarchical:
        return "hierarchical";
    case Kind::Lattice:
        return "lattice";
    case Kind::Xor:
        return "xor";
    }
    return "";
}

std::optional<Kind> kindNamed(const std::string& name) {
    for (const Kind kind : kKinds) {
        if (toString(kind) == name)
            return kind;
    }
    return std::nullopt;
}

std::int64_t Scheme::banks() const {
    std::int64_t count = 1;
    for (const ir::FlatMap& map : maps)
        count = saturatingMul(count, map.banks);
    return count;
}

std::int64_t Scheme::bank(const Address& x) const {
    return bankOf(maps, x);
}

std::int64_t Scheme::offset(const Address& x) const {
    std::int64_t chunk = 0;
    if (isParity(maps)) {
        for (std::size_t d = 0; d < x.size(); ++d)
            chunk = chunk * boxes[d] + withoutBits(x[d], replaced[d]);
        return chunk;
    }
    for (std::size_t d = 0; d < x.size(); ++d)
        chunk = chunk * boxes[d] + x[d] / box[d];
    for (std::size_t m = 0; m < maps.size(); ++m)
        chunk = chunk * wordsIn[m] + maps[m].sum(x) % maps[m].block / units[m];
    return chunk;
}

Kind Scheme::kind() const {
    if (isParity(maps))
        return Kind::Xor;
    if (maps.size() == 1)
        return Kind::Flat;
    return looksAtOwnDimensions(maps, maps[0].alpha.size()) ? Kind::Hierarchical : Kind::Lattice;
}

std::string Scheme::text() const {
    const auto list = [](const auto& numbers) {
        std::string joined;
        for (const std::int64_t n : numbers)
            joined += (joined.empty() ? "" : ", ") + std::to_string(n);
        return joined;
    };
    std::string result = toString(kind());
    if (kind() == Kind::Xor) {
        result += " N=" + std::to_string(banks()) + " masks=";
        for (const ir::FlatMap& map : maps)
            result += (&map == &maps[0] ? "(" : " (") + list(map.alpha) + ")";
    } else if (kind() == Kind::Hierarchical) {
        Address n, b, a;
        for (std::size_t m = 0; m < maps.size(); ++m) {
            n.push_back(maps[m].banks);
            b.push_back(maps[m].block);
            a.push_back(maps[m].alpha[m]);
        }
        result += " N=(" + list(n) + ") B=(" + list(b) + ") alpha=(" + list(a) + ")";
    } else {
        for (const ir::FlatMap& map : maps)
            result += " N=" + std::to_string(map.banks) + " B=" + std::to_string(map.block) +
                      " alpha=(" + list(map.alpha) + ")";
    }
    return copies > 1 ? result + " x " + std::to_string(copies) + " copies" : result;
}

} // namespace marquetry::banking
