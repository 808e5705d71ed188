#include "engine/session/streams.h"

#include "engine/spacetime/delay.h"
#include "engine/spacetime/scan_node.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <algorithm>
#include <map>

namespace marquetry::session {

namespace {

/// The list of a circuit's operators, written once for each function.
class OperatorList {
public:
    std::vector<StreamOperator> list(const spacetime::Graph& circuit) && {
        add(circuit, "%", 0, 0);
        return std::move(operators_);
    }

private:
    /// The first input comes after `first` clocks.
    void add(const spacetime::Graph& graph, const std::string& prefix, int depth,
             std::int64_t first) {
        const auto types = spacetime::check(graph);
        const auto starts = spacetime::startsOf(graph, spacetime::DelayModel::Ours, first);
        ENGINE_ASSERT(types && starts, "a schedule is a circuit");
        std::vector<std::size_t> places;
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            const spacetime::Node& node = graph.nodes[k];
            places.push_back(operators_.size());
            StreamOperator made;
            made.name = prefix + std::to_string(k);
            made.text = toString(node) + literalText(node);
            made.type = (*types)[k];
            made.depth = depth;
            made.starts = (*starts)[k];
            made.isOutput = graph.output.index() == k;
            const bool isInput = node.op == spacetime::Op::Input;
            std::int64_t latest = isInput ? made.starts.value_or(0) : 0;
            for (const spacetime::NodeId operand : node.operands) {
                made.operands.push_back(places[operand.index()]);
                latest = std::max(latest, (*starts)[operand.index()].value_or(0));
            }
            made.delay = made.starts.value_or(latest) - latest;
            operators_.push_back(std::move(made));
            if (node.function)
                addFunction(node, places.back(), depth);
        }
    }

    void addFunction(const spacetime::Node& node, std::size_t place, int depth) {
        const std::string name = operators_[place].name;
        const auto [known, fresh] = functions_.try_emplace(node.function.get(), name);
        if (fresh)
            add(*node.function, name + ".", depth + 1, stateStart(node));
        else
            operators_[place].text += " (function of " + known->second + ")";
    }

    static std::int64_t stateStart(const spacetime::Node& node) {
        if (!isScan(node.op))
            return 0;
        const auto timing = stateTiming(*node.function, spacetime::DelayModel::Ours);
        ENGINE_ASSERT(timing.has_value(), "the function of a scan has its delays matched");
        return timing->start;
    }

    static std::string literalText(const spacetime::Node& node) {
        constexpr std::size_t kShown = 9;
        std::string text;
        for (std::size_t k = 0; k < std::min(kShown, node.literal.size()); ++k)
            text += (k == 0 ? " [" : ", ") + std::to_string(node.literal[k]);
        const bool more = node.literal.size() > kShown;
        return text + (more ? ", …]" : text.empty() ? "" : "]");
    }

    std::vector<StreamOperator> operators_;
    std::map<const spacetime::Graph*, std::string> functions_;
};

} // namespace

std::vector<StreamOperator> operatorsOf(const spacetime::Graph& circuit) {
    return OperatorList().list(circuit);
}

} // namespace marquetry::session
