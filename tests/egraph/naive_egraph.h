// An e-graph from the definitions alone: the oracle of the saturation tests. Small graphs only.
#pragma once

#include "engine/egraph/pattern.h"

#include <algorithm>
#include <compare>
#include <map>
#include <set>

namespace marquetry::egraph {

/// A second implementation from the definitions: terms are rows of a table, equality is a label
/// per row, and everything is recomputed from scratch.
class NaiveEGraph {
public:
    struct Row {
        OpId op;
        std::vector<Param> params;
        std::vector<std::size_t> children;
        auto operator<=>(const Row&) const = default;
    };

    std::size_t add(Row row) {
        for (std::size_t& child : row.children)
            child = find(child);
        for (const auto& [known, id] : rows_)
            if (known == row)
                return find(id);
        label_.push_back(label_.size());
        rows_.emplace_back(row, label_.back());
        return label_.back();
    }
    std::size_t find(std::size_t id) const { return label_[id]; }
    void merge(std::size_t a, std::size_t b) {
        a = find(a), b = find(b);
        for (std::size_t& l : label_)
            if (l == std::max(a, b))
                l = std::min(a, b);
    }
    void close() {
        for (bool changed = true; changed;) {
            changed = false;
            std::map<Row, std::size_t> seen;
            for (auto& [row, id] : rows_) {
                for (std::size_t& child : row.children)
                    child = find(child);
                id = find(id);
                const auto [it, fresh] = seen.emplace(row, id);
                if (!fresh && find(it->second) != find(id)) {
                    merge(it->second, id);
                    changed = true;
                }
            }
            rows_.clear();
            for (const auto& [row, id] : seen)
                rows_.emplace_back(row, find(id));
        }
    }
    using Env = std::map<std::uint32_t, std::size_t>;
    void match(const Pattern& p, std::size_t at, std::size_t id, const Env& env,
               std::vector<Env>& out) const {
        const PatternNode& node = p.nodes[at];
        if (node.isVar) {
            Env next = env;
            if (next.emplace(node.var.value(), id).first->second == id)
                out.push_back(next);
            return;
        }
        for (const auto& [row, home] : rows_) {
            if (find(home) != id || row.op != node.op)
                continue;
            bool fits = true;
            for (std::size_t k = 0; k < row.params.size(); ++k)
                fits &= row.params[k] == node.params[k].literal;
            std::vector<Env> envs;
            if (fits)
                envs.push_back(env);
            for (std::size_t k = 0; k < row.children.size(); ++k) {
                std::vector<Env> extended;
                for (const Env& e : envs)
                    match(p, node.children[k], find(row.children[k]), e, extended);
                envs = std::move(extended);
            }
            out.insert(out.end(), envs.begin(), envs.end());
        }
    }
    std::size_t instantiate(const Pattern& p, const Env& env) {
        std::vector<std::size_t> built;
        for (const PatternNode& node : p.nodes) {
            if (node.isVar) {
                built.push_back(find(env.at(node.var.value())));
                continue;
            }
            Row row{node.op, {}, {}};
            for (const ParamPattern& param : node.params)
                row.params.push_back(param.literal);
            for (auto child : node.children)
                row.children.push_back(built[child]);
            built.push_back(add(row));
        }
        return built.back();
    }
    std::set<std::size_t> classes() const { return {label_.begin(), label_.end()}; }
    std::size_t rowCount() const { return rows_.size(); }

private:
    std::vector<std::pair<Row, std::size_t>> rows_;
    std::vector<std::size_t> label_;
};

} // namespace marquetry::egraph
