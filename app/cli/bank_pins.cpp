#include "app/cli/bank_pins.h"

#include "engine/support/text_stream.h"

#include <charconv>

namespace marquetry::cli {

namespace {

constexpr std::int64_t kMostCopies = 64;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 31;

/// "9,1,3,2": N, B and one alpha per dimension; "xor,36,1": one mask per dimension.
Result<ir::FlatMap> parseMap(const std::string& text, std::size_t rank) {
    std::vector<std::int64_t> numbers;
    constexpr std::string_view kXor = "xor,";
    const bool parity = text.starts_with(kXor);
    TextIn in(parity ? text.substr(kXor.size()) : text);
    for (std::string part; std::getline(in, part, ',');) {
        std::int64_t number = -1;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error != std::errc() || end != part.data() + part.size() || number < 0 ||
            number > kMostNumber)
            return makeError("option-value", "--map " + text + ": '" + part + "' is no number",
                             "write N,B and one alpha per dimension: --map 9,1,3,2; or xor and one "
                             "mask per dimension: --map xor,3,1");
        numbers.push_back(number);
    }
    if (parity && numbers.size() == rank)
        return ir::parityMap(std::move(numbers));
    if (parity)
        return makeError("option-value",
                         "--map " + text + " has " + std::to_string(numbers.size()) +
                             " masks, the array " + std::to_string(rank) + " dimensions",
                         "write one mask per dimension, and --map once per bit of the bank");
    if (numbers.size() != rank + 2 || numbers[0] < 1 || numbers[1] < 1 ||
        numbers[1] > kMostNumber / numbers[0])
        return makeError("option-value",
                         "--map " + text + " is no map of " + std::to_string(rank) +
                             " dimensions: N and B of at least 1, then one alpha for each",
                         "for example --map 9,1,3,2");
    return ir::FlatMap{{numbers.begin() + 2, numbers.end()}, numbers[1], numbers[0]};
}

} // namespace

Result<banking::SchemePins> pinsOf(const BankPinOptions& options, std::size_t rank) {
    banking::SchemePins pins = options.pins;
    pins.kind = banking::kindNamed(options.kind);
    for (const std::string& text : options.maps) {
        const auto map = parseMap(text, rank);
        if (!map)
            return map.error();
        pins.maps.push_back(*map);
        if (pins.maps.back().form != pins.maps[0].form)
            return makeError("option-value", "--map " + text +
                                                 ": a scheme of masks has no other "
                                                 "maps");
    }
    if (!pins.alpha.empty() && pins.alpha.size() != rank)
        return makeError("option-value", "--alpha has " + std::to_string(pins.alpha.size()) +
                                             " numbers, the array " + std::to_string(rank) +
                                             " dimensions");
    return pins;
}

void addBankPinOptions(CLI::App& command, BankPinOptions& options, const std::string& of) {
    command.add_option("--kind", options.kind, of + "pin: flat, hierarchical, lattice or xor")
        ->check(CLI::IsMember({"flat", "hierarchical", "lattice", "xor"}));
    command.add_option("--banks", options.pins.banks, of + "pin: N banks per copy")
        ->check(CLI::Range(std::int64_t{1}, banking::SearchParams().maxBanks));
    command.add_option("--block", options.pins.block, of + "pin: block B of every map")
        ->check(CLI::Range(std::int64_t{1}, kMostNumber));
    command.add_option("--alpha", options.pins.alpha, of + "pin: alpha of a flat map, a1,a2,…")
        ->delimiter(',')
        ->check(CLI::Range(std::int64_t{0}, kMostNumber));
    command.add_option("--copies", options.pins.copies, of + "pin: copies of the array")
        ->check(CLI::Range(std::int64_t{1}, kMostCopies));
    command
        .add_option("--map", options.maps,
                    of + "pin: the scheme itself, N,B,a1,a2,… per map, or xor,m1,m2,… per bit")
        ->allow_extra_args(false);
}

} // namespace marquetry::cli
