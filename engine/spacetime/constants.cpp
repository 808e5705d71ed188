#include "engine/spacetime/constants.h"

#include "engine/support/assert.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

namespace marquetry::spacetime {

std::optional<Constants> Constants::ofEach(std::int64_t copies,
                                           const std::vector<std::int64_t>& words) {
    if (saturatingMul(copies, std::ssize(words)) > kMaxKnownWords)
        return std::nullopt;
    Constants result{copies, 1, {}};
    for (std::int64_t c = 0; c < copies; ++c)
        result.words.insert(result.words.end(), words.begin(), words.end());
    return result;
}

Constants Constants::inSpace(std::int64_t n) const {
    const std::int64_t part = size() / n;
    Constants result{copies * n, steps, {}};
    result.words.reserve(words.size());
    for (std::int64_t c = 0; c < copies; ++c) {
        for (std::int64_t k = 0; k < n; ++k) {
            for (std::int64_t s = 0; s < steps; ++s) {
                const auto begin = words.begin() + ((c * steps + s) * n + k) * part;
                result.words.insert(result.words.end(), begin, begin + part);
            }
        }
    }
    return result;
}

Constants Constants::inTime(std::int64_t n) const {
    return {copies, steps * n, words};
}

std::optional<std::int64_t> Constants::steady(std::int64_t copy) const {
    ENGINE_ASSERT(size() == 1, "an atom of one word");
    const auto first = words.begin() + copy * steps;
    for (std::int64_t s = 1; s < steps; ++s) {
        if (first[s] != *first)
            return std::nullopt;
    }
    return *first;
}

std::vector<MaybeConstants> constantsOf(const Graph& graph, const std::vector<SeqType>& types,
                                        const std::vector<MaybeConstants>& inputs,
                                        std::int64_t copies) {
    std::vector<MaybeConstants> all;
    std::size_t nextInput = 0;
    for (const Node& node : graph.nodes) {
        MaybeConstants own;
        if (node.op == Op::Input && nextInput < inputs.size())
            own = inputs[nextInput++];
        if (node.op == Op::Const)
            own = Constants::ofEach(copies, node.literal);
        if (node.op == Op::Reshape) {
            const NodeId from = node.operands[0];
            if (equivalent(types[from.index()], node.type))
                own = all[from.index()];
        }
        all.push_back(std::move(own));
    }
    return all;
}

std::vector<MaybeConstants> functionInputs(const Node& map, std::vector<MaybeConstants> operands) {
    const bool space = map.op == Op::MapS || map.op == Op::Map2S;
    for (MaybeConstants& constants : operands) {
        if (constants)
            constants =
                space ? constants->inSpace(map.params[0]) : constants->inTime(map.params[0]);
    }
    return operands;
}

} // namespace marquetry::spacetime
