// A small, strict reader of XML: elements, attributes, texts, the five entities. What it does not
// know (doctypes, sections of characters, instructions) is an error, as is anything ill-formed.
#pragma once

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::test {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::vector<XmlElement> children;
    std::string text; ///< without the spaces around it

    std::vector<const XmlElement*> all(const std::string& child) const {
        std::vector<const XmlElement*> found;
        for (const XmlElement& element : children)
            if (element.name == child)
                found.push_back(&element);
        return found;
    }
    const XmlElement* first(const std::string& child) const {
        const auto found = all(child);
        return found.empty() ? nullptr : found.front();
    }
    /// Text of the first child of this name; empty without.
    std::string of(const std::string& child) const {
        const XmlElement* element = first(child);
        return element == nullptr ? "" : element->text;
    }
};

class StrictXml {
public:
    /// Throws std::runtime_error with the place.
    static XmlElement read(std::string_view text) {
        StrictXml reader(text);
        reader.expect("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        reader.skipSpace();
        XmlElement root = reader.element();
        reader.skipSpace();
        if (reader.at_ != text.size())
            reader.fail("text behind the root");
        return root;
    }

private:
    explicit StrictXml(std::string_view text) : text_(text) {}

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " at byte " + std::to_string(at_));
    }
    char peek() const {
        if (at_ >= text_.size())
            fail("the end");
        return text_[at_];
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word))
            return false;
        at_ += word.size();
        return true;
    }
    void expect(std::string_view word) {
        if (!take(word))
            fail("no " + std::string(word));
    }
    void skipSpace() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }
    std::string name() {
        std::string found;
        while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_' ||
               peek() == ':' || peek() == '-' || peek() == '.')
            found += text_[at_++];
        if (found.empty() || std::isalpha(static_cast<unsigned char>(found[0])) == 0)
            fail("no name");
        return found;
    }
    /// Up to `end`, which is not taken.
    std::string characters(char end) {
        std::string found;
        while (peek() != end) {
            if (peek() == '<')
                fail("'<' in a text");
            found += peek() == '&' ? entity() : text_[at_++];
        }
        return found;
    }
    char entity() {
        static const std::map<std::string, char> kEntities = {
            {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
        for (const auto& [word, character] : kEntities)
            if (take(word))
                return character;
        fail("an unknown entity");
    }
    XmlElement element() {
        XmlElement found;
        expect("<");
        found.name = name();
        for (skipSpace(); peek() != '>' && peek() != '/'; skipSpace()) {
            const std::string key = name();
            expect("=\"");
            if (!found.attributes.emplace(key, characters('"')).second)
                fail("'" + key + "' twice");
            expect("\"");
        }
        if (take("/>"))
            return found;
        expect(">");
        content(found);
        expect("</" + found.name + ">");
        return found;
    }
    void content(XmlElement& found) {
        skipSpace();
        while (!text_.substr(at_).starts_with("</")) {
            if (peek() == '<')
                found.children.push_back(element());
            else
                found.text += characters('<');
            if (!found.text.empty() && !found.children.empty())
                fail("text beside elements in " + found.name);
            skipSpace();
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace marquetry::test
