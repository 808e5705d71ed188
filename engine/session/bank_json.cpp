#include "engine/session/bank_json.h"

#include "engine/banking/witness.h"

namespace marquetry::session {

namespace {

using Json = nlohmann::ordered_json;

Json mapsJson(const banking::Scheme& scheme) {
    Json maps = Json::array();
    for (const ir::FlatMap& map : scheme.maps) {
        if (map.form == ir::MapForm::Parity)
            maps.push_back({{"xor", map.alpha}});
        else
            maps.push_back({{"alpha", map.alpha}, {"B", map.block}, {"N", map.banks}});
    }
    return maps;
}

Json areaJson(const device::Resources& resources) {
    return {{"dsp", resources.dsp},
            {"lut", resources.lut},
            {"ff", resources.ff},
            {"bram", resources.bram}};
}

Json lanesJson(const banking::AccessPattern& pattern, const banking::PricedScheme& chosen) {
    Json lanes = Json::array();
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        for (std::size_t k = 0; k < pattern.groups[g].lanes.size(); ++k) {
            Json lane = {{"access", pattern.laneText(g, k)},
                         {"banks_seen", chosen.cost.banksSeen[g][k]},
                         {"kind", pattern.groups[g].write ? "write" : "read"},
                         {"loop", pattern.groups[g].nest}};
            if (!chosen.scheme.copyOf.empty() && !pattern.groups[g].write)
                lane["copy"] = chosen.scheme.copyOf[g][k];
            if (pattern.groups[g].broadcasts[k] > 0)
                lane["broadcast_to"] = pattern.groups[g].broadcasts[k];
            lanes.push_back(std::move(lane));
        }
    }
    return lanes;
}

Json iterationJson(const banking::AccessPattern& pattern, const banking::Witness& witness) {
    const std::size_t nest = pattern.groups[witness.group].nest;
    Json iteration = Json::object();
    for (std::size_t g = 0; g < witness.iteration.size(); ++g) {
        const ir::Generator& generator = pattern.nests[nest].generators[g];
        if (concerns(witness, pattern, g))
            iteration[generator.name] = generator.valueAt(witness.iteration[g]);
    }
    return iteration;
}

/// Lanes as in "lanes": counted over all groups.
Json rejectedJson(const banking::AccessPattern& pattern, const banking::Rejected& rejected) {
    std::size_t before = 0;
    for (std::size_t g = 0; g < rejected.witness.group; ++g)
        before += pattern.groups[g].lanes.size();
    Json lanes = Json::array();
    for (const std::size_t lane : rejected.witness.lanes)
        lanes.push_back(before + lane);
    return {{"scheme", rejected.scheme.text()},
            {"why",
             {{"lanes", lanes},
              {"iteration", iterationJson(pattern, rejected.witness)},
              {"bank", rejected.witness.bank},
              {"text", text(rejected.witness, pattern)}}}};
}

Json dephasingJson(const banking::Dephasing& dephasing) {
    Json edits = Json::array();
    for (const banking::Edit& edit : dephasing.edits)
        edits.push_back({{"replace", edit.from}, {"by", edit.to}});
    return {{"cause", dephasing.cause},
            {"bound", dephasing.bound},
            {"iterator", dephasing.iterator},
            {"lanes", dephasing.lanes},
            {"edits", edits}};
}

Json groupsJson(const banking::AccessPattern& pattern) {
    Json groups = Json::array();
    for (const banking::Group& group : pattern.groups) {
        groups.push_back({{"loop", group.nest},
                          {"kind", group.write ? "write" : "read"},
                          {"accesses", group.lanes.size()},
                          {"why", group.why},
                          {"dephased", Json::array()}});
        for (const banking::Dephasing& dephasing : group.dephasings)
            groups.back()["dephased"].push_back(dephasingJson(dephasing));
    }
    return groups;
}

Json frontJson(const banking::Plan& plan) {
    Json front = Json::array();
    for (const banking::PricedScheme& priced : plan.front)
        front.push_back({{"scheme", priced.scheme.text()},
                         {"banks", priced.scheme.banks()},
                         {"copies", priced.scheme.copies},
                         {"maps", mapsJson(priced.scheme)},
                         {"words", priced.scheme.words},
                         {"resources", areaJson(priced.cost.total)}});
    return front;
}

void addProof(const banking::SearchResult& found, Json& report) {
    report["lower_bound"] = found.bound.banks;
    report["lower_bound_by"] = banking::toString(found.bound.by);
    report["lower_bound_addresses"] = found.bound.addresses;
    report["proved_minimal"] = found.proved();
    report["proved_among"] = banking::provedAmong(found);
    report["proof"] = banking::proofName(found);
    if (found.minimal)
        report["minimal"] = {{"scheme", found.minimal->text()}, {"maps", mapsJson(*found.minimal)}};
}

} // namespace

Json bankJson(const ir::MemoryProgram& memory, const banking::AccessPattern& pattern,
              const banking::Plan& plan, const banking::PricedScheme& chosen,
              const device::Device& device) {
    Json report;
    report["memory"] = memory.name;
    report["array"] = memory.array;
    report["dims"] = memory.type.dims;
    report["ports"] = memory.ports;
    report["min_banks"] = plan.found.minBanks;
    report["banks"] = chosen.scheme.banks();
    report["copies"] = chosen.scheme.copies;
    report["kind"] = toString(chosen.scheme.kind());
    report["maps"] = mapsJson(chosen.scheme);
    report["box"] = chosen.scheme.box;
    report["depth"] = chosen.scheme.depth;
    report["words"] = chosen.scheme.words;
    report["padding"] = chosen.scheme.padding;
    report["dark"] = chosen.scheme.dark;
    addProof(plan.found, report);
    report["groups"] = groupsJson(pattern);
    report["lanes"] = lanesJson(pattern, chosen);
    report["rejected"] = Json::array();
    for (const banking::Rejected& rejected : plan.rejected)
        report["rejected"].push_back(rejectedJson(pattern, rejected));
    report["device"] = device.id;
    report["resources"] = areaJson(chosen.cost.total);
    report["cost"] = Json::array();
    for (const banking::SchemeCostTerm& term : chosen.cost.terms)
        report["cost"].push_back({{"term", term.name},
                                  {"formula", term.formula},
                                  {"resources", areaJson(term.resources)}});
    report["front"] = frontJson(plan);
    report["stop"] = toString(plan.found.outcome);
    report["tests"] = plan.found.tests;
    return report;
}

} // namespace marquetry::session
