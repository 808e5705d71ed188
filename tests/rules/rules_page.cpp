// Writes docs/rules.md: rules_page > docs/rules.md
#include "tests/rules/rule_docs.h"

#include <iostream>

int main() {
    std::cout << marquetry::rules::rulesPage();
    return 0;
}
