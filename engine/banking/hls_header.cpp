#include "engine/banking/hls_header.h"

#include "engine/banking/flat_maps.h"
#include "engine/banking/hls_directives.h"
#include "engine/support/checked_math.h"
#include "engine/support/text_stream.h"

#include <bit>
#include <limits>

namespace marquetry::banking {

namespace {

class HeaderWriter {
public:
    HeaderWriter(const ir::MemoryProgram& memory, const AccessPattern& pattern,
                 const Scheme& scheme)
        : memory_(memory), pattern_(pattern), scheme_(scheme) {}

    std::string run() && {
        head();
        for (const HlsTool tool : {HlsTool::Vitis, HlsTool::Intel})
            directives(tool);
        limits();
        text_ << "#pragma once\n\nnamespace " << memory_.name << "_" << memory_.array
              << "_banks {\n\n";
        constant("kCopies", scheme_.copies);
        constant("kBanks", scheme_.banks());
        constant("kWords", scheme_.depth);
        text_ << "\n";
        if (isParity(scheme_.maps))
            text_ << "/// Whether x has an odd number of ones.\n"
                     "constexpr "
                  << number() << " parity(unsigned long long x) {\n"
                  << "    for (int half = 32; half > 0; half /= 2)\n"
                     "        x ^= x >> half;\n"
                     "    return x & 1;\n}\n\n";
        function("bank", isParity(scheme_.maps) ? parityBank() : bank());
        text_ << "\n";
        function("offset", isParity(scheme_.maps) ? parityOffset() : offset());
        text_ << "\n} // namespace " << memory_.name << "_" << memory_.array << "_banks\n";
        return std::move(text_).str();
    }

private:
    void head() {
        text_ << kHlsHead << memory_.array << " : " << ir::toString(memory_.type)
              << " of the memory " << memory_.name << ": " << scheme_.text() << ",\n// "
              << scheme_.words << " words in all.\n//\n"
              << "// With directives, for the array as it is declared:\n";
    }

    void directives(HlsTool tool) {
        const HlsDirectives made = hlsDirectives(tool, memory_, scheme_);
        text_ << "//   " << toString(tool) << ":";
        if (!made.whyNot.empty())
            text_ << " cannot say it: " << made.whyNot << ".\n";
        else if (made.lines.empty())
            text_ << " none, it is one bank.\n";
        else
            text_ << "\n";
        for (const std::string& line : made.lines)
            text_ << "//     " << line << "\n";
    }

    void limits() {
        text_ << "//\n// What directives leave open:\n"
              << "//   A bank serves " << memory_.ports
              << (memory_.ports == 1 ? " read and as many writes" : " reads and as many writes")
              << " in a clock; choose its memory so.\n"
              << "//   The scheme keeps accesses apart that meet in a clock of the memory's loops, "
                 "with these lanes in parallel.\n";
        if (scheme_.copies > 1) {
            text_ << "//   Of the array there are " << scheme_.copies
                  << " copies: declare as many arrays, each with the directive. Writes go to all, "
                     "and of reads\n";
            copies();
        }
        text_ << "//\n// In any tool: declare the array as\n//   T " << memory_.array
              << "[kCopies][kBanks][kWords];\n"
              << "// with its first two dimensions partitioned completely, and take\n//   "
              << memory_.array << "[copy][bank(" << indices("") << ")][offset(" << indices("")
              << ")]\n// in place of " << memory_.array << declared() << ".\n";
    }

    void copies() {
        for (std::size_t g = 0; g < pattern_.groups.size(); ++g)
            for (std::size_t k = 0; k < pattern_.groups[g].lanes.size(); ++k)
                if (!pattern_.groups[g].write)
                    text_ << "//     " << pattern_.laneText(g, k) << " of loop "
                          << pattern_.groups[g].nest << " reads copy "
                          << (scheme_.copyOf.empty() ? 0 : scheme_.copyOf[g][k]) << "\n";
    }

    std::string declared() const {
        std::string text;
        for (std::size_t d = 0; d < rank(); ++d)
            text += "[x" + std::to_string(d) + "]";
        return text;
    }

    std::string indices(const std::string& type) const {
        std::string text;
        for (std::size_t d = 0; d < rank(); ++d)
            text += (d > 0 ? ", " : "") + type + "x" + std::to_string(d);
        return text;
    }

    void constant(const char* name, std::int64_t value) {
        text_ << "constexpr " << number() << " " << name << " = " << value << ";\n";
    }

    /// A type that holds every sum of a map, and every word.
    std::string number() const {
        std::int64_t most = scheme_.words;
        for (const ir::FlatMap& map : scheme_.maps) {
            std::int64_t sum = 0;
            for (std::size_t d = 0; d < rank(); ++d)
                sum = saturatingAdd(sum, saturatingMul(map.alpha[d], memory_.type.dims[d]));
            most = std::max(most, sum);
        }
        return most <= std::numeric_limits<std::int32_t>::max() ? "int" : "long long";
    }

    void function(const char* name, const std::string& value) {
        text_ << "constexpr " << number() << " " << name << "(" << indices(number() + " ")
              << ") {\n";
        for (std::size_t d = 0; d < rank(); ++d)
            if (value.find("x" + std::to_string(d)) == std::string::npos)
                text_ << "    (void)x" << d << ";\n";
        text_ << "    return " << value << ";\n}\n";
    }

    static std::string sumOf(const ir::FlatMap& map) {
        std::string text;
        for (std::size_t d = 0; d < map.alpha.size(); ++d)
            if (map.alpha[d] != 0)
                text += (text.empty() ? "" : " + ") +
                        (map.alpha[d] == 1 ? "" : std::to_string(map.alpha[d]) + " * ") + "x" +
                        std::to_string(d);
        return text.empty() ? "0" : text;
    }

    /// `text` with one digit more, of so many.
    static std::string digit(const std::string& text, std::int64_t radix, const std::string& next) {
        return text.empty() ? next : "(" + text + ") * " + std::to_string(radix) + " + " + next;
    }

    std::string bank() const {
        std::string text;
        for (const ir::FlatMap& map : scheme_.maps)
            text = digit(text, map.banks,
                         "(" + sumOf(map) + ") / " + std::to_string(map.block) + " % " +
                             std::to_string(map.banks));
        return text;
    }

    std::string offset() const {
        std::string text;
        for (std::size_t d = 0; d < rank(); ++d)
            text = digit(text, scheme_.boxes[d],
                         "x" + std::to_string(d) + " / " + std::to_string(scheme_.box[d]));
        for (std::size_t m = 0; m < scheme_.maps.size(); ++m)
            if (scheme_.wordsIn[m] > 1)
                text = digit(text, scheme_.wordsIn[m],
                             "(" + sumOf(scheme_.maps[m]) + ") % " +
                                 std::to_string(scheme_.maps[m].block) + " / " +
                                 std::to_string(scheme_.units[m]));
        return text;
    }

    std::string parityBank() const {
        std::string text;
        for (const ir::FlatMap& map : scheme_.maps) {
            std::string bits;
            for (std::size_t d = 0; d < rank(); ++d)
                if (map.alpha[d] != 0)
                    bits += (bits.empty() ? "" : " ^ ") + std::string("parity(x") +
                            std::to_string(d) + " & " + std::to_string(map.alpha[d]) + ")";
            text = digit(text, 2, "(" + (bits.empty() ? "0" : bits) + ")");
        }
        return text;
    }

    std::string parityOffset() const {
        std::string text;
        for (std::size_t d = 0; d < rank(); ++d)
            text = digit(text, scheme_.boxes[d], kept(d));
        return text;
    }

    /// The bits of an index that are not replaced, moved together: run by run.
    std::string kept(std::size_t d) const {
        const auto extent = static_cast<std::uint64_t>(memory_.type.dims[d]);
        const auto bits = static_cast<int>(std::bit_width(extent - 1));
        const auto isKept = [&](int bit) { return (scheme_.replaced[d] >> bit & 1) == 0; };
        std::string text;
        int place = 0;
        for (int bit = 0; bit < bits;) {
            int end = bit;
            while (end < bits && isKept(end))
                ++end;
            if (end == bit) {
                ++bit;
                continue;
            }
            const std::int64_t mask = (std::int64_t{1} << (end - bit)) - 1;
            text += (text.empty() ? "" : " | ") + std::string("(x") + std::to_string(d) + " >> " +
                    std::to_string(bit) + " & " + std::to_string(mask) + ") << " +
                    std::to_string(place);
            place += end - bit;
            bit = end;
        }
        return text.empty() ? "0" : "(" + text + ")";
    }

    std::size_t rank() const { return memory_.type.dims.size(); }

    const ir::MemoryProgram& memory_;
    const AccessPattern& pattern_;
    const Scheme& scheme_;
    TextOut text_;
};

} // namespace

std::string hlsHeader(const ir::MemoryProgram& memory, const AccessPattern& pattern,
                      const Scheme& scheme) {
    return HeaderWriter(memory, pattern, scheme).run();
}

} // namespace marquetry::banking
