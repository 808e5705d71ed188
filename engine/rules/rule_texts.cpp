#include "engine/rules/rule_texts.h"

#include "engine/rules/catalog.h"
#include "engine/rules/lanes.h"

#include <algorithm>

namespace marquetry::rules {

namespace {

std::string call(Skeleton skeleton, const std::string& params) {
    return std::string(info(skeleton).name) + "[" + params + "]";
}

void addParallelism(std::vector<RuleText>& texts) {
    texts.push_back({"R-HALVE-PARALLELISM", "parallelism",
                     "ParallelDot[P](a, b) = ParallelDot[⌊P/2⌋](a, b)", "P > 1; not under cycles",
                     "SkeleShare Fig. 10"});
    texts.push_back({"R-HALVE-PARALLELISM-PARTIAL", "parallelism",
                     "ParallelPartialDot[P, C](a, b) = ParallelPartialDot[⌊P/2⌋, C](a, b)",
                     "P > 1; not under cycles", "SkeleShare Fig. 10 on the leaf of Fig. 9"});
    const std::string useful = "Q is a number of rows at once that is of use for a call of the "
                               "program (the fewest for a number of blocks, and those rounded up "
                               "to a power of two), at most M rounded up so; under cycles";
    texts.push_back({"R-OTHER-PARALLELISM", "parallelism",
                     "ParallelDot[P](a, b) = ParallelDot[Q](a, b)", useful,
                     "R-HALVE-PARALLELISM for hardware of any P"});
    texts.push_back({"R-OTHER-PARALLELISM-PARTIAL", "parallelism",
                     "ParallelPartialDot[P, C](a, b) = ParallelPartialDot[Q, C](a, b)",
                     "as R-OTHER-PARALLELISM",
                     "R-HALVE-PARALLELISM-PARTIAL for hardware of any P"});
    for (std::size_t k = 0; k < kSkeletonCount; ++k) {
        const auto loop = static_cast<Skeleton>(k);
        if (const auto par = inParallel(loop))
            texts.push_back({std::string("R-FOR-TO-PAR-") + info(loop).name, "parallelism",
                             call(loop, "t, n") + "(U) = " + call(*par, "t, n") + "(U)",
                             "none: bodies are closed functions",
                             isReduction(info(loop).role)
                                 ? "EngineIR R2, ForR → ParR; not under the published costs"
                                 : "EngineIR R2 (Fig. 2); not under the published costs"});
    }
}

void addUnitRules(std::vector<RuleText>& texts) {
    for (const auto& rules :
         {tilingRules(), paddingRules(), conversionRules(), partialRules(Policy::Published)})
        for (const UnitRule& rule : rules)
            texts.push_back({rule.name, rule.group, rule.equation, rule.condition, rule.source});
}

void addSplits(std::vector<RuleText>& texts) {
    const std::vector<Skeleton> loops = splitLoops();
    for (Skeleton loop : loops)
        texts.push_back(
            {std::string("R-SPLIT-") + info(loop).name, "tiling",
             call(loop, "t, w") + "(U) = " + call(loop, "m, w") + "(" + call(loop, "t, m") + "(U))",
             "t divides m, m divides w, both loops are ones the tiling rule makes",
             "EngineIR R2-split; not under the published costs"});
    for (Skeleton outer : loops)
        for (Skeleton inner : loops)
            if (interchanges(outer, inner))
                texts.push_back(
                    {std::string("R-INTERCHANGE-") + info(outer).name + "-" + info(inner).name,
                     "tiling",
                     call(outer, "a") + "(" + call(inner, "b") + "(U)) = " + call(inner, "b") +
                         "(" + call(outer, "a") + "(U))",
                     "different axes", "EngineIR R2-icx; not under the published costs"});
}

void addStorage(std::vector<RuleText>& texts) {
    const auto add = [&](const char* kind, const char* buffer, const std::string& condition,
                         const char* source) {
        texts.push_back({std::string("R-STORE-") + kind, "storage",
                         std::string("buf[bram](v) = buf[") + buffer + "](v)", condition, source});
    };
    add("EXTERNAL", "external", "v is a weight, and the device has an external memory",
        "EngineIR R5-kind; SkeleShare keeps all weights outside");
    add("REGISTER", "register", "at most " + std::to_string(kMaxRegisterBits) + " bits",
        "EngineIR R5-kind; not under the published costs");
    add("LUTRAM", "lutram", "at most " + std::to_string(kMaxLutRamBits) + " bits",
        "EngineIR R5-kind; not under the published costs");
    add("STREAM", "stream", "one reader, which takes the elements in the order they are made in",
        "EngineIR R5-stream; not under the published costs");
}

void addFusion(std::vector<RuleText>& texts) {
    texts.push_back(
        {"R3-FUSE", "fusion", "call(pass G, buf(call(F, s))) = call(F with G at write-back, s)",
         "nothing else reads what F makes; in the order bias, requant, activation, add, "
         "pool, requant, activation (relu, leaky, clip and tables are activations, qadd "
         "is an add); windows of a pool side by side",
         "EngineIR R3-fuse, made when a program is lowered: it always saves a pass and "
         "a buffer",
         true});
    texts.push_back({"R3-SEQ", "overlap",
                     "call(V, w2, buf(call(U, w1, s))) = call(Seq(U, V), w1, s, w2)",
                     "nothing else reads what U makes; needs fusion too; not under the published "
                     "costs",
                     "EngineIR R3-fuse across two units: the second starts while the first works "
                     "(`engine/design/join.h`)"});
}

void addStreams(std::vector<RuleText>& texts) {
    texts.push_back({"R-STREAM", "streams", "call(U, buf(w), s) = call(Stream[layer, 1/n], s)",
                     "a convolution of 8-bit operands by a weight of the program, at most " +
                         std::to_string(ir::kMaxStreamProducts) +
                         " products per pixel of at most " + std::to_string(ir::kMaxStreamWindow) +
                         " elements, nothing added at its write-back, pixels in and out of one "
                         "word; n ≤ " +
                         std::to_string(kMaxStreamInterval) +
                         "; not under the published costs, and not in runs of several frames",
                     "Aetherling §2: line buffers and a statically scheduled kernel "
                     "(`engine/ir/conv_stream.h`)"});
}

void addGrouping(std::vector<RuleText>& texts) {
    texts.push_back(
        {"R-GROUP", "grouping", "call(lane unit, buf(w), s) = call(Conv[…](U), buf(w), s)",
         "a depth-wise convolution of at most " + std::to_string(kMostGroupedChannels) +
             " channels by a weight of the program is one in as many groups, made when "
             "a program is lowered, in e-graphs of their own; not under the published "
             "costs",
         "a depth-wise convolution is a convolution whose groups are its channels", true});
}

} // namespace

const std::vector<RuleText>& ruleTexts() {
    static const std::vector<RuleText> all = [] {
        std::vector<RuleText> texts;
        addParallelism(texts);
        addUnitRules(texts);
        addSplits(texts);
        addFusion(texts);
        addStorage(texts);
        addStreams(texts);
        addGrouping(texts);
        return texts;
    }();
    return all;
}

const RuleText* ruleText(std::string_view name) {
    const auto found = std::ranges::find(ruleTexts(), name, &RuleText::name);
    return found == ruleTexts().end() ? nullptr : &*found;
}

} // namespace marquetry::rules
