// The banks of a memory and the routes between them and the lanes. Internal to the generator of
// banked memories. Thread rule: one owner.
#pragma once

#include "engine/lower_memory/banked_address.h"

#include <optional>
#include <set>

namespace marquetry::hdl {

class Crossbar {
public:
    Crossbar(const BankedMemory& memory, rtl::Module& module)
        : memory_(memory), module_(module), logic_(module), addresses_(memory, ports_, logic_) {}

    /// Ports and items of the memory's module.
    void write();

private:
    /// Something that uses a port of a bank: `when` is one bit.
    struct Drive {
        Expr when;
        Expr offset;
        Expr data; ///< of writers
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
        Expr select;
        std::vector<std::optional<BankPort>> choices;
    };

    void tabulate(const banking::GroupHardware& group);
    void tabulateReads(const banking::GroupHardware& group, const banking::BankTable& table,
                       const Expr& counters);
    void tabulatePort(const BankPort& at, std::size_t group,
                      const std::vector<std::pair<std::size_t, std::size_t>>& hits,
                      const banking::BankTable& table, const Expr& counters);
    void route(const banking::GroupHardware& group);
    LaneAddress reached(const banking::LaneHardware& lane);
    void routePort(const BankPort& bank, const std::vector<banking::LaneHardware>& group,
                   const std::vector<std::size_t>& lanes, const std::vector<Expr>& hits,
                   const std::vector<LaneAddress>& addresses);
    void routeReaders(const banking::GroupHardware& group,
                      const std::vector<LaneAddress>& addresses);
    void loadPort();
    void writeBanks();
    void writeBank(std::int64_t copy, std::int64_t bank);
    Expr lastWriter(const BankPort& at);
    Drive merged(const std::vector<Drive>& drives);
    void writeReaders();

    void writeChecks();
    /// Where a lane must go, from its coordinates.
    struct Reference {
        Expr happens, word, bank, offset;
    };
    Reference writeReference(const BankedLane& lane, int width);
    void writeModularReference(const BankedLane& lane, const std::vector<Expr>& at, int width,
                               Reference& reference);
    void writeParityReference(const std::vector<Expr>& at, int width, Reference& reference);
    Expr referenceAt(const BankedLane& lane, std::size_t dim, int width);
    Expr quotient(const Expr& of, std::int64_t bound,
                  const std::function<std::int64_t(std::int64_t)>& value, const Expr& division);
    Expr writeConflict(std::size_t group, int width,
                       const std::map<std::string, Reference>& references);
    Expr routeCheck(const BankedLane& lane, int width, const Reference& reference);
    void assertAll(const std::map<std::string, Reference>& references,
                   const std::vector<Expr>& conflicts, int width);

    const BankedLane& laneOf(const banking::LaneHardware& lane) const;
    const Expr& stepOf(std::size_t group) const;
    bool gated(bool write) const;
    int addressBits() const;

    const BankedMemory& memory_;
    rtl::Module& module_;
    MemoryPorts ports_;
    Logic logic_;
    AddressLogic addresses_;
    rtl::ModulePtr words_;       ///< the memories of the banks
    rtl::ModulePtr lastWriters_; ///< which writer wrote their words; null until one is needed
    rtl::ModulePtr conflicts_;   ///< checks of groups; null until one is needed
    Expr reading_;               ///< some lane reads
    std::map<BankPort, std::vector<Drive>> reads_;
    std::map<BankPort, std::vector<Drive>> writes_; ///< copy 0 stands for all
    std::map<std::string, Route> routes_;           ///< by reader
    std::map<BankPort, Drive> readPorts_;           ///< merged
    std::map<BankPort, Drive> writePorts_;
    std::map<BankPort, Expr> q_; ///< what was read
    /// By reader or writer and bank: high when it is not on port 0.
    std::map<std::pair<std::string, std::int64_t>, Expr> late_;
};

} // namespace marquetry::hdl
