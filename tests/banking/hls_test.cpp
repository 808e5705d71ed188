// Bank schemes for high-level synthesis: directives against the banks that they make, as the tools
// document them, and headers compiled.
#include "engine/banking/derive.h"
#include "engine/banking/hls_directives.h"
#include "engine/banking/hls_header.h"
#include "engine/support/checked_math.h"
#include "engine/support/process.h"
#include "engine/support/rng.h"
#include "tests/banking/memory_helpers.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <sstream>

namespace marquetry::banking {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ir::MemoryProgram arrayOf(const ir::Shape& dims) {
    std::string body = "array a : i32[", index;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        body += (d > 0 ? ", " : "") + std::to_string(dims[d]);
        index += d > 0 ? ", 0" : "0";
    }
    return memoryOf(body + "]; for i in 0 .. 1 { read a[" + index + "]; }");
}

void eachAddress(const ir::Shape& dims, const std::function<void(const Address&)>& visit) {
    Address x(dims.size());
    for (std::int64_t left = ir::Type{ir::Scalar::I8, dims}.elements(); left > 0; --left) {
        visit(x);
        for (std::size_t d = x.size(); d-- > 0;) {
            if (++x[d] < dims[d])
                break;
            x[d] = 0;
        }
    }
}

/// The bank that the lines make of an address, as the tools' manuals have it.
Address bankBy(const std::vector<std::string>& lines, const ir::Shape& dims, const Address& x) {
    static const std::regex vitis(
        R"(#pragma HLS array_partition variable=a type=(\w+)( factor=(\d+))? dim=(\d+))");
    static const std::regex intel(
        R"(\[\[intel::bankwidth\(4\), intel::bank_bits\(([0-9, ]+)\)\]\])");
    Address bank;
    for (const std::string& line : lines) {
        std::smatch found;
        if (std::regex_match(line, found, vitis)) {
            const std::size_t dim = std::stoul(found[4]) - 1;
            const std::int64_t factor = found[3].matched ? std::stoll(found[3]) : 1;
            if (found[1] == "complete")
                bank.push_back(x[dim]);
            else if (found[1] == "cyclic")
                bank.push_back(x[dim] % factor);
            else
                bank.push_back(x[dim] / ceilDiv(dims[dim], factor));
            continue;
        }
        EXPECT_TRUE(std::regex_match(line, found, intel)) << line;
        std::int64_t address = 0;
        for (std::size_t d = 0; d < dims.size(); ++d)
            address = address * dims[d] + x[d];
        std::istringstream bits(found[1]);
        for (std::string bit; std::getline(bits, bit, ',');)
            bank.push_back(address >> std::stoi(bit) & 1);
    }
    return bank;
}

/// Addresses share a bank of the tool exactly where they share one of the scheme.
void expectSame(const std::vector<std::string>& lines, const Scheme& scheme,
                const ir::Shape& dims) {
    std::map<Address, std::int64_t> ofTool;
    std::map<std::int64_t, Address> ofScheme;
    eachAddress(dims, [&](const Address& x) {
        const Address there = bankBy(lines, dims, x);
        const std::int64_t here = scheme.bank(x);
        EXPECT_EQ(ofTool.try_emplace(there, here).first->second, here) << scheme.text();
        EXPECT_EQ(ofScheme.try_emplace(here, there).first->second, there) << scheme.text();
    });
}

struct Case {
    ir::Shape dims;
    Scheme scheme;
};

Case randomCase(std::uint64_t seed) {
    SplitMix64 rng(seed);
    const std::int64_t rank = rng.range(1, 3);
    Case made;
    for (std::int64_t d = 0; d < rank; ++d)
        made.dims.push_back(rng.range(0, 1) == 0 ? std::int64_t{2} << rng.range(0, 2)
                                                 : rng.range(1, 11));
    std::vector<ir::FlatMap> maps;
    for (std::int64_t m = rng.range(1, rank); m > 0; --m) {
        ir::FlatMap map;
        map.alpha.assign(made.dims.size(), 0);
        const bool one = rng.range(0, 3) > 0;
        for (std::size_t d = 0; d < made.dims.size(); ++d)
            if (one ? d + 1 == static_cast<std::size_t>(m) : true)
                map.alpha[d] = rng.range(one ? 1 : 0, rng.range(1, 6));
        map.block = rng.range(0, 1) == 0 ? 1 : rng.range(1, 4);
        map.banks = rng.range(1, 8);
        maps.push_back(std::move(map));
    }
    made.scheme = derive(std::move(maps), made.dims);
    return made;
}

} // namespace

TEST(HlsDirectives, MakeTheBanksOfTheScheme) {
    int vitis = 0, intel = 0, none = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const Case tried = randomCase(seed);
        const ir::MemoryProgram memory = arrayOf(tried.dims);
        for (const HlsTool tool : {HlsTool::Vitis, HlsTool::Intel}) {
            const HlsDirectives made = hlsDirectives(tool, memory, tried.scheme);
            if (!made.whyNot.empty()) {
                EXPECT_THAT(made.lines, IsEmpty());
                ++none;
                continue;
            }
            SCOPED_TRACE(seed);
            expectSame(made.lines, tried.scheme, tried.dims);
            ++(tool == HlsTool::Vitis ? vitis : intel);
        }
    }
    EXPECT_GE(vitis, 200);
    EXPECT_GE(intel, 100);
    EXPECT_GE(none, 200);
}

TEST(HlsDirectives, AreThoseOfTheManuals) {
    const ir::MemoryProgram memory = arrayOf({8, 16});
    const auto of = [&](HlsTool tool, std::vector<ir::FlatMap> maps) {
        return hlsDirectives(tool, memory, derive(std::move(maps), {8, 16}));
    };
    // By turns along rows; 3 has no divisor in common with 4.
    EXPECT_THAT(of(HlsTool::Vitis, {{{0, 3}, 1, 4}}).lines,
                ElementsAre("#pragma HLS array_partition variable=a type=cyclic factor=4 dim=2"));
    EXPECT_THAT(of(HlsTool::Intel, {{{0, 3}, 1, 4}}).lines,
                ElementsAre("[[intel::bankwidth(4), intel::bank_bits(1, 0)]]"));
    EXPECT_THAT(of(HlsTool::Vitis, {{{1, 0}, 2, 4}, {{0, 1}, 1, 16}}).lines,
                ElementsAre("#pragma HLS array_partition variable=a type=block factor=4 dim=1",
                            "#pragma HLS array_partition variable=a type=complete dim=2"));
    EXPECT_THAT(of(HlsTool::Intel, {{{1, 0}, 1, 2}, {{0, 1}, 4, 4}}).lines,
                ElementsAre("[[intel::bankwidth(4), intel::bank_bits(4, 3, 2)]]"));
    EXPECT_THAT(of(HlsTool::Intel, {{{1, 0}, 1, 2}, {{0, 1}, 1, 4}}).whyNot,
                HasSubstr("one behind the other"));
    EXPECT_THAT(of(HlsTool::Vitis, {{{0, 1}, 2, 4}}).whyNot, HasSubstr("blocks of 2 in 4 banks"));
    for (const HlsTool tool : {HlsTool::Vitis, HlsTool::Intel}) {
        EXPECT_THAT(of(tool, {{{1, 3}, 1, 4}}).whyNot, HasSubstr("sum of several indices"));
        EXPECT_THAT(of(tool, {ir::parityMap({1, 1})}).whyNot, HasSubstr("exclusive or"));
        EXPECT_THAT(of(tool, {{{0, 4}, 1, 4}}).lines, IsEmpty()) << "one bank";
    }
}

namespace {

std::vector<Case> casesOfAllKinds() {
    std::vector<Case> cases;
    for (std::uint64_t seed = 0; seed < 40; ++seed)
        cases.push_back(randomCase(seed));
    cases.push_back({{16}, derive({ir::parityMap({0b1001}), ir::parityMap({0b0010})}, {16})});
    cases.push_back({{11}, derive({ir::parityMap({0b1000})}, {11})});
    cases.push_back(
        {{8, 5}, derive({ir::parityMap({0b101, 0b1}), ir::parityMap({0b010, 0b110})}, {8, 5})});
    return cases;
}

/// Loops over all addresses that print the bank and the offset of each.
std::string printing(const ir::MemoryProgram& memory) {
    std::string loops, index;
    for (std::size_t d = 0; d < memory.type.dims.size(); ++d) {
        const std::string x = "x" + std::to_string(d);
        loops += "for (int " + x + " = 0; " + x + " < " + std::to_string(memory.type.dims[d]) +
                 "; ++" + x + ") ";
        index += (d > 0 ? ", " : "") + x;
    }
    const std::string space = memory.name + "_a_banks::";
    return loops + "std::printf(\"%d %d\\n\", int(" + space + "bank(" + index + ")), int(" + space +
           "offset(" + index + ")));\n";
}

/// What a program of all their headers prints.
std::string printedBy(const std::vector<Case>& cases) {
    const test::TemporaryFolder folder;
    std::string program = "#include <cstdio>\n", body;
    for (std::size_t c = 0; c < cases.size(); ++c) {
        ir::MemoryProgram memory = arrayOf(cases[c].dims);
        memory.name = "m" + std::to_string(c);
        std::ofstream(folder / (memory.name + ".h"))
            << hlsHeader(memory, *accessPattern(memory), cases[c].scheme);
        program += "#include \"" + memory.name + ".h\"\n";
        body += printing(memory);
    }
    std::ofstream(folder / "main.cpp") << program << "int main() {\n" << body << "}\n";
    const auto compiled = runProcess(
        {{"c++", "-std=c++14", "-Wall", "-Wextra", "-Werror", "-O1", "-o", "banks", "main.cpp"},
         folder.string()});
    EXPECT_TRUE(compiled && compiled->exitCode == 0) << (compiled ? compiled->output : "");
    const auto printed = runProcess({{folder / "banks"}, folder.string()});
    return printed && printed->exitCode == 0 ? printed->output : "";
}

} // namespace

TEST(HlsHeader, CompilesToTheBanksAndOffsetsOfTheScheme) {
    const std::vector<Case> cases = casesOfAllKinds();
    std::istringstream numbers(printedBy(cases));
    for (const Case& expected : cases)
        eachAddress(expected.dims, [&](const Address& x) {
            std::int64_t bank = -1, offset = -1;
            numbers >> bank >> offset;
            EXPECT_EQ(bank, expected.scheme.bank(x)) << expected.scheme.text();
            EXPECT_EQ(offset, expected.scheme.offset(x)) << expected.scheme.text();
        });
}

TEST(HlsHeader, SaysWhatDirectivesLeaveOpen) {
    const ir::MemoryProgram memory = memoryOf("array a : i32[8, 8]; for i in 0 .. 8, j in 0 .. 6 {"
                                              " read a[i, j], a[i, j+1], a[i, j+2]; }");
    const auto pattern = accessPattern(memory);
    ASSERT_TRUE(pattern.has_value());
    Scheme scheme = withCopies(derive({{{0, 1}, 1, 2}}, {8, 8}), 2);
    scheme.copyOf = {{0, 1, 1}};
    const std::string text = hlsHeader(memory, *pattern, scheme);
    EXPECT_TRUE(text.starts_with(kHlsHead));
    EXPECT_THAT(text, HasSubstr("there are 2 copies"));
    EXPECT_THAT(text, HasSubstr("a[i, j + 1] of loop 0 reads copy 1"));
    EXPECT_THAT(text, HasSubstr("A bank serves 1 read and as many writes in a clock"));
    EXPECT_THAT(text, HasSubstr("constexpr int kCopies = 2;"));
}

} // namespace marquetry::banking
