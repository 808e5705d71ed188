#include "engine/session/held_item.h"

#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/support/files.h"
#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/limits.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <filesystem>

namespace marquetry::session {

namespace {

namespace fs = std::filesystem;
using HeldJson = nlohmann::ordered_json;

constexpr std::size_t kMostHeldBytes = std::size_t{256} << 20;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 31;
constexpr std::size_t kMostMaps = 64;

/// The first field that is not what it should be is the error.
class HeldReader {
public:
    HeldReader(std::string path, const HeldJson& json) : path_(std::move(path)), json_(json) {}

    Result<HeldItem> read(HeldParts parts) {
        const char* const kind = json_.contains("stream") ? "stream" : "memory";
        HeldItem held;
        held.item = text(json_, "program", "program");
        held.programFile = programFile();
        const HeldJson& chosen = json_[kind];
        if (!chosen.is_object())
            wrong(kind, &chosen, "an object");
        if (parts.device)
            held.device = device(chosen, std::string(kind) + ".device");
        if (parts.clocks && *kind == 's')
            readTiming(chosen, held);
        if (parts.scheme && *kind == 'm')
            readScheme(chosen, held.pins);
        if (status_)
            checkItem(held, *kind == 's');
        return status_ ? Result<HeldItem>(std::move(held)) : status_.error();
    }

private:
    struct Range {
        std::int64_t least = 0;
        std::int64_t most = kMostNumber;
    };

    static const HeldJson* member(const HeldJson& object, const char* name) {
        const auto found = object.is_object() ? object.find(name) : object.end();
        return found == object.end() ? nullptr : &*found;
    }

    void refuse(const std::string& what) {
        if (status_)
            status_ =
                makeError("design-form", inQuotes(path_) + ": " + what,
                          "export the item again: `marquetry export FILE --item NAME --out DIR`");
    }

    void wrong(const std::string& field, const HeldJson* value, const std::string& expected) {
        constexpr std::size_t kShown = 40;
        std::string shown =
            value ? printable(value->dump(-1, ' ', true, HeldJson::error_handler_t::replace)) : "";
        if (shown.size() > kShown)
            shown = shown.substr(0, kShown) + "…";
        refuse("\"" + field + "\"" + (value ? " is " + shown : " is missing") + ": expected " +
               expected);
    }

    std::string text(const HeldJson& object, const char* name, const std::string& field) {
        const HeldJson* const value = member(object, name);
        if (value && value->is_string() && !value->get_ref<const std::string&>().empty())
            return value->get<std::string>();
        wrong(field, value, "a text that is not empty");
        return {};
    }

    std::int64_t integer(const HeldJson* value, const std::string& field, Range range) {
        const bool whole = value && value->is_number_integer();
        const bool huge = value && value->is_number_unsigned() &&
                          value->get<std::uint64_t>() > static_cast<std::uint64_t>(range.most);
        const std::int64_t is = whole && !huge ? value->get<std::int64_t>() : range.least - 1;
        if (is >= range.least && is <= range.most)
            return is;
        wrong(field, value,
              "an integer from " + std::to_string(range.least) + " to " +
                  std::to_string(range.most));
        return range.least;
    }

    std::int64_t number(const HeldJson& object, const char* name, const std::string& of,
                        Range range) {
        return integer(member(object, name), of + name, range);
    }

    std::string programFile() {
        const std::string named = text(json_, "program_file", "program_file");
        const fs::path program = fs::path(path_).parent_path() / named;
        std::error_code ignored;
        if (status_ && !fs::is_regular_file(program, ignored))
            status_ = makeError("file-missing",
                                inQuotes(path_) + ": \"program_file\" names " + inQuotes(named) +
                                    ", and there is no file " + inQuotes(program.string()),
                                "keep the export's folder as it is, or export the item again");
        return program.string();
    }

    /// None is named by exports of early versions.
    std::string device(const HeldJson& chosen, const std::string& field) {
        const HeldJson* const named = member(chosen, "device");
        if (!named || *named == "")
            return {};
        const std::string id = text(chosen, "device", field);
        if (status_ && std::ranges::count(device::shippedDevices(), id, &device::Device::id) == 0)
            refuse("\"" + field + "\" is " + inQuotes(id) +
                   ": expected the id of a device that is shipped; name a file of a device with "
                   "`--device`");
        return id;
    }

    void readTiming(const HeldJson& stream, HeldItem& held) {
        held.clocks = number(stream, "clocks", "stream.", {1, kMaxStreamClocks});
        if (stream.is_object() && stream.contains("output_type"))
            held.outputType = text(stream, "output_type", "stream.output_type");
    }

    void readScheme(const HeldJson& memory, banking::SchemePins& pins) {
        pins.copies = number(memory, "copies", "memory.", {1, kMaxArrayCopies});
        const HeldJson* const maps = member(memory, "maps");
        if (!maps || !maps->is_array() || maps->empty() || maps->size() > kMostMaps)
            return wrong("memory.maps", maps,
                         "a list of 1 to " + std::to_string(kMostMaps) + " maps");
        std::int64_t banks = 1;
        for (std::size_t k = 0; k < maps->size() && status_; ++k) {
            const std::string of = "memory.maps[" + std::to_string(k) + "]";
            pins.maps.push_back(map((*maps)[k], of));
            if (pins.maps.back().form != pins.maps[0].form)
                wrong(of, &(*maps)[k], "a map of the same kind as the first");
            banks *= pins.maps.back().banks;
            if (banks > kMaxBanks)
                wrong(of + ".N", member((*maps)[k], "N"),
                      "at most " + std::to_string(kMaxBanks) + " banks in all maps together");
        }
    }

    ir::FlatMap map(const HeldJson& json, const std::string& of) {
        ir::FlatMap made;
        if (!json.is_object())
            wrong(of, &json, "an object with N, B and alpha");
        if (json.is_object() && json.contains("xor"))
            return parity(json["xor"], of);
        made.banks = number(json, "N", of + ".", {1, kMaxBanks});
        made.block = number(json, "B", of + ".", {1, kMostNumber / made.banks});
        const HeldJson* const alpha = member(json, "alpha");
        if (!alpha || !alpha->is_array() || alpha->empty()) {
            wrong(of + ".alpha", alpha, "a list of one integer for each dimension of the array");
            return made;
        }
        bool anywhere = made.banks == 1; // then there is one bank, wherever alpha leads
        for (std::size_t d = 0; d < alpha->size() && status_; ++d) {
            const std::string at = of + ".alpha[" + std::to_string(d) + "]";
            made.alpha.push_back(integer(&(*alpha)[d], at, {0, kMostNumber}));
            anywhere |= made.alpha.back() % (made.banks * made.block) != 0;
        }
        if (!anywhere)
            wrong(of + ".alpha", alpha,
                  "a number that is no multiple of N times B, or all words are in one bank");
        return made;
    }

    ir::FlatMap parity(const HeldJson& masks, const std::string& of) {
        ir::FlatMap made = ir::parityMap({});
        bool anywhere = false;
        for (std::size_t d = 0; masks.is_array() && d < masks.size() && status_; ++d) {
            const std::string at = of + ".xor[" + std::to_string(d) + "]";
            made.alpha.push_back(integer(&masks[d], at, {0, kMostNumber}));
            anywhere |= made.alpha.back() != 0;
        }
        if (!anywhere && status_)
            wrong(of + ".xor", &masks,
                  "a list of one mask for each dimension of the array, one of them not 0");
        return made;
    }

    /// Against the program; one with errors is refused by whoever opens it.
    void checkItem(const HeldItem& held, bool stream) {
        const auto parsed = frontend::parseFile(held.programFile);
        if (!parsed)
            return;
        const auto memory =
            std::ranges::find(parsed->memories, held.item, &ir::MemoryProgram::name);
        const bool known =
            stream ? std::ranges::count(parsed->streams, held.item, &ir::StreamProgram::name) > 0
                   : memory != parsed->memories.end();
        if (!known)
            return refuse("\"program\" is " + inQuotes(held.item) + ": expected a " +
                          (stream ? "stream" : "memory") + " of " + inQuotes(held.programFile));
        if (!stream)
            checkRank(held.pins, memory->type.dims.size());
    }

    void checkRank(const banking::SchemePins& pins, std::size_t rank) {
        for (std::size_t k = 0; k < pins.maps.size(); ++k)
            if (const std::size_t size = pins.maps[k].alpha.size(); size != rank)
                refuse("\"memory.maps[" + std::to_string(k) + "].alpha\" has " +
                       std::to_string(size) + " numbers: expected " + std::to_string(rank) +
                       ", one for each dimension of the array");
    }

    std::string path_;
    const HeldJson& json_;
    Status status_ = ok();
};

} // namespace

Result<std::optional<HeldItem>> readHeldItem(const std::string& path, HeldParts parts) {
    const auto text = files::read(path, kMostHeldBytes);
    if (!text)
        return std::optional<HeldItem>();
    const HeldJson json = parsedJson(*text);
    if (!json.is_object() || json.contains("design") ||
        !(json.contains("stream") || json.contains("memory")))
        return std::optional<HeldItem>();
    auto held = HeldReader(path, json).read(parts);
    if (!held)
        return held.error();
    return std::optional(*std::move(held));
}

} // namespace marquetry::session
