// A writer of XML: elements, indented by two; texts and attributes escaped.
//
// Characters that XML 1.0 has no way to say become escapes as in messages. Thread rule: one writer.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace marquetry::vendor {

class XmlWriter {
public:
    using Attributes = std::vector<std::pair<std::string, std::string>>;

    /// Elements without a prefix get this one: "spirit".
    explicit XmlWriter(std::string prefix) : prefix_(std::move(prefix)) {}

    void open(const std::string& name, const Attributes& attributes = {});
    void close();
    void leaf(const std::string& name, std::string_view text, const Attributes& attributes = {});
    void empty(const std::string& name, const Attributes& attributes = {});

    /// With the declaration; all elements are closed.
    std::string text() const;

private:
    std::string qualified(const std::string& name) const;
    void begin(const std::string& name, const Attributes& attributes);

    std::string prefix_, text_;
    std::vector<std::string> open_;
};

} // namespace marquetry::vendor
