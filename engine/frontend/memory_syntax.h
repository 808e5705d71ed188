// The syntax tree of `memory` items: what was written, with places, nothing resolved.
// Thread rule: value types.
#pragma once

#include "engine/frontend/syntax.h"

namespace marquetry::frontend {

/// INT, INT * NAME, NAME, NAME * INT or ?NAME(NAME, …).
struct TermSyntax {
    std::int64_t factor = 1;           ///< sign included
    WordSyntax name;                   ///< empty: a number
    bool unknown = false;              ///< ?NAME
    std::vector<WordSyntax> iterators; ///< of an unknown value
    SourceRange range;
};

struct AffineSyntax {
    std::vector<TermSyntax> terms;
    SourceRange range;
};

struct ReferenceSyntax {
    bool write = false;
    WordSyntax array;
    std::vector<AffineSyntax> index;
    SourceRange range;
};

struct LoopSyntax {
    WordSyntax name;
    Number begin;
    AffineSyntax end;
    std::optional<Number> step;
    std::optional<Number> parallel;
};

struct NestSyntax {
    std::vector<LoopSyntax> loops;
    std::vector<ReferenceSyntax> references;
    SourceRange range;   ///< of the word `for`
    bool broken = false; ///< its head did not parse: the iterators are not known
};

/// `bank KIND(N, B, α)`; a flat one has one number in `banks` and `blocks`. `bank xor(masks)`: a
/// list of masks per bit of the bank's number.
struct BankSyntax {
    WordSyntax kind;
    std::vector<Number> banks;
    std::vector<Number> blocks;
    std::vector<Number> alpha;
    std::vector<std::vector<Number>> masks;
    SourceRange range;
};

struct ArraySyntax {
    WordSyntax name;
    TypeSyntax type;
    std::optional<Number> ports;
    std::vector<BankSyntax> banks;
    std::vector<Number> copies;
};

struct MemorySyntax {
    WordSyntax name;
    std::optional<ArraySyntax> array;
    std::vector<NestSyntax> nests;
    bool broken = false; ///< some of its text did not parse
};

} // namespace marquetry::frontend
