// Files of projects whose text hardly depends on the hardware: resources/vendor/*.in, with @KEY@
// where something is to stand. Lines between "@IF KEY@" and "@END@" are left out where the key's
// text is empty.
//
// A template or a key that does not exist is our own mistake. Complexity: linear. Thread rule:
// pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::vendor {

/// Key without its signs → text.
using TemplateValues = std::map<std::string, std::string>;

/// "driver.c" of resources/vendor/driver.c.in.
std::string filledTemplate(const std::string& name, const TemplateValues& values);

/// "{a, b}"
std::string bracedList(const std::vector<std::string>& elements);

/// Letters, digits and signs that comments and strings of any language take as they are.
std::string plainText(std::string_view text);

namespace detail {
const std::map<std::string, const char*>& shippedTemplates();
}

} // namespace marquetry::vendor
