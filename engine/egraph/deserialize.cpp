#include "engine/egraph/serialize.h"

#include "engine/support/json.h"
#include "engine/support/json_depth.h"
#include "engine/support/text_place.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace marquetry::egraph {

namespace {

using ParsedJson = nlohmann::json;

/// First pass: the ids of "nodes" in file order and those given twice, which a parsed object
/// forgets. A handler of its own because the parser's callback is quadratic in wide objects.
class KeyScan : public nlohmann::json_sax<ParsedJson> {
public:
    std::vector<std::string> ids;
    std::vector<std::string> repeated;
    std::vector<std::string> classIds; ///< of "class_data", in file order
    std::optional<Diagnostic> syntaxError;

    explicit KeyScan(std::string_view text) : text_(text) {}

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_array() override { return leave(); }
    bool key(string_t& name) override {
        if (depth_ == 1)
            section_ = name;
        else if (depth_ == 2 && section_ == "nodes")
            (seen_.insert(name).second ? ids : repeated).push_back(name);
        else if (depth_ == 2 && section_ == "class_data")
            classIds.push_back(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) override {
        constexpr int kNumberOverflow = 406;
        const bool number = error.id == kNumberOverflow;
        const bool named = token.find_first_of("NI") != std::string::npos; // NaN, Infinity
        syntaxError = makeError(number ? "bad-cost" : "json-syntax", error.what(),
                                number || named ? "JSON has no NaN and no infinity; leave nodes "
                                                  "that must not be chosen out"
                                                : "");
        // The parser has read the byte that is wrong.
        const std::size_t read = std::min(position, text_.size());
        syntaxError->range = placeAt(text_, read - std::min<std::size_t>(read, 1));
        return false;
    }

private:
    bool enter() {
        ++depth_;
        return true;
    }
    bool leave() {
        --depth_;
        return true;
    }

    std::string_view text_;
    std::set<std::string> seen_;
    std::size_t depth_ = 0;
    std::string section_;
};

class Reader {
public:
    Result<SerializedGraph> read(std::string_view text) {
        const ParsedJson document = parseText(text);
        if (errors_.empty())
            readNodes(document);
        if (errors_.empty())
            linkChildren(document["nodes"]);
        if (errors_.empty())
            readRoots(document);
        if (errors_.empty())
            readClassData(document);
        if (!errors_.empty())
            return std::move(errors_);
        return std::move(graph_);
    }

private:
    void fail(std::string code, std::string message) {
        errors_.push_back(makeError(std::move(code), std::move(message)));
    }

    ParsedJson parseText(std::string_view text) {
        KeyScan scan(text);
        if (!ParsedJson::sax_parse(text, &scan)) {
            errors_.push_back(std::move(*scan.syntaxError));
            return {};
        }
        if (nestsTooDeep(text)) {
            fail("json-format",
                 "lists or objects nest deeper than " + std::to_string(kMaxJsonDepth) + " levels");
            return {};
        }
        for (const std::string& id : scan.repeated)
            fail("duplicate-node", "the node '" + id + "' is given twice");
        for (const std::string& id : scan.ids)
            index_.emplace(id, index_.size());
        order_ = std::move(scan.ids);
        classIds_ = std::move(scan.classIds);
        return ParsedJson::parse(text, nullptr, false);
    }

    void readNodes(const ParsedJson& document) {
        if (!document.is_object() || !document.contains("nodes") || !document["nodes"].is_object())
            return fail("json-format", "expected an object with an object \"nodes\"");
        for (const std::string& id : order_) {
            const auto node = document["nodes"].find(id);
            if (node != document["nodes"].end() && node->is_object() && node->contains("cost") &&
                node->at("cost").is_null()) {
                fail("bad-cost", "the cost of the node '" + id +
                                     "' is null, as infinite and undefined numbers are written");
                continue;
            }
            if (node == document["nodes"].end() || !wellFormed(*node)) {
                fail("json-format", "the node '" + id +
                                        "' needs strings \"op\" and \"eclass\", a list "
                                        "\"children\" and, if given, a number \"cost\"");
                continue;
            }
            graph_.nodes.push_back({id,
                                    (*node)["op"],
                                    (*node)["eclass"],
                                    {},
                                    node->value("cost", 1.0),
                                    node->value("subsumed", false)});
        }
    }

    static bool wellFormed(const ParsedJson& node) {
        const auto is = [&node](const char* key, auto type, bool needed) {
            return node.contains(key) ? (node[key].*type)() : !needed;
        };
        return node.is_object() && is("op", &ParsedJson::is_string, true) &&
               is("eclass", &ParsedJson::is_string, true) &&
               is("children", &ParsedJson::is_array, true) &&
               is("cost", &ParsedJson::is_number, false) &&
               is("subsumed", &ParsedJson::is_boolean, false);
    }

    void linkChildren(const ParsedJson& nodes) {
        for (SerializedNode& node : graph_.nodes)
            for (const ParsedJson& child : nodes[node.id]["children"]) {
                const std::string name = child.is_string() ? child.get<std::string>() : "";
                const auto target = index_.find(name);
                if (target == index_.end())
                    fail("missing-node", "the node '" + node.id + "' has the child '" + name +
                                             "', which is no node of the file");
                else
                    node.children.push_back(target->second);
            }
    }

    void readRoots(const ParsedJson& document) {
        const auto roots = document.find("root_eclasses");
        if (roots == document.end())
            return;
        if (!roots->is_array())
            return fail("json-format", "\"root_eclasses\" is not a list");
        std::set<std::string> classes;
        for (const SerializedNode& node : graph_.nodes)
            classes.insert(node.eclass);
        for (const ParsedJson& root : *roots) {
            const std::string name = root.is_string() ? root.get<std::string>() : "";
            if (!classes.contains(name))
                fail("missing-class", "the root e-class '" + name + "' has no node");
            else
                graph_.roots.push_back(name);
        }
    }

    void readClassData(const ParsedJson& document) {
        const auto data = document.find("class_data");
        if (data == document.end())
            return;
        if (!data->is_object())
            return fail("json-format", "\"class_data\" is not an object");
        std::set<std::string> seen;
        for (const std::string& id : classIds_)
            if (seen.insert(id).second)
                graph_.classData.emplace_back(
                    id, data->at(id).dump(-1, ' ', false, ParsedJson::error_handler_t::replace));
    }

    SerializedGraph graph_;
    std::vector<std::string> order_;    ///< node ids in file order
    std::vector<std::string> classIds_; ///< of "class_data", in file order
    std::map<std::string, std::size_t> index_;
    Diagnostics errors_;
};

} // namespace

Result<SerializedGraph> parseJson(std::string_view text) {
    return Reader().read(text);
}

} // namespace marquetry::egraph
