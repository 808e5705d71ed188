#include "engine/sweep/item.h"

#include "engine/algebra/join_outputs.h"
#include "engine/ir/printer.h"
#include "engine/session/design_file.h"
#include "engine/support/sha256.h"

namespace marquetry::sweep {

namespace {

using frontend::ItemKind;

/// A line for each node. Names are in it because messages say them, places in the file are not.
void describe(const ir::StreamGraph& graph, std::string& text) {
    const auto add = [&](std::int64_t number) { text += ' ' + std::to_string(number); };
    for (const ir::StreamNode& node : graph.nodes) {
        text += std::string(ir::info(node.op).name) + ' ' + node.name + ": " + toString(node.type);
        for (const ir::StreamNodeId operand : node.operands)
            add(operand.value());
        text += " |";
        for (const std::int64_t param : node.params)
            add(param);
        text += " |";
        for (const std::int64_t word : node.literal)
            add(word);
        if (node.function) {
            text += " {\n";
            describe(*node.function, text);
            text += '}';
        }
        text += '\n';
    }
    for (const ir::StreamNodeId input : graph.inputs)
        add(input.value());
    for (const ir::StreamOutput& output : graph.outputs)
        text += ' ' + output.name + ' ' + std::to_string(output.node.value());
    text += '\n';
}

} // namespace

ItemKind SweptItem::kind() const {
    return program.index() == 0 ? ItemKind::Design : ItemKind::Stream;
}

const std::string& SweptItem::name() const {
    return std::visit([](const auto& one) -> const std::string& { return one->name; }, program);
}

Result<SweptItem> itemOf(frontend::ParseResult parsed, const std::string& name) {
    if (!frontend::selectsStream(parsed, name)) {
        auto design = frontend::selectItem(std::move(parsed), name);
        if (!design)
            return design.error();
        return SweptItem{std::make_shared<const ir::Program>(*std::move(design))};
    }
    auto stream = frontend::selectStream(std::move(parsed), name);
    if (!stream)
        return stream.error();
    if (const auto joined = algebra::withJoinedOutputs(*stream); !joined)
        return joined.error();
    return SweptItem{std::make_shared<const ir::StreamProgram>(*std::move(stream))};
}

std::string hashOf(const SweptItem& item) {
    if (const auto* const design = std::get_if<0>(&item.program))
        return session::hashOf(**design);
    std::string text = "stream " + item.name() + '\n';
    describe(std::get<1>(item.program)->graph, text);
    return sha256(text);
}

} // namespace marquetry::sweep
