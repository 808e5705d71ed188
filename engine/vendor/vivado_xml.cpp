#include "engine/vendor/vivado_xml.h"

#include "engine/support/assert.h"
#include "engine/support/quote.h"

namespace marquetry::vendor {

namespace {

std::string xmlEscaped(std::string_view text) {
    std::string out;
    for (const char c : printable(text))
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    return out;
}

} // namespace

std::string XmlWriter::qualified(const std::string& name) const {
    return name.find(':') == std::string::npos ? prefix_ + ":" + name : name;
}

void XmlWriter::begin(const std::string& name, const Attributes& attributes) {
    text_ += std::string(2 * open_.size(), ' ') + "<" + qualified(name);
    for (const auto& [key, value] : attributes)
        text_ += " " + qualified(key) + "=\"" + xmlEscaped(value) + "\"";
}

void XmlWriter::open(const std::string& name, const Attributes& attributes) {
    begin(name, attributes);
    text_ += ">\n";
    open_.push_back(qualified(name));
}

void XmlWriter::close() {
    ENGINE_ASSERT(!open_.empty(), "an element is open");
    const std::string name = open_.back();
    open_.pop_back();
    text_ += std::string(2 * open_.size(), ' ') + "</" + name + ">\n";
}

void XmlWriter::leaf(const std::string& name, std::string_view text, const Attributes& attributes) {
    begin(name, attributes);
    text_ += ">" + xmlEscaped(text) + "</" + qualified(name) + ">\n";
}

void XmlWriter::empty(const std::string& name, const Attributes& attributes) {
    begin(name, attributes);
    text_ += "/>\n";
}

std::string XmlWriter::text() const {
    ENGINE_ASSERT(open_.empty(), "all elements are closed");
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text_;
}

} // namespace marquetry::vendor
