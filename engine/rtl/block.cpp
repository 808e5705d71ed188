#include "engine/rtl/block.h"

#include "engine/rtl/module.h"
#include "engine/support/assert.h"

namespace marquetry::rtl {

std::vector<Statement> Block::inner(const Body& body) {
    Block block(module_);
    body(block);
    return std::move(block).statements();
}

void Block::set(const Expr& target, const Expr& value) {
    if (target.size() == Size(0))
        return;
    ENGINE_ASSERT(target.size() == value.size(), "both sides of an assignment have one width");
    statements_.push_back({Statement::Kind::Set, target, value, {}, nullptr, {}});
}

Block& Block::when(const Expr& condition, const Body& body) {
    ENGINE_ASSERT(condition.size() == Size(1), "a condition is one bit");
    statements_.push_back({Statement::Kind::When, {}, {}, {{condition, inner(body)}}, nullptr, {}});
    return *this;
}

Block& Block::orWhen(const Expr& condition, const Body& body) {
    ENGINE_ASSERT(condition.size() == Size(1), "a condition is one bit");
    ENGINE_ASSERT(!statements_.empty() && statements_.back().kind == Statement::Kind::When,
                  "another condition follows a first one");
    statements_.back().branches.push_back({condition, inner(body)});
    return *this;
}

void Block::otherwise(const Body& body) {
    ENGINE_ASSERT(!statements_.empty() && statements_.back().kind == Statement::Kind::When,
                  "what is otherwise follows a condition");
    statements_.back().branches.push_back({{}, inner(body)});
}

void Block::select(const Expr& subject, const std::vector<std::pair<std::int64_t, Body>>& cases,
                   const Body& rest) {
    Statement statement{Statement::Kind::Select, {}, subject, {}, nullptr, {}};
    for (const auto& [value, body] : cases)
        statement.branches.push_back({constantLike(subject, value), inner(body)});
    if (rest)
        statement.branches.push_back({{}, inner(rest)});
    const bool complete = subject.width() < 32 && std::ssize(cases) == std::int64_t{1}
                                                                           << subject.width();
    ENGINE_ASSERT(rest || complete, "a selection says what happens in every case");
    statements_.push_back(std::move(statement));
}

void Block::repeat(const std::string& variable, const Size& count,
                   const std::function<void(Block&, const Size&)>& body) {
    const Size at = module_.number(variable, SizeVariable::Kind::Integer);
    Block block(module_);
    body(block, at);
    statements_.push_back({Statement::Kind::Repeat,
                           {},
                           {},
                           {{{}, std::move(block).statements()}},
                           at.variables()[0],
                           count});
}

} // namespace marquetry::rtl
