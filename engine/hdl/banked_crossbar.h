// The banks of a memory and the routes between them and the lanes. Internal to the generator of
// banked memories. Thread rule: one owner.
#pragma once

#include "engine/hdl/banked_address.h"

#include <optional>
#include <set>

namespace marquetry::hdl {

class Crossbar {
public:
    Crossbar(const BankedMemory& memory, Body& body)
        : memory_(memory), body_(body), logic_(body, "s"), addresses_(memory, logic_) {}

    /// Body text and ports of the memory's module.
    void write(std::vector<Port>& ports);

private:
    /// Something that uses a port of a bank: `when` is one bit.
    struct Drive {
        std::string when;
        Signal offset;
        std::string data; ///< of writers
    };
    /// A port of a bank of a copy.
    struct BankPort {
        std::int64_t copy = 0;
        std::int64_t bank = 0;
        int port = 0;
        auto operator<=>(const BankPort&) const = default;
    };
    /// Where the data of a reader comes from: choices[select].
    struct Route {
        Signal select;
        std::vector<std::optional<BankPort>> choices;
    };

    void addPorts(std::vector<Port>& ports) const;
    void tabulate(const banking::GroupHardware& group);
    void tabulateReads(const banking::GroupHardware& group, const banking::BankTable& table,
                       const Signal& counters);
    void tabulatePort(const BankPort& at, std::size_t group,
                      const std::vector<std::pair<std::size_t, std::size_t>>& hits,
                      const banking::BankTable& table, const Signal& counters);
    void route(const banking::GroupHardware& group);
    void routePort(const BankPort& bank, const std::vector<banking::LaneHardware>& group,
                   const std::vector<std::size_t>& lanes, const std::vector<std::string>& hits,
                   const std::vector<LaneAddress>& addresses);
    void routeReaders(const banking::GroupHardware& group,
                      const std::vector<LaneAddress>& addresses);
    void loadPort();
    void writeBanks();
    void writeBank(std::int64_t copy, std::int64_t bank);
    std::string lastWriter(std::int64_t copy, std::int64_t bank, int port);
    Drive merged(const std::vector<Drive>& drives);
    void writeReaders();
    void writeChecks();
    void writeReference(const BankedLane& lane, int width);
    std::string quotient(const Signal& of, std::int64_t bound,
                         const std::function<std::int64_t(std::int64_t)>& value,
                         const std::string& division);
    void writeConflict(std::size_t group, int width);
    std::vector<std::string> routeChecks(const BankedLane& lane, int width);

    const BankedLane& laneOf(const banking::LaneHardware& lane) const;
    std::string stepOf(std::size_t group) const;
    bool gated(bool write) const;
    int addressBits() const;
    std::string q(const BankPort& at) const;

    const BankedMemory& memory_;
    Body& body_;
    Logic logic_;
    AddressLogic addresses_;
    std::map<BankPort, std::vector<Drive>> reads_;
    std::map<BankPort, std::vector<Drive>> writes_; ///< copy 0 stands for all
    std::map<std::string, Route> routes_;           ///< by reader
    std::map<BankPort, Drive> readPorts_;           ///< merged
    std::map<BankPort, Drive> writePorts_;
    /// By reader or writer and bank: high when it is not on port 0.
    std::map<std::pair<std::string, std::int64_t>, std::string> late_;
    std::set<std::int64_t> lastWriters_; ///< banks whose bits are written
};

} // namespace marquetry::hdl
