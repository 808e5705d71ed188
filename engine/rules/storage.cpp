// R-STORE-… (EngineIR R5-kind and R5-stream: background/engineir.md, "Rules and their conditions"):
// where a stored value is kept. A buffer is the identity, so every kind is equal; the side
// conditions say where one is possible.
//
//   external   weights, with a memory outside: activations stay on chip between calls
//   register   at most kMaxRegisterBits
//   lutram     at most kMaxLutRamBits
//   stream     one reader, which takes the elements in the order in which they are made
//
// SkeleShare has external weights only, and so has the Published policy.
#include "engine/rules/catalog.h"

namespace marquetry::rules {

namespace {

bool mayLeaveTheChip(const StoredValue& value) {
    return value.weight;
}

bool fitsRegisters(const StoredValue& value) {
    return value.bits <= kMaxRegisterBits;
}

bool fitsLutRam(const StoredValue& value) {
    return value.bits <= kMaxLutRamBits;
}

bool streams(const StoredValue& value) {
    return value.streams;
}

egraph::Rewrite store(const TermLanguage& terms, const Menu& menu, const std::string& name,
                      egraph::OpId buffer, bool (*admits)(const StoredValue&)) {
    auto rule = egraph::makeRewrite(
        *terms.language,
        {name, "storage", "(buf:bram ?v)", "(" + terms.language->name(buffer) + " ?v)"}, {});
    ENGINE_ASSERT(rule.has_value(), "the rule's text is well formed");
    rule->condition = [stored = menu.stored, admits](const egraph::EGraph& egraph,
                                                     const egraph::Match& match) {
        for (egraph::ENodeId node : egraph.enodes(match.classes[0])) {
            const auto value = stored.find(egraph.op(node));
            if (value != stored.end() && admits(value->second))
                return true;
        }
        return false;
    };
    return *std::move(rule);
}

} // namespace

std::vector<egraph::Rewrite> storageRewrites(const TermLanguage& terms, const Menu& menu) {
    std::vector<egraph::Rewrite> rewrites;
    if (menu.externalMemory)
        rewrites.push_back(
            store(terms, menu, "R-STORE-EXTERNAL", terms.bufferExternal, mayLeaveTheChip));
    if (menu.policy == Policy::Published)
        return rewrites;
    rewrites.push_back(store(terms, menu, "R-STORE-REGISTER", terms.bufferRegister, fitsRegisters));
    rewrites.push_back(store(terms, menu, "R-STORE-LUTRAM", terms.bufferLutRam, fitsLutRam));
    rewrites.push_back(store(terms, menu, "R-STORE-STREAM", terms.bufferStream, streams));
    return rewrites;
}

} // namespace marquetry::rules
