#include "engine/frontend/memory_checker.h"

#include "engine/frontend/memory_accesses.h"
#include "engine/frontend/memory_bounds.h"
#include "engine/frontend/suggest.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <map>

namespace marquetry::frontend {

namespace {

/// Largest number written in a range or an index: every product that follows fits into 64 bits.

class MemoryChecker {
public:
    MemoryChecker(const MemorySyntax& memory, Reporter& reporter)
        : memory_(memory), reporter_(reporter) {}

    std::optional<ir::MemoryProgram> check() {
        const int errorsBefore = reporter_.errorCount();
        program_.name = memory_.name.text;
        program_.file = reporter_.file();
        if (memory_.array)
            checkArray(*memory_.array);
        else if (!memory_.broken)
            error("no-array", "memory '" + program_.name + "' has no array",
                  "add array NAME : i32[8, 8];", memory_.name.range);
        if (memory_.array) {
            for (const NestSyntax& nest : memory_.nests) {
                if (!nest.broken)
                    checkNest(nest);
            }
        }
        const bool accessed =
            std::ranges::any_of(memory_.nests, [](const auto& n) { return !n.references.empty(); });
        if (!accessed && !memory_.broken)
            error("no-access",
                  "nothing reads or writes the array of memory '" + program_.name + "'",
                  "add for i in 0 .. 8 { read …; }", memory_.name.range);
        if (memory_.broken || reporter_.errorCount() > errorsBefore)
            return std::nullopt;
        checkAccesses(program_, reporter_);
        if (reporter_.errorCount() > errorsBefore)
            return std::nullopt;
        return std::move(program_);
    }

private:
    void error(std::string code, std::string message, std::string hint, const SourceRange& range) {
        reporter_.report(makeError(std::move(code), std::move(message), std::move(hint)), range);
    }

    bool checkAtLeastOne(const Number& number, const std::string& what, const std::string& hint) {
        if (number.value >= 1 && number.value <= kMaxMemoryNumber)
            return true;
        error(number.value < 1 ? "bad-parameter" : "number-too-large",
              what + " is " + (number.value < 1 ? "at least 1, not " : "at most 2147483648, not ") +
                  std::to_string(number.value),
              number.value < 1 ? hint : "", number.range);
        return false;
    }

    // --- array

    void checkArray(const ArraySyntax& array) {
        program_.array = array.name.text;
        checkType(array.type);
        if (array.ports && array.ports->value != 1 && array.ports->value != 2)
            error("bad-parameter",
                  "a bank has 1 or 2 ports, not " + std::to_string(array.ports->value), "",
                  array.ports->range);
        else if (array.ports)
            program_.ports = static_cast<int>(array.ports->value);
        checkDirectives(array);
    }

    void checkType(const TypeSyntax& syntax) {
        const auto scalar = ir::scalarNamed(syntax.scalar.text);
        if (!scalar || ir::isOddWidth(*scalar)) {
            const std::string guess =
                didYouMean(syntax.scalar.text, {"i8", "u8", "i16", "u16", "i32", "u32", "bit"});
            error("unknown-type", "there is no scalar type '" + syntax.scalar.text + "'",
                  guess.empty() ? "i8, u8, i16, u16, i32, u32 or bit" : guess, syntax.scalar.range);
        }
        program_.type.scalar = scalar.value_or(ir::Scalar::I32);
        for (const Number& dim : syntax.dims) {
            if (dim.value < 1)
                error("bad-dimension",
                      "a dimension must be at least 1, but this one is " +
                          std::to_string(dim.value),
                      "", dim.range);
            program_.type.dims.push_back(std::max<std::int64_t>(1, dim.value));
        }
        const auto elements = checkedProduct(program_.type.dims);
        if (!elements || *elements > kMaxElements)
            reporter_.report(tooLarge(toString(program_.type) + " has",
                                      elements.value_or(INT64_MAX), kMaxElements, "elements"),
                             syntax.range);
        const auto rank = static_cast<std::int64_t>(program_.type.dims.size());
        if (rank > kMaxArrayRank)
            reporter_.report(tooLarge("the array has", rank, kMaxArrayRank, "dimensions"),
                             syntax.range);
    }

    void checkDirectives(const ArraySyntax& array) {
        if (array.banks.size() > 1)
            error("duplicate-name", "the array has two 'bank' directives", "keep one",
                  array.banks[1].range);
        if (array.copies.size() > 1)
            error("duplicate-name", "the array has two 'copies' directives", "keep one",
                  array.copies[1].range);
        if (!array.banks.empty())
            checkBank(array.banks[0]);
        if (!array.copies.empty() && array.copies[0].value > kMaxArrayCopies) {
            reporter_.report(
                tooLarge("the array has", array.copies[0].value, kMaxArrayCopies, "copies"),
                array.copies[0].range);
        } else if (!array.copies.empty() &&
                   checkAtLeastOne(array.copies[0], "the number of copies", "")) {
            program_.directive.copies = array.copies[0].value;
            program_.directive.place = array.copies[0].range;
        }
    }

    void checkBank(const BankSyntax& bank) {
        if (bank.kind.text == "xor")
            return checkMasks(bank);
        const std::size_t rank = program_.type.dims.size();
        ir::BankDirective& directive = program_.directive;
        directive.hierarchical = bank.kind.text == "hierarchical";
        directive.place = bank.range;
        const std::size_t counts = directive.hierarchical ? rank : 1;
        bool right = checkLength(bank.banks, counts, "N", bank.range) &&
                     checkLength(bank.blocks, counts, "B", bank.range) &&
                     checkLength(bank.alpha, rank, "α", bank.range);
        for (const Number& n : bank.banks)
            right = checkAtLeastOne(n, "a number of banks", "") && right;
        for (const Number& b : bank.blocks)
            right = checkAtLeastOne(b, "a block", "") && right;
        for (const Number& a : bank.alpha) {
            if (a.value < 0 || a.value > kMaxMemoryNumber) {
                error("bad-parameter", "an α is 0 or more, not " + std::to_string(a.value),
                      "only α modulo N·B matters", a.range);
                right = false;
            }
        }
        if (right)
            makeMaps(bank);
    }

    void checkMasks(const BankSyntax& bank) {
        program_.directive.place = bank.range;
        if (std::ssize(bank.masks) > kMaxBankBits) {
            reporter_.report(tooLarge("the directive has", std::ssize(bank.masks), kMaxBankBits,
                                      "lists of masks"),
                             bank.range);
            return;
        }
        for (const std::vector<Number>& row : bank.masks) {
            if (!checkLength(row, program_.type.dims.size(), "the masks of a bit", bank.range))
                return;
            std::vector<std::int64_t> masks;
            for (const Number& mask : row) {
                if (mask.value < 0 || mask.value >= kMaxMemoryNumber)
                    return error("bad-parameter",
                                 "a mask is 0 or more and below 2147483648, not " +
                                     std::to_string(mask.value),
                                 "a mask has a one for each bit of the index that counts",
                                 mask.range);
                masks.push_back(mask.value);
            }
            program_.directive.maps.push_back(ir::parityMap(std::move(masks)));
        }
    }

    bool checkLength(const std::vector<Number>& numbers, std::size_t count, const std::string& what,
                     const SourceRange& range) {
        if (numbers.size() == count)
            return true;
        error("rank-mismatch",
              "the directive gives " + std::to_string(numbers.size()) + " numbers for " + what +
                  ", but needs " + std::to_string(count),
              "", range);
        return false;
    }

    void makeMaps(const BankSyntax& bank) {
        const std::size_t rank = program_.type.dims.size();
        std::int64_t banks = 1;
        for (std::size_t m = 0; m < bank.banks.size(); ++m) {
            ir::FlatMap map{std::vector<std::int64_t>(rank), bank.blocks[m].value,
                            bank.banks[m].value};
            for (std::size_t d = 0; d < rank; ++d) {
                if (!program_.directive.hierarchical || d == m)
                    map.alpha[d] = bank.alpha[d].value;
            }
            banks = checkedMul(banks, map.banks).value_or(INT64_MAX);
            if (map.banks * map.block > kMaxMemoryNumber)
                reporter_.report(
                    tooLarge("N * B is", map.banks * map.block, kMaxMemoryNumber, "words"),
                    bank.range);
            program_.directive.maps.push_back(std::move(map));
        }
        if (banks > kMaxElements)
            reporter_.report(tooLarge("the directive asks for", banks, kMaxElements, "banks"),
                             bank.range);
    }

    // --- loop nests

    void checkNest(const NestSyntax& syntax) {
        ir::MemoryNest nest;
        nest.place = syntax.range;
        loops_.clear();
        symbols_.clear();
        const auto loops = static_cast<std::int64_t>(syntax.loops.size());
        if (loops > kMaxNestLoops)
            reporter_.report(tooLarge("the nest has", loops, kMaxNestLoops, "loops"), syntax.range);
        for (std::size_t k = 0; k < syntax.loops.size(); ++k)
            checkLoop(syntax, k, nest);
        for (const ReferenceSyntax& reference : syntax.references)
            checkReference(reference, nest);
        for (ir::MemoryReference& reference : nest.references) {
            reference.text = program_.array + "[";
            for (ir::AffineForm& form : reference.index) {
                form.symbols.resize(nest.symbols.size());
                reference.text +=
                    (&form == &reference.index.front() ? "" : ", ") + toString(form, nest);
            }
            reference.text += "]";
        }
        closeLoops(syntax, nest);
        program_.nests.push_back(std::move(nest));
    }

    void checkLoop(const NestSyntax& outer, std::size_t index, ir::MemoryNest& nest) {
        const LoopSyntax& syntax = outer.loops[index];
        ir::MemoryLoop loop{syntax.name.text};
        bool right = checkBegin(syntax, loop);
        if (syntax.step)
            right = checkAtLeastOne(*syntax.step, "a step", "loops run upwards") && right;
        if (syntax.parallel)
            right = checkAtLeastOne(*syntax.parallel, "the number of lanes", "") && right;
        right = endsOutside(outer, index, reporter_) && right;
        auto end = right ? checkForm(syntax.end, nest) : std::nullopt;
        const auto [entry, fresh] = loops_.emplace(syntax.name.text, nest.loops.size());
        if (!fresh || syntax.name.text == program_.array)
            error("duplicate-name", "the name '" + syntax.name.text + "' is taken already",
                  "give every iterator a name of its own", syntax.name.range);
        if (end && setEnd(syntax, *std::move(end), nest, loop)) {
            loop.step = syntax.step ? syntax.step->value : 1;
            loop.parallel = syntax.parallel ? syntax.parallel->value : 1;
        }
        nest.loops.push_back(std::move(loop));
    }

    bool checkBegin(const LoopSyntax& syntax, ir::MemoryLoop& loop) {
        if (syntax.begin.value < -kMaxMemoryNumber || syntax.begin.value > kMaxMemoryNumber) {
            error("number-too-large", "the bounds of a range are at most 2147483648", "",
                  syntax.begin.range);
            return false;
        }
        loop.begin = syntax.begin.value;
        loop.end = loop.begin + 1;
        return true;
    }

    bool setEnd(const LoopSyntax& syntax, ir::AffineForm form, const ir::MemoryNest& nest,
                ir::MemoryLoop& loop) {
        if (isOpen(form, nest)) {
            loop.bound = std::move(form); // its largest value comes from the references
            return true;
        }
        const std::int64_t most = largest(form, nest);
        if (most > kMaxMemoryNumber || form.constant < -kMaxMemoryNumber) {
            error("number-too-large", "the bounds of a range are at most 2147483648", "",
                  syntax.end.range);
            return false;
        }
        if (most <= loop.begin) {
            error("bad-parameter",
                  "the range " + std::to_string(loop.begin) + " .. " + toString(form, nest) +
                      (isNumber(form) ? " is empty" : " is always empty"),
                  "the end is not part of a range: write the smaller number first",
                  syntax.begin.range);
            return false;
        }
        loop.end = most;
        if (!isNumber(form))
            loop.bound = std::move(form);
        return true;
    }

    /// The ends that unknown values leave open, and what depends on them.
    void closeLoops(const NestSyntax& syntax, ir::MemoryNest& nest) {
        for (const Diagnostic& reason : closeOpenEnds(nest, program_.type.dims))
            reporter_.report(reason, syntax.range);
        for (ir::MemoryLoop& loop : nest.loops) {
            loop.step = std::min(loop.step, loop.end - loop.begin);
            loop.parallel = std::min(loop.parallel, loop.trips());
            if (!loop.bound)
                continue;
            loop.bound->symbols.resize(nest.symbols.size());
            if (!staysSmall(*loop.bound, nest))
                error("number-too-large", "an end exceeds 2^40 within its loops", "", syntax.range);
        }
        for (const ir::MemoryReference& reference : nest.references)
            for (const ir::AffineForm& form : reference.index)
                if (!staysSmall(form, nest))
                    error("number-too-large", "the index exceeds 2^40 within its loops", "",
                          reference.place);
    }

    void checkReference(const ReferenceSyntax& syntax, ir::MemoryNest& nest) {
        if (syntax.array.text != program_.array) {
            const std::string guess = didYouMean(syntax.array.text, {program_.array});
            error("unknown-name", "there is no array '" + syntax.array.text + "'",
                  guess.empty() ? "the array is '" + program_.array + "'" : guess,
                  syntax.array.range);
            return;
        }
        if (syntax.index.size() != program_.type.dims.size()) {
            error("rank-mismatch",
                  "'" + program_.array + "' has " + std::to_string(program_.type.dims.size()) +
                      " dimensions, but the index has " + std::to_string(syntax.index.size()),
                  "", syntax.range);
            return;
        }
        ir::MemoryReference reference;
        reference.write = syntax.write;
        reference.place = syntax.range;
        bool right = true;
        for (const AffineSyntax& form : syntax.index) {
            auto checked = checkForm(form, nest);
            right = right && checked.has_value();
            reference.index.push_back(std::move(checked).value_or(ir::AffineForm{}));
        }
        if (right)
            nest.references.push_back(std::move(reference));
    }

    std::optional<ir::AffineForm> checkForm(const AffineSyntax& syntax, ir::MemoryNest& nest) {
        ir::AffineForm form;
        form.coefficients.resize(nest.loops.size());
        for (const TermSyntax& term : syntax.terms) {
            if (term.factor < -kMaxMemoryNumber || term.factor > kMaxMemoryNumber) {
                error("number-too-large", "numbers of an index or an end are at most 2147483648",
                      "", term.range);
                return std::nullopt;
            }
            if (!(term.unknown ? addUnknown(term, form, nest) : addTerm(term, form, nest)))
                return std::nullopt;
        }
        if (!staysSmall(form, nest)) {
            error("number-too-large", "the index exceeds 2^40 within its loops", "", syntax.range);
            return std::nullopt;
        }
        return form;
    }

    bool addTerm(const TermSyntax& term, ir::AffineForm& form, const ir::MemoryNest& nest) {
        if (term.name.text.empty()) {
            form.constant += term.factor;
            return true;
        }
        const auto loop = findLoop(term.name);
        if (!loop || *loop >= nest.loops.size())
            return false;
        form.coefficients[*loop] += term.factor;
        return true;
    }

    std::optional<std::size_t> findLoop(const WordSyntax& name) {
        const auto found = loops_.find(name.text);
        if (found != loops_.end())
            return found->second;
        std::vector<std::string> known;
        for (const auto& [loop, index] : loops_)
            known.push_back(loop);
        error("unknown-name", "there is no iterator '" + name.text + "'",
              didYouMean(name.text, known), name.range);
        return std::nullopt;
    }

    bool addUnknown(const TermSyntax& term, ir::AffineForm& form, ir::MemoryNest& nest) {
        std::vector<std::size_t> iterators;
        for (const WordSyntax& iterator : term.iterators) {
            const auto loop = findLoop(iterator);
            if (!loop)
                return false;
            iterators.push_back(*loop);
        }
        std::ranges::sort(iterators);
        iterators.erase(std::unique(iterators.begin(), iterators.end()), iterators.end());
        const auto [entry, fresh] = symbols_.emplace(term.name.text, nest.symbols.size());
        if (fresh)
            nest.symbols.push_back({term.name.text, iterators});
        const std::size_t symbol = entry->second;
        if (nest.symbols[symbol].loops != iterators) {
            error("bad-parameter",
                  "'?" + term.name.text + "' depends on other iterators in this nest already",
                  "give another unknown value another name", term.range);
            return false;
        }
        form.symbols.resize(std::max(form.symbols.size(), symbol + 1));
        form.symbols[symbol] += term.factor;
        return true;
    }

    const MemorySyntax& memory_;
    Reporter& reporter_;
    ir::MemoryProgram program_;
    std::map<std::string, std::size_t> loops_;
    std::map<std::string, std::size_t> symbols_;
};

} // namespace

std::optional<ir::MemoryProgram> checkMemory(const MemorySyntax& memory, Reporter& reporter) {
    return MemoryChecker(memory, reporter).check();
}

} // namespace marquetry::frontend
