#include "engine/hdl/names.h"

#include <algorithm>
#include <iterator>

namespace marquetry::hdl {

namespace {

// Verilog-2001 and the SystemVerilog words that simulators reserve in .v files too; sorted.
constexpr std::string_view kKeywords[] = {
    "alias",      "always",    "always_comb", "always_ff",   "always_latch", "and",
    "assert",     "assign",    "assume",      "automatic",   "before",       "begin",
    "bind",       "bit",       "break",       "buf",         "bufif0",       "bufif1",
    "byte",       "case",      "casex",       "casez",       "cell",         "checker",
    "class",      "clocking",  "cmos",        "config",      "const",        "constraint",
    "context",    "continue",  "cover",       "cross",       "deassign",     "default",
    "defparam",   "design",    "disable",     "dist",        "do",           "edge",
    "else",       "end",       "endcase",     "endfunction", "endgenerate",  "endmodule",
    "endpackage", "endtask",   "enum",        "event",       "expect",       "export",
    "extends",    "extern",    "final",       "for",         "force",        "foreach",
    "forever",    "fork",      "function",    "generate",    "genvar",       "global",
    "if",         "iff",       "import",      "initial",     "inout",        "input",
    "inside",     "instance",  "int",         "integer",     "interface",    "join",
    "large",      "let",       "liblist",     "library",     "local",        "localparam",
    "logic",      "longint",   "macromodule", "matches",     "medium",       "modport",
    "module",     "nand",      "negedge",     "new",         "nmos",         "nor",
    "not",        "null",      "or",          "output",      "package",      "packed",
    "parameter",  "pmos",      "posedge",     "primitive",   "priority",     "program",
    "property",   "protected", "pull0",       "pull1",       "pulldown",     "pullup",
    "pure",       "rand",      "real",        "realtime",    "ref",          "reg",
    "release",    "repeat",    "restrict",    "return",      "sequence",     "shortint",
    "signed",     "small",     "static",      "string",      "strong",       "struct",
    "super",      "supply0",   "supply1",     "table",       "task",         "this",
    "time",       "tran",      "tri",         "type",        "typedef",      "union",
    "unique",     "unsigned",  "use",         "var",         "vectored",     "virtual",
    "void",       "wait",      "wand",        "weak",        "while",        "wire",
    "with",       "xor"};

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

} // namespace

bool isVerilogKeyword(std::string_view word) {
    return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

std::string identifier(std::string_view name) {
    std::string result;
    for (const char c : name) {
        if (plain(c))
            result += c;
        else if (!result.empty() && result.back() != '_')
            result += '_';
    }
    while (!result.empty() && result.back() == '_')
        result.pop_back();
    if (result.empty() || (result.front() >= '0' && result.front() <= '9'))
        result = "n" + result;
    return isVerilogKeyword(result) ? result + "_x" : result;
}

std::string NameTable::unique(std::string_view name) {
    const std::string base = identifier(name);
    std::string result = base;
    for (int i = 2; !taken_.insert(result).second; ++i)
        result = base + "_" + std::to_string(i);
    return result;
}

} // namespace marquetry::hdl
