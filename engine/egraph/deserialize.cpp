#include "engine/egraph/serialize.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <map>
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
    std::string syntaxError;

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
            inNodes_ = name == "nodes";
        else if (depth_ == 2 && inNodes_)
            (seen_.insert(name).second ? ids : repeated).push_back(name);
        return true;
    }
    bool parse_error(std::size_t, const std::string&,
                     const nlohmann::detail::exception& error) override {
        syntaxError = error.what();
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

    std::set<std::string> seen_;
    std::size_t depth_ = 0;
    bool inNodes_ = false;
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
        if (!errors_.empty())
            return std::move(errors_);
        return std::move(graph_);
    }

private:
    void fail(std::string code, std::string message) {
        errors_.push_back(makeError(std::move(code), std::move(message)));
    }

    ParsedJson parseText(std::string_view text) {
        KeyScan scan;
        if (!ParsedJson::sax_parse(text, &scan)) {
            fail("json-syntax", scan.syntaxError);
            return {};
        }
        for (const std::string& id : scan.repeated)
            fail("duplicate-node", "the node '" + id + "' is given twice");
        for (const std::string& id : scan.ids)
            index_.emplace(id, index_.size());
        order_ = std::move(scan.ids);
        return ParsedJson::parse(text, nullptr, false);
    }

    void readNodes(const ParsedJson& document) {
        if (!document.is_object() || !document.contains("nodes") || !document["nodes"].is_object())
            return fail("json-format", "expected an object with an object \"nodes\"");
        for (const std::string& id : order_) {
            const auto node = document["nodes"].find(id);
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

    SerializedGraph graph_;
    std::vector<std::string> order_; ///< node ids in file order
    std::map<std::string, std::size_t> index_;
    Diagnostics errors_;
};

struct Label {
    OpId op;
    std::vector<Param> params;
};

/// "name" or "name[1,2]"; a name of the language wins over the reading with parameters.
std::optional<Label> parseLabel(const Language& language, const std::string& text) {
    if (const auto op = language.findOp(text))
        return Label{*op, {}};
    const std::size_t open = text.rfind('[');
    if (open == std::string::npos || text.back() != ']')
        return std::nullopt;
    const auto op = language.findOp(std::string_view(text).substr(0, open));
    if (!op)
        return std::nullopt;
    Label label{*op, {}};
    const char* at = text.data() + open + 1;
    const char* const end = text.data() + text.size() - 1;
    while (true) {
        Param value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc{} || (next != end && *next != ','))
            return std::nullopt;
        label.params.push_back(value);
        if (next == end)
            return label;
        at = next + 1;
    }
}

/// Adds a node once the classes of all its children exist; a worklist instead of recursion.
class Importer {
public:
    Importer(const SerializedGraph& graph, std::shared_ptr<const Language> language)
        : graph_(graph), result_{EGraph(std::move(language)), {}, {}} {}

    Result<ImportedGraph> run() {
        readLabels();
        if (!errors_.empty())
            return std::move(errors_);
        addGrounded();
        if (!errors_.empty())
            return std::move(errors_);
        result_.egraph.rebuild();
        for (EClassId& id : result_.classOf)
            id = id.valid() ? result_.egraph.find(id) : id;
        for (const std::string& root : graph_.roots)
            result_.roots.push_back(result_.egraph.find(built_[classes_.at(root)]));
        return std::move(result_);
    }

private:
    void fail(std::string code, std::string message) {
        errors_.push_back(makeError(std::move(code), std::move(message)));
    }

    void readLabels() {
        const Language& language = result_.egraph.language();
        for (const SerializedNode& node : graph_.nodes) {
            nodeClass_.push_back(classes_.emplace(node.eclass, classes_.size()).first->second);
            auto label = parseLabel(language, node.op);
            if (!label)
                fail("unknown-operator",
                     "the node '" + node.id + "' has the unknown operator '" + node.op + "'");
            else if (!language.acceptsParamCount(label->op, label->params.size()) ||
                     !language.acceptsChildCount(label->op, node.children.size()))
                fail("bad-arity",
                     "the node '" + node.id + "' has a wrong number of parameters or children");
            labels_.push_back(std::move(label).value_or(Label{}));
        }
    }

    void addGrounded() {
        const std::size_t count = graph_.nodes.size();
        built_.resize(classes_.size());
        result_.classOf.resize(count);
        std::vector<std::size_t> missing(count);
        std::vector<std::vector<std::size_t>> waiting(classes_.size());
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < count; ++i) {
            if (graph_.nodes[i].subsumed)
                continue;
            missing[i] = graph_.nodes[i].children.size();
            for (std::size_t child : graph_.nodes[i].children)
                waiting[nodeClass_[child]].push_back(i);
            if (missing[i] == 0)
                ready.push_back(i);
        }
        for (std::size_t at = 0; at < ready.size() && errors_.empty(); ++at) {
            const std::size_t i = ready[at];
            if (!addNode(i))
                continue;
            for (std::size_t user : waiting[nodeClass_[i]])
                if (--missing[user] == 0)
                    ready.push_back(user);
        }
        for (std::size_t i = 0; i < count && errors_.empty(); ++i)
            if (!built_[nodeClass_[i]].valid())
                fail("ungrounded-class", "no node of the e-class '" + graph_.nodes[i].eclass +
                                             "' stands for a finite term");
    }

    /// True when the node is the first of its class.
    bool addNode(std::size_t i) {
        EGraph& egraph = result_.egraph;
        const Language& language = egraph.language();
        const Label& label = labels_[i];
        std::vector<EClassId> children;
        bool sortsFit = true;
        for (std::size_t child : graph_.nodes[i].children) {
            const EClassId id = built_[nodeClass_[child]];
            sortsFit &= egraph.sort(id) == language.childSort(label.op, children.size());
            children.push_back(id);
        }
        EClassId& home = built_[nodeClass_[i]];
        if (home.valid())
            sortsFit &= egraph.sort(home) == language.result(label.op);
        if (!sortsFit) {
            fail("bad-sort", "the node '" + graph_.nodes[i].id +
                                 "' has a child, or is in an e-class, of another sort");
            return false;
        }
        const EClassId id = egraph.add(label.op, label.params, children);
        result_.classOf[i] = id;
        if (home.valid()) {
            egraph.merge(home, id);
            return false;
        }
        home = id;
        return true;
    }

    const SerializedGraph& graph_;
    ImportedGraph result_;
    std::map<std::string, std::size_t> classes_; ///< name to number, by first node
    std::vector<std::size_t> nodeClass_;         ///< by node
    std::vector<Label> labels_;                  ///< by node
    std::vector<EClassId> built_;                ///< by class number; invalid = not yet
    Diagnostics errors_;
};

} // namespace

Result<SerializedGraph> parseJson(std::string_view text) {
    return Reader().read(text);
}

Result<ImportedGraph> importGraph(const SerializedGraph& graph,
                                  std::shared_ptr<const Language> language) {
    return Importer(graph, std::move(language)).run();
}

std::shared_ptr<const Language> languageOf(const SerializedGraph& graph) {
    auto language = std::make_shared<Language>();
    const SortId sort = language->addSort("any");
    for (const SerializedNode& node : graph.nodes)
        if (!language->findOp(node.op))
            language->addOp({node.op, sort, {sort}, 0, true, false});
    return language;
}

} // namespace marquetry::egraph
