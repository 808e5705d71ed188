#include "engine/egraph/serialize.h"

#include <charconv>
#include <map>
#include <optional>

namespace marquetry::egraph {

namespace {

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
        : graph_(graph), result_{EGraph(std::move(language)), {}, {}, {}} {}

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
        findNodes();
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

    /// The live e-node of every node: the one congruent to it under the final classes.
    void findNodes() {
        result_.nodeOf.resize(graph_.nodes.size());
        std::vector<EClassId> children;
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            if (!result_.classOf[i].valid())
                continue;
            children.clear();
            for (const std::size_t child : graph_.nodes[i].children)
                children.push_back(result_.egraph.find(built_[nodeClass_[child]]));
            const auto node = result_.egraph.lookupNode(labels_[i].op, labels_[i].params, children);
            ENGINE_ASSERT(node.has_value(), "an added e-node is found again");
            result_.nodeOf[i] = *node;
        }
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
