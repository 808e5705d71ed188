#include "engine/banking/cost_terms.h"

#include "engine/banking/flat_maps.h"
#include "engine/banking/group_tables.h"
#include "engine/banking/lut_counts.h"
#include "engine/banking/truth_table.h"
#include "engine/device/lut6.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace marquetry::banking {

namespace {

std::string number(std::int64_t n) {
    return std::to_string(n);
}

bool isPower(std::int64_t n) {
    return (n & (n - 1)) == 0;
}

class Counting {
public:
    Counting(const AccessPattern& pattern, const Scheme& scheme, const HardwarePlan& plan,
             const device::Device& device)
        : pattern_(pattern),
          scheme_(scheme),
          plan_(plan),
          device_(device),
          offsetBits_(selectBits(scheme.depth)),
          written_(static_cast<std::size_t>(scheme.banks())) {
        for (const ir::FlatMap& map : scheme.maps)
            codeBits_ += selectBits(map.banks);
        findWritten();
        for (const GroupHardware& group : plan_.groups)
            tables_.push_back(group.tabulated ? groupTables(pattern_, scheme_, group, written_)
                                              : GroupTables());
        findReadPorts();
        findTwoWriters();
    }

    std::vector<SchemeCostTerm> count() {
        countBanks();
        countLastWriters();
        countReaders();
        for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
            if (plan_.groups[g].tabulated)
                countTables(plan_.groups[g], tables_[g]);
            else
                countRoutes(plan_.groups[g]);
        }
        countLoad();
        countLoops();
        std::vector<SchemeCostTerm> terms;
        for (const char* name : kCostTerms) {
            const auto term = terms_.find(name);
            if (term == terms_.end() || term->second.resources == device::Resources{})
                continue;
            terms.push_back(term->second);
        }
        return terms;
    }

private:
    using PortKey = GroupTables::PortKey;
    using FanIn = std::map<std::pair<std::int64_t, std::size_t>, std::int64_t>;

    void add(const std::string& name, const std::string& formula,
             const device::Resources& resources) {
        if (resources == device::Resources{})
            return;
        SchemeCostTerm& term = terms_[name];
        term.name = name;
        term.formula += (term.formula.empty() ? "" : "; ") + formula;
        term.resources += resources;
    }

    void addLuts(const std::string& name, const std::string& formula, std::int64_t luts,
                 std::int64_t registers = 0) {
        add(name,
            formula + " = " + number(luts) + " LUT" +
                (registers > 0 ? ", " + number(registers) + " FF" : ""),
            {0, static_cast<double>(luts), static_cast<double>(registers), 0});
    }

    // --- banks

    /// Banks that nothing writes hold nothing.
    void findWritten() {
        const bool any = std::ranges::any_of(pattern_.groups, &Group::write);
        for (std::size_t b = 0; b < written_.size(); ++b) {
            written_[b] = !any;
            for (const GroupHardware& group : plan_.groups) {
                for (const LaneHardware& lane : group.lanes)
                    written_[b] = written_[b] || (lane.write && lane.banks[b]);
            }
        }
    }

    /// The ports that read, and the words that they ask for.
    void findReadPorts() {
        for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
            if (plan_.groups[g].lanes.front().write)
                continue;
            for (const auto& [at, port] : tables_[g].ports) {
                if (!written_[static_cast<std::size_t>(std::get<1>(at))])
                    continue;
                std::int64_t& words = readPorts_[at];
                words = std::max(words, wordsAsked(port.offsets));
            }
            if (plan_.groups[g].tabulated)
                continue;
            for (const auto& [bank, lanes] : fanIn(plan_.groups[g])) {
                for (int port = 0; port < std::min<std::int64_t>(lanes, pattern_.ports); ++port)
                    readPorts_[{bank.first, static_cast<std::int64_t>(bank.second), port}] =
                        scheme_.depth;
            }
        }
    }

    /// Banks that two lanes may write in one cycle.
    void findTwoWriters() {
        for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
            const GroupHardware& group = plan_.groups[g];
            if (!group.lanes.front().write || pattern_.ports == 1)
                continue;
            for (const auto& [at, port] : tables_[g].ports) {
                if (std::get<2>(at) == 1)
                    twoWriters_.insert(std::get<1>(at));
            }
            if (group.tabulated)
                continue;
            for (const auto& [bank, lanes] : fanIn(group)) {
                if (lanes > 1)
                    twoWriters_.insert(static_cast<std::int64_t>(bank.second));
            }
        }
    }

    std::int64_t memoriesOf(const PortKey& readPort) const {
        return twoWriters_.contains(std::get<1>(readPort)) ? 2 : 1;
    }

    /// Rows of LUT RAM that no address reaches are left out.
    std::int64_t wordsAsked(const std::vector<std::int64_t>& offsets) const {
        const std::int64_t row = lutRow(scheme_.depth);
        std::set<std::int64_t> rows;
        for (const std::int64_t offset : offsets) {
            if (offset != kAnyValue)
                rows.insert(offset / row);
        }
        return std::min(scheme_.depth, row * std::ssize(rows));
    }

    void countBanks() {
        std::map<std::int64_t, std::int64_t> byWords;
        for (const auto& [at, words] : readPorts_)
            byWords[words] += memoriesOf(at);
        const auto bits = static_cast<std::int64_t>(pattern_.bits);
        if (plan_.blockRam) {
            std::int64_t count = 0;
            for (const auto& [at, words] : readPorts_)
                count += memoriesOf(at);
            const double blocks = device_.ramBlocks(scheme_.depth, bits);
            add("banks",
                number(count) + " memories of " + number(scheme_.depth) + " words x " +
                    number(bits) + " bits in " + device_.ramKind + ": " + number(count) + " x " +
                    blocksText(blocks) + " blocks",
                {0, 0, 0, static_cast<double>(count) * blocks});
            return;
        }
        for (const auto& [words, count] : byWords) {
            const device::Resources bank = lutBank(scheme_.depth, words, bits, device_);
            const bool registers = bank.ff > static_cast<double>(bits);
            add("banks",
                number(count) + " memories of " + number(words) + " words x " + number(bits) +
                    " bits in " + (registers ? "registers: " : "LUT RAM: ") + number(count) +
                    " x " + number(static_cast<std::int64_t>(bank.lut)) + " LUT",
                static_cast<double>(count) * bank);
        }
    }

    static std::string blocksText(double blocks) {
        std::string text = std::to_string(blocks);
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
        return text;
    }

    /// Lanes of the group per copy and bank that they see.
    FanIn fanIn(const GroupHardware& group) const {
        FanIn lanes;
        for (const LaneHardware& lane : group.lanes) {
            for (std::size_t b = 0; b < lane.banks.size(); ++b) {
                if (lane.banks[b] && written_[b])
                    ++lanes[{lane.copy, b}];
            }
        }
        return lanes;
    }

    void countLastWriters() {
        const auto banks = std::ssize(twoWriters_);
        if (banks == 0)
            return;
        const std::int64_t perPort = device::muxLuts(scheme_.depth) + pattern_.bits;
        std::int64_t ports = 0;
        for (const auto& [at, words] : readPorts_)
            ports += memoriesOf(at) - 1;
        addLuts("last writer",
                number(banks) + " banks x " + number(scheme_.depth) +
                    " words: 2 LUT and a register each, + " + number(ports) + " read ports x " +
                    number(perPort),
                banks * 2 * scheme_.depth + ports * perPort, banks * scheme_.depth + ports);
    }

    // --- readers

    void countReaders() {
        std::map<std::int64_t, std::int64_t> byChoices;
        for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
            for (const LaneHardware& lane : plan_.groups[g].lanes) {
                std::int64_t choices = 0;
                for (std::size_t b = 0; b < lane.banks.size(); ++b)
                    choices += lane.banks[b] && written_[b] ? pattern_.ports : 0;
                if (plan_.groups[g].tabulated)
                    choices = tables_[g].choices[lane.lane];
                if (!lane.write && choices > 1)
                    ++byChoices[choices];
            }
        }
        for (const auto& [choices, lanes] : byChoices)
            addLuts("read data",
                    number(lanes) + " readers x " + number(pattern_.bits) + " bits x " +
                        number(choices) + ":1",
                    lanes * pattern_.bits * device::muxLuts(choices), lanes * selectBits(choices));
    }

    // --- tables per bank

    void countTables(const GroupHardware& group, const GroupTables& tables) {
        const bool write = group.lanes.front().write;
        TableCount built(group.counterBits);
        std::int64_t luts = 0;
        std::int64_t data = 0;
        for (const auto& [at, port] : tables.ports) {
            luts += built.add(port.offsets, offsetBits_);
            const auto writers = static_cast<std::int64_t>(port.writers.size());
            if (!write)
                continue;
            luts += built.add(ranked(port.writer), selectBits(writers)) + 1;
            data += (pattern_.bits + 1) * device::muxLuts(writers) + 1;
        }
        for (std::size_t k = 0; k < tables.selects.size() && !write; ++k)
            luts += built.add(tables.selects[k], selectBits(tables.choices[k]));
        addLuts("bank tables",
                number(std::ssize(tables.ports)) + " bank ports and " +
                    number(std::ssize(group.lanes)) + " lanes from " + number(group.counterBits) +
                    " counter bits",
                luts);
        if (data > 0)
            addLuts("write data", number(std::ssize(tables.ports)) + " bank ports", data);
    }

    // --- an address per lane

    void countRoutes(const GroupHardware& group) {
        const bool write = group.lanes.front().write;
        std::int64_t routes = 0;
        std::int64_t luts = 0;
        std::int64_t data = 0;
        for (const auto& [bank, lanes] : fanIn(group)) {
            const std::int64_t used = std::min<std::int64_t>(lanes, pattern_.ports);
            routes += lanes;
            luts += used * offsetBits_ * joinLuts(lanes) +
                    lanes * ceilDiv(std::max<std::int64_t>(1, codeBits_ + 1), 6);
            if (used > 1) // who comes first, and who asks for another word
                luts += offsetBits_ * device::muxLuts(2 * lanes) + lanes * ceilDiv(offsetBits_, 3);
            if (write)
                data += used * (pattern_.bits * joinLuts(lanes) + 1);
        }
        addLuts("routing",
                number(routes) + " lanes to banks, " + number(offsetBits_) + " address bits", luts);
        if (data > 0)
            addLuts("write data", number(routes) + " lanes to banks", data);
        countLanes(group);
    }

    void countLanes(const GroupHardware& group) {
        if (isParity(scheme_.maps))
            return countParities(group);
        std::map<std::vector<std::vector<std::int64_t>>, std::int64_t> sets;
        for (const LaneHardware& lane : group.lanes) {
            if (lane.mode == AddressMode::Counted)
                ++sets[pattern_.lane(lane.group, lane.lane).matrix];
            else if (lane.mode == AddressMode::Decoded)
                addLuts("decoded addresses", "a lane", decodeLuts());
            else
                countLaneTable(lane);
        }
        const std::int64_t state = stateBits(scheme_);
        for (const auto& [matrix, lanes] : sets)
            addLuts("counted addresses",
                    number(state) + " state bits x (3 + " + number(lanes) + " lanes)",
                    state * (3 + lanes) + lanes * blockLuts(), state);
    }

    void countLaneTable(const LaneHardware& lane) {
        const std::size_t nest = pattern_.groups[lane.group].nest;
        const ir::MemoryLane& source = pattern_.lane(lane.group, lane.lane);
        const int inputs = bitsOf(lane.counters);
        std::vector<std::int64_t> banks(std::size_t{1} << inputs, kAnyValue);
        std::vector<std::int64_t> offsets = banks;
        forEachRow(lane.counters, pattern_.nests[nest],
                   [&](std::size_t row, const std::vector<std::int64_t>& point) {
                       const Address x = addressAt(source, point);
                       if (!isRunning(source, point) || !ir::isInside(x, pattern_.dims))
                           return;
                       banks[row] = scheme_.bank(x);
                       offsets[row] = scheme_.offset(x);
                   });
        TableCount& built = laneTables_.try_emplace(inputs, inputs).first->second;
        addLuts("lane tables", "bank and offset from " + number(inputs) + " counter bits",
                built.add(banks, selectBits(scheme_.banks())) + built.add(offsets, offsetBits_));
    }

    /// XORs of index bits; adders where the indices are no concatenation of counters.
    void countParities(const GroupHardware& group) {
        const std::int64_t xors = parityLuts(scheme_.maps);
        for (const LaneHardware& lane : group.lanes) {
            const ir::UnrolledNest& nest = pattern_.nests[pattern_.groups[lane.group].nest];
            if (lane.mode == AddressMode::Table)
                countLaneTable(lane);
            else if (lane.mode == AddressMode::Decoded)
                addLuts("decoded addresses", "XORs of a lane", xors);
            else
                addLuts("counted addresses", "indices and XORs of a lane",
                        xors + indexLuts(pattern_.lane(lane.group, lane.lane), nest));
        }
    }

    std::int64_t indexLuts(const ir::MemoryLane& lane, const ir::UnrolledNest& nest) const {
        std::int64_t luts = 0;
        for (std::size_t d = 0; d < pattern_.dims.size(); ++d)
            luts += sumLuts(lane, nest, d, selectBits(pattern_.dims[d]));
        return luts;
    }

    /// Bank and rank in the block out of a residue.
    std::int64_t blockLuts() const {
        std::int64_t luts = 0;
        for (const ir::FlatMap& map : scheme_.maps)
            luts += isPower(map.block) ? 0 : 2 * selectBits(map.banks * map.block);
        return luts;
    }

    /// Six bits of a coordinate at a time, through tables and modular sums.
    std::int64_t decodeLuts() const {
        std::int64_t luts = blockLuts();
        for (std::size_t d = 0; d < pattern_.dims.size(); ++d) {
            const std::int64_t pieces = ceilDiv(selectBits(pattern_.dims[d]), 6);
            for (const ir::FlatMap& map : scheme_.maps) {
                const std::int64_t modulus = map.banks * map.block;
                if (map.alpha[d] % modulus != 0)
                    luts += selectBits(modulus) * (isPower(modulus) ? 1 : 3 * pieces);
            }
            if (scheme_.boxes[d] == 1)
                continue;
            luts += isPower(scheme_.box[d])
                        ? 0
                        : 2 * pieces * (selectBits(scheme_.box[d]) + selectBits(scheme_.boxes[d]));
            luts += offsetBits_;
        }
        return luts;
    }

    // --- the rest

    void countLoad() {
        const bool written = std::ranges::any_of(pattern_.groups, &Group::write);
        if (!written && scheme_.banks() > 1)
            addLuts("load port", number(scheme_.banks()) + " enables",
                    scheme_.banks() * ceilDiv(selectBits(scheme_.banks()) + 1, 6));
    }

    void countLoops() {
        std::int64_t bits = 0;
        for (const ir::UnrolledNest& nest : pattern_.nests) {
            for (const ir::Generator& generator : nest.generators)
                bits += generator.unknown() ? 0 : selectBits(generator.trips);
        }
        addLuts("loop counters", number(bits) + " bits x 2", 2 * bits, bits);
    }

    const AccessPattern& pattern_;
    const Scheme& scheme_;
    const HardwarePlan& plan_;
    const device::Device& device_;
    std::int64_t offsetBits_;
    std::int64_t codeBits_ = 0;
    std::vector<bool> written_;
    std::vector<GroupTables> tables_;           ///< per group
    std::map<PortKey, std::int64_t> readPorts_; ///< words that each asks for
    std::set<std::int64_t> twoWriters_;
    std::map<std::string, SchemeCostTerm> terms_;
    std::map<int, TableCount> laneTables_; ///< by inputs: what is built already
};

} // namespace

std::vector<SchemeCostTerm> countTerms(const AccessPattern& pattern, const Scheme& scheme,
                                       const HardwarePlan& plan, const device::Device& device) {
    return Counting(pattern, scheme, plan, device).count();
}

} // namespace marquetry::banking
