// What a source declares at the scopes of its namespaces and classes, as far as rules about names
// and lengths need it: found by brackets and words, without a compiler.
//
// Macros are taken as they are written, and lines of the preprocessor are skipped. Complexity:
// linear. Thread rule: pure.
#pragma once

#include <string>
#include <vector>

namespace marquetry::architecture {

struct Token {
    std::string text;
    int line = 0;
};

/// Words and signs without comments, lines of the preprocessor, and what literals say.
std::vector<Token> tokensOf(const std::string& source);

struct Declaration {
    enum class Kind { Type, Alias, Function, Variable, Other };

    Kind kind = Kind::Other;
    std::string name;       ///< the last word of it; of a test: "TEST(Suite, Name)"
    std::string text;       ///< the words before its body
    std::string scope;      ///< "marquetry::ir": the namespaces with names around it
    bool anonymous = false; ///< in a namespace without a name
    bool member = false;    ///< in a class, or with a qualified name
    bool body = false;      ///< a function with its statements
    bool defined = false;   ///< a class with its members, or an enumeration with its values
    int line = 0;
    int lines = 0; ///< from the first word to the end of the body; 0 without one
};

std::vector<Declaration> declarationsOf(const std::string& source);

} // namespace marquetry::architecture
