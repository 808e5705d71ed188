// Buffers from the design to the hardware: what extraction prices, what the export says of it, what
// the Verilog holds and what a synthesiser makes of that are one and the same.
#include "engine/artefact/design_artefact.h"
#include "engine/cost/buffer_cost.h"
#include "engine/session/export_design.h"
#include "engine/support/json.h"
#include "tests/session/buffers/explored.h"
#include "tests/session/buffers/synthesised_cells.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <map>
#include <regex>

namespace marquetry::session {
namespace {

using Json = nlohmann::json;
using device::Resources;

/// One memory of a slot as the Verilog text has it.
struct Instance {
    int width = 0;
    int depth = 0;
    bool lutRam = false;
    int bank = 0; ///< whose write enable it has
    int low = 0;  ///< of the word's bits
};

/// A slot in the top: its module, and the parameters.
struct SlotInstance {
    std::string name;
    std::map<std::string, int> sizes;
};

class Exported {
public:
    Exported(const std::string& example, const std::string& device)
        : program_(parsedExample(example)), found_(exploredFor(program_, device)) {
        const auto text = test::readText(examplePath(example));
        const auto request = makeExportRequest(*found_.extraction.design, *program_, *text, {});
        EXPECT_TRUE(request) << (request ? "" : format(request.error()));
        const auto report = hdl::exportArtefact(hdl::designArtefact(*request), folder());
        EXPECT_TRUE(report) << (report ? "" : format(report.error()));
        design_ = Json::parse(*test::readText(folder() + "/DESIGN.json"));
        report_ = Json::parse(*test::readText(folder() + "/report.json"));
    }

    const design::Design& design() const { return *found_.extraction.design; }
    const Json& json() const { return design_; }
    const Json& report() const { return report_; }
    std::string folder() const { return place_ / "export"; }
    std::string rtl() const { return folder() + "/rtl"; }

    SlotInstance slotOf(const std::string& slot) const {
        const std::string text = *test::readText(rtl() + "/" + program_->name + "_top.v");
        const std::regex form(R"((\w+_slot)\s+#\(([^;]*?)\)\s+slot_)" + slot +
                              R"((_turn_0)?\s+\()");
        std::smatch parts;
        EXPECT_TRUE(std::regex_search(text, parts, form)) << slot;
        SlotInstance found{parts[1], {}};
        const std::string sizes = parts[2];
        static const std::regex size(R"(\.(\w+)\((\d+)\))");
        for (std::sregex_iterator it(sizes.begin(), sizes.end(), size), end; it != end; ++it)
            found.sizes[(*it)[1]] = std::stoi((*it)[2]);
        return found;
    }

    /// Modules of a slot: one for each of its turns.
    std::int64_t turnsOf(const std::string& slot) const {
        const std::string text = *test::readText(rtl() + "/" + program_->name + "_top.v");
        const std::regex turn(R"(\sslot_)" + slot + R"(_turn_\d+\s+\()");
        const std::sregex_iterator first(text.begin(), text.end(), turn);
        return std::max<std::int64_t>(1, std::distance(first, std::sregex_iterator()));
    }

    /// Of the registers that keep the words which units take of a slot.
    std::int64_t operandBitsOf(const std::string& slot) const {
        const std::string text = *test::readText(rtl() + "/" + program_->name + "_top.v");
        // Of many turns the words are still to be turned.
        const std::regex word(R"(reg\s+\[(\d+):0\] slot_)" + slot + R"((?:_word_\d+|_late);)");
        std::int64_t bits = 0;
        for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
            bits += std::stoll((*it)[1]) + 1;
        return bits;
    }

    /// The memories of a slot, or of one of its turns, as the loops of its module make them.
    std::vector<Instance> instancesOf(const std::string& slot) const {
        SlotInstance module = slotOf(slot);
        const std::string text = *test::readText(rtl() + "/" + module.name + ".v");
        static const std::regex memory(R"((\w+) #\(\.WIDTH\((\w+)\))");
        std::vector<std::pair<std::string, std::string>> kinds; // of memories, and how wide
        for (std::sregex_iterator it(text.begin(), text.end(), memory), end; it != end; ++it)
            kinds.emplace_back((*it)[1], (*it)[2]);
        std::map<std::string, int>& size = module.sizes;
        EXPECT_EQ(kinds.size(), size["REST"] > 0 ? 2U : 1U);
        // What the expansion below takes for granted.
        for (const char* const line :
             {"for (i = 0; i < BANKS; ", "for (j = 0; j < MEMORIES; ", ".we(we[i])"})
            EXPECT_NE(text.find(line), std::string::npos) << text;
        const int bankBits = size["MEMORIES"] * size["WIDTH"] + size["REST"];
        std::vector<Instance> instances;
        for (int bank = 0; bank < size["BANKS"]; ++bank) {
            int low = bank * bankBits;
            for (const auto& [name, width] : kinds)
                for (int k = 0; k < (width == "REST" ? 1 : size["MEMORIES"]); ++k) {
                    instances.push_back({size[width], size["DEPTH"], isLutRam(name), bank, low});
                    low += size[width];
                }
        }
        return instances;
    }

private:
    bool isLutRam(const std::string& memory) const {
        const std::string text = *test::readText(rtl() + "/" + memory + ".v");
        static const std::regex lut(R"re(ram_?style = "(distributed|MLAB)")re");
        static const std::regex block(R"re(ram_?style = "(block|block_ram|M20K)")re");
        const bool lutRam = std::regex_search(text, lut);
        EXPECT_NE(lutRam, std::regex_search(text, block)) << text;
        return lutRam;
    }

    std::shared_ptr<const ir::Program> program_;
    Exploration found_;
    test::TemporaryFolder place_;
    Json design_;
    Json report_;
};

const Json& named(const Json& list, const std::string& name) {
    const auto found =
        std::ranges::find_if(list, [&](const Json& item) { return item["name"] == name; });
    EXPECT_NE(found, list.end()) << name;
    return *found;
}

/// The bank of an element, by the definition of the form alone: floor(alpha · x / B) mod N of the
/// scheme's text, for words of some lanes.
std::int64_t bankOf(const std::string& scheme, std::int64_t lane) {
    static const std::regex form(R"(^flat N=(\d+) B=1 alpha=\(0, (\d+)\))"
                                 R"((, words of (\d+) elements)?$)");
    std::smatch parts;
    if (!std::regex_match(scheme, parts, form)) {
        ADD_FAILURE() << scheme;
        return -1;
    }
    const std::int64_t words = parts[4].matched ? std::stoll(parts[4]) : 1;
    return lane / words * std::stoll(parts[2]) % std::stoll(parts[1]);
}

void expectAgreement(const Exported& made, const design::DesignBuffer& buffer) {
    SCOPED_TRACE(buffer.name);
    const Json& priced = named(made.json()["design"]["buffers"], buffer.name);
    const Json& slot = named(made.json()["schedule"]["slots"], buffer.name);
    const Json& reported = named(made.report()["slots"], "slot_" + buffer.name);
    EXPECT_EQ(priced["scheme"], buffer.scheme);
    EXPECT_EQ(priced["banks"], buffer.banks);
    EXPECT_EQ(priced["memories"], buffer.memories);
    EXPECT_EQ(reported["banks"], buffer.banks);
    EXPECT_EQ(reported["memories"], buffer.memories);
    EXPECT_EQ(reported["kind"], priced["kind"]);
    const std::vector<Instance> instances = made.instancesOf(buffer.name);
    const std::int64_t turns = slot.value("turns", 1);
    EXPECT_EQ(made.turnsOf(buffer.name), turns);
    ASSERT_EQ(turns * static_cast<std::int64_t>(instances.size()), buffer.memories);
    const std::string prefix = turns == 1 ? "" : std::to_string(turns) + " turns of ";
    ASSERT_TRUE(buffer.scheme.starts_with(prefix)) << buffer.scheme;
    const std::string scheme = buffer.scheme.substr(prefix.size());
    // Every bit of a word lies in one memory, and in the bank that the scheme names.
    const auto bits = slot["element_bits"].get<std::int64_t>();
    std::map<std::int64_t, std::int64_t> bankOfBit;
    std::int64_t widest = 0;
    for (const Instance& instance : instances) {
        EXPECT_EQ(instance.depth, (buffer.words + turns - 1) / turns);
        EXPECT_EQ(instance.lutRam, buffer.kind == design::BufferKind::LutRam);
        widest = std::max<std::int64_t>(widest, instance.width);
        for (int bit = 0; bit < instance.width; ++bit)
            EXPECT_TRUE(bankOfBit.emplace(instance.low + bit, instance.bank).second);
    }
    EXPECT_EQ(widest, buffer.memoryBits);
    EXPECT_EQ(static_cast<std::int64_t>(bankOfBit.size()), buffer.width);
    std::set<std::int64_t> banks;
    for (const auto& [bit, bank] : bankOfBit) {
        EXPECT_EQ(bank, bankOf(scheme, bit / bits)) << "bit " << bit;
        banks.insert(bank);
    }
    EXPECT_EQ(turns * static_cast<std::int64_t>(banks.size()), buffer.banks);
}

TEST(BuiltAsPriced, SchemesAreTheSameInDesignExportAndVerilog) {
    std::set<design::BufferKind> kinds;
    std::set<std::int64_t> counts;
    for (const auto& [example, device] : std::vector<std::pair<std::string, std::string>>{
             {"lenet5/lenet5.mq", "xc7k160t"},
             {"lenet5/lenet5.mq", "arria10"},
             {"splits/relu128/relu128.mq", "lfe5u-85f"},
             {"vgg_cifar_block1/vgg_cifar_block1.mq", "lfe5u-85f"}}) {
        SCOPED_TRACE(example + " on " + device);
        const Exported made(example, device);
        for (const design::DesignBuffer& buffer : made.design().buffers) {
            if (buffer.weights)
                continue;
            expectAgreement(made, buffer);
            kinds.insert(buffer.kind);
            counts.insert(buffer.banks);
        }
    }
    EXPECT_EQ(kinds.size(), 2U) << "some buffers in block RAM, some in LUT RAM";
    EXPECT_GT(counts.size(), 1U) << "some in one bank, some in several";
}

/// Of a slot, or of one of its turns.
Resources synthesised(const Exported& made, const std::string& slot) {
    const SlotInstance module = made.slotOf(slot);
    std::string sizes;
    for (const auto& [name, value] : module.sizes)
        sizes += " -chparam " + name + " " + std::to_string(value);
    return synthesisedCells(made.rtl(), "read_verilog " + module.name + ".v " +
                                            made.json()["program"].get<std::string>() +
                                            "_*_memory.v; hierarchy -top " + module.name + sizes);
}

TEST(BuiltAsPriced, BlocksAreThoseThatSynthesisCounts) {
    const Exported made("lenet5/lenet5.mq", "xc7k160t");
    for (const design::DesignBuffer& buffer : made.design().buffers) {
        if (buffer.weights)
            continue;
        const std::int64_t turns = made.turnsOf(buffer.name);
        const Resources cells = static_cast<double>(turns) * synthesised(made, buffer.name);
        EXPECT_EQ(cells.bram, buffer.bram) << buffer.name;
        // What turns the words and where units take them from is no part of the modules.
        const double modules = buffer.lut - cost::turnLuts(turns, buffer.width);
        EXPECT_NEAR(cells.lut, modules, 0.2 * modules) << buffer.name;
        const double registers = buffer.ff - static_cast<double>(made.operandBitsOf(buffer.name));
        EXPECT_NEAR(cells.ff, registers, 0.2 * registers) << buffer.name;
        std::cout << buffer.name << ": " << buffer.words << " x " << buffer.width << " bits in "
                  << buffer.memories << " memories, block RAM " << cells.bram << ", LUT "
                  << buffer.lut << " predicted, " << cells.lut << " synthesised, FF " << buffer.ff
                  << " and " << cells.ff << "\n";
    }
}

} // namespace
} // namespace marquetry::session
