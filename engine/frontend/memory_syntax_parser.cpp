#include "engine/frontend/memory_syntax_parser.h"

#include "engine/frontend/suggest.h"

namespace marquetry::frontend {

namespace {

class MemorySyntaxParser {
public:
    explicit MemorySyntaxParser(TokenReader& reader) : reader_(reader) {}

    MemorySyntax parse() {
        reader_.take();
        const auto name = reader_.expectName("the name of the memory");
        memory_.name = name.value_or(WordSyntax{});
        memory_.broken = !name;
        if (!name && reader_.current().kind == TokenKind::Keyword)
            reader_.take();
        if (reader_.expectSymbol("{", "'{'")) {
            parseParts();
        } else {
            memory_.broken = true;
            while (!reader_.atEnd() && !startsItem(reader_.current()))
                reader_.take();
        }
        return std::move(memory_);
    }

private:
    void parseParts() {
        while (!reader_.takeSymbol("}")) {
            if (reader_.atEnd() || startsItem(reader_.current())) {
                reader_.reportExpected("'}' at the end of memory '" + memory_.name.text + "'");
                memory_.broken = true;
                return;
            }
            if (reader_.current().isKeyword("array")) {
                parseArray();
            } else if (reader_.current().isKeyword("for")) {
                if (!parseNest())
                    return;
            } else {
                rejectPart();
            }
        }
    }

    void rejectPart() {
        memory_.broken = true;
        reader_.reportExpected("'array', 'for' or '}'",
                               didYouMean(reader_.current().text, {"array", "for"}));
        reader_.take();
        recover(false);
    }

    /// To the next statement; `inBody` stops before the '}' of a loop nest.
    void recover(bool inBody) {
        memory_.broken = true;
        while (!reader_.atEnd() && !startsItem(reader_.current()) &&
               !reader_.current().isKeyword("array") && !reader_.current().isKeyword("for")) {
            if (reader_.current().isSymbol("}"))
                return;
            if (inBody &&
                (reader_.current().isKeyword("read") || reader_.current().isKeyword("write")))
                return;
            if (reader_.takeSymbol(";"))
                return;
            reader_.take();
        }
    }

    // --- array

    void parseArray() {
        ArraySyntax array;
        const SourceRange start = reader_.take().range;
        if (!parseArrayBody(array)) {
            recover(false);
            return;
        }
        if (memory_.array) {
            reader_.reporter().report(
                makeError("duplicate-name",
                          "memory '" + memory_.name.text + "' has two arrays: '" +
                              memory_.array->name.text + "' and '" + array.name.text + "'",
                          "write one memory item per array"),
                reader_.rangeSince(start));
            memory_.broken = true;
            return;
        }
        memory_.array = std::move(array);
    }

    bool parseArrayBody(ArraySyntax& array) {
        const auto name = reader_.expectName("the name of the array");
        if (!name || !reader_.expectSymbol(":", "':' and the type of the array"))
            return false;
        array.name = *name;
        return parseType(array.type) && parseDirectives(array) &&
               reader_.expectSymbol(";", "'ports', 'bank', 'copies' or ';' after the type");
    }

    bool parseType(TypeSyntax& type) {
        const Token token = reader_.current();
        if (token.kind != TokenKind::Keyword && token.kind != TokenKind::Name) {
            reader_.reportExpected("a type", "e.g. i32[8, 8]");
            return false;
        }
        type.scalar = {token.text, token.range};
        reader_.take();
        if (!reader_.current().isSymbol("[")) {
            reader_.reportExpected("'[' and the dimensions", "e.g. i32[8, 8]");
            return false;
        }
        const bool parsed = parseInts(type.dims, "a dimension");
        type.range = reader_.rangeSince(token.range);
        return parsed;
    }

    bool parseInts(std::vector<Number>& numbers, const std::string& what) {
        if (!reader_.expectSymbol("[", "'[' and a list of numbers"))
            return false;
        do {
            const auto number = reader_.expectInt(what);
            if (!number)
                return false;
            numbers.push_back(*number);
        } while (reader_.takeSymbol(","));
        return reader_.expectSymbol("]", "',' or ']'");
    }

    bool parseDirectives(ArraySyntax& array) {
        if (reader_.current().isKeyword("ports")) {
            reader_.take();
            array.ports = reader_.expectInt("the number of ports, 1 or 2");
            if (!array.ports)
                return false;
        }
        while (true) {
            if (reader_.current().isKeyword("bank")) {
                BankSyntax bank;
                if (!parseBank(bank))
                    return false;
                array.banks.push_back(std::move(bank));
            } else if (reader_.current().isKeyword("copies")) {
                reader_.take();
                const auto copies = reader_.expectInt("the number of copies");
                if (!copies)
                    return false;
                array.copies.push_back(*copies);
            } else {
                return true;
            }
        }
    }

    bool parseBank(BankSyntax& bank) {
        const SourceRange start = reader_.take().range;
        const auto kind = reader_.expectName("'flat', 'hierarchical' or 'xor'");
        if (!kind)
            return false;
        bank.kind = *kind;
        const bool flat = kind->text == "flat";
        if (!flat && kind->text != "hierarchical" && kind->text != "xor") {
            reader_.reporter().report(
                makeError("syntax",
                          "expected 'flat', 'hierarchical' or 'xor', but found '" + kind->text +
                              "'",
                          didYouMean(kind->text, {"flat", "hierarchical", "xor"})),
                kind->range);
            return false;
        }
        const bool parsed = kind->text == "xor" ? parseMasks(bank) : parseNumbers(bank, flat);
        bank.range = reader_.rangeSince(start);
        return parsed;
    }

    bool parseNumbers(BankSyntax& bank, bool flat) {
        return reader_.expectSymbol("(", "'('") && parsePart(bank.banks, flat) &&
               reader_.expectSymbol(",", "',' and B") && parsePart(bank.blocks, flat) &&
               reader_.expectSymbol(",", "',' and the list of α") &&
               parseInts(bank.alpha, "a number") && reader_.expectSymbol(")", "')'");
    }

    bool parseMasks(BankSyntax& bank) {
        if (!reader_.expectSymbol("(", "'('") ||
            !reader_.expectSymbol("[", "'[' and a list of masks for each bit of the bank"))
            return false;
        do {
            if (!parseInts(bank.masks.emplace_back(), "a mask"))
                return false;
        } while (reader_.takeSymbol(","));
        return reader_.expectSymbol("]", "',' or ']'") && reader_.expectSymbol(")", "')'");
    }

    bool parsePart(std::vector<Number>& numbers, bool flat) {
        if (!flat)
            return parseInts(numbers, "a number");
        const auto number = reader_.expectInt("a number");
        if (number)
            numbers.push_back(*number);
        return number.has_value();
    }

    // --- loop nests

    /// False when the text ended inside: that has been reported.
    bool parseNest() {
        NestSyntax nest;
        nest.range = reader_.take().range;
        const bool parsed = parseLoops(nest) && reader_.expectSymbol("{", "',' or '{'");
        if (!parsed) {
            memory_.broken = true;
            nest.broken = true;
            skipToBody();
            if (!reader_.takeSymbol("{"))
                return true;
        }
        const bool ended = parseBody(nest);
        memory_.nests.push_back(std::move(nest));
        return ended || (!reader_.atEnd() && !startsItem(reader_.current()));
    }

    /// The head of a nest did not parse: its body starts at the next '{', if it has one.
    void skipToBody() {
        while (!reader_.atEnd() && !startsItem(reader_.current()) &&
               !reader_.current().isSymbol("{") && !reader_.current().isSymbol("}") &&
               !reader_.current().isSymbol(";"))
            reader_.take();
        reader_.takeSymbol(";");
    }

    bool parseLoops(NestSyntax& nest) {
        do {
            LoopSyntax loop;
            const auto name = reader_.expectName("the name of an iterator");
            if (!name)
                return false;
            loop.name = *name;
            if (!reader_.current().isKeyword("in")) {
                reader_.reportExpected("'in' and a range", "for i in 0 .. 6 { … }");
                return false;
            }
            reader_.take();
            const auto begin = reader_.expectInt("the first value");
            if (!begin || !reader_.expectSymbol("..", "'..' and the end"))
                return false;
            loop.begin = *begin;
            if (!parseAffine(loop.end))
                return false;
            if (!parseStepAndPar(loop))
                return false;
            nest.loops.push_back(std::move(loop));
        } while (reader_.takeSymbol(","));
        return true;
    }

    bool parseStepAndPar(LoopSyntax& loop) {
        if (reader_.current().isKeyword("step")) {
            reader_.take();
            loop.step = reader_.expectInt("the step");
            if (!loop.step)
                return false;
        }
        if (reader_.current().isKeyword("par")) {
            reader_.take();
            loop.parallel = reader_.expectInt("the number of parallel lanes");
            if (!loop.parallel)
                return false;
        }
        return true;
    }

    bool parseBody(NestSyntax& nest) {
        while (!reader_.takeSymbol("}")) {
            if (reader_.atEnd() || startsItem(reader_.current()) ||
                reader_.current().isKeyword("array") || reader_.current().isKeyword("for")) {
                const bool nested = reader_.current().isKeyword("for");
                reader_.reportExpected("'read', 'write' or '}' in the loop",
                                       nested ? "write the inner loop's range after a ',': for i "
                                                "in 0 .. 4, j in 0 .. 4 { … }"
                                              : "");
                memory_.broken = true;
                return false;
            }
            const Token word = reader_.current();
            if (!word.isKeyword("read") && !word.isKeyword("write")) {
                reader_.reportExpected("'read', 'write' or '}'",
                                       didYouMean(word.text, {"read", "write"}));
                reader_.take();
                recover(true);
                continue;
            }
            reader_.take();
            if (!parseReferences(nest, word.text == "write") ||
                !reader_.expectSymbol(";", "',' or ';' after the reference"))
                recover(true);
        }
        return true;
    }

    bool parseReferences(NestSyntax& nest, bool write) {
        do {
            ReferenceSyntax reference;
            reference.write = write;
            const auto name = reader_.expectName("the name of the array");
            if (!name || !reader_.expectSymbol("[", "'[' and an index"))
                return false;
            reference.array = *name;
            do {
                AffineSyntax form;
                if (!parseAffine(form))
                    return false;
                reference.index.push_back(std::move(form));
            } while (reader_.takeSymbol(","));
            if (!reader_.expectSymbol("]", "',' or ']'"))
                return false;
            reference.range = reader_.rangeSince(name->range);
            nest.references.push_back(std::move(reference));
        } while (reader_.takeSymbol(","));
        return true;
    }

    bool parseAffine(AffineSyntax& form) {
        const SourceRange start = reader_.current().range;
        bool negative = reader_.takeSymbol("-");
        while (true) {
            TermSyntax term;
            if (!parseTerm(term))
                return false;
            if (negative)
                term.factor = -term.factor;
            form.terms.push_back(std::move(term));
            negative = reader_.current().isSymbol("-");
            if (!reader_.takeSymbol("-") && !reader_.takeSymbol("+"))
                break;
        }
        form.range = reader_.rangeSince(start);
        return true;
    }

    bool parseTerm(TermSyntax& term) {
        const SourceRange start = reader_.current().range;
        bool parsed = true;
        if (reader_.takeSymbol("?")) {
            parsed = parseUnknown(term);
        } else if (reader_.current().kind == TokenKind::Int) {
            const auto number = reader_.expectInt("a number");
            parsed = number.has_value();
            term.factor = parsed ? number->value : 0;
            if (parsed && reader_.takeSymbol("*"))
                parsed = reader_.takeSymbol("?") ? parseUnknown(term) : expectFactorName(term);
        } else {
            parsed = parseNamed(term);
        }
        term.range = reader_.rangeSince(start);
        return parsed;
    }

    bool parseNamed(TermSyntax& term) {
        const auto name = reader_.expectName("a number, an iterator or ?NAME(…)");
        if (!name)
            return false;
        term.name = *name;
        if (!reader_.takeSymbol("*"))
            return true;
        if (reader_.current().kind == TokenKind::Name) {
            reader_.reporter().report(
                makeError("not-affine", "the product of two iterators is not affine",
                          "write ?NAME(iterators) for a value that is not affine"),
                reader_.current().range);
            return false;
        }
        const auto number = reader_.expectInt("a number");
        term.factor = number ? number->value : 0;
        return number.has_value();
    }

    bool expectFactorName(TermSyntax& term) {
        const auto name = reader_.expectName("an iterator");
        if (name)
            term.name = *name;
        return name.has_value();
    }

    bool parseUnknown(TermSyntax& term) {
        term.unknown = true;
        const auto name = reader_.expectName("the name of the unknown value");
        if (!name || !reader_.expectSymbol("(", "'(' and the iterators it depends on"))
            return false;
        term.name = *name;
        if (reader_.takeSymbol(")"))
            return true;
        do {
            const auto iterator = reader_.expectName("an iterator");
            if (!iterator)
                return false;
            term.iterators.push_back(*iterator);
        } while (reader_.takeSymbol(","));
        return reader_.expectSymbol(")", "',' or ')'");
    }

    TokenReader& reader_;
    MemorySyntax memory_;
};

} // namespace

MemorySyntax parseMemorySyntax(TokenReader& reader) {
    return MemorySyntaxParser(reader).parse();
}

} // namespace marquetry::frontend
