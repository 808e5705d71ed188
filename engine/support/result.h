// Result<T>: a value, or the diagnostics that say why there is none.
//
// The interface is a subset of std::expected (has_value, operator*, error, value_or, transform,
// and_then), so that it can become an alias once the compiler has it. The error type is a
// non-empty list of diagnostics because one run reports several mistakes.
//
// Thread rule: a value type; no shared state.
#pragma once

#include "engine/support/assert.h"
#include "engine/support/diagnostic.h"

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace marquetry {

struct Nothing {};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic error) : state_(std::in_place_index<1>, Diagnostics{std::move(error)}) {}
    Result(Diagnostics errors) : state_(std::in_place_index<1>, std::move(errors)) {
        ENGINE_ASSERT(!error().empty(), "an error result needs a diagnostic");
    }

    // The alternative is copied before there is a variant to hold it: libstdc++ takes variants of
    // vectors and strings for ones that always have a value, and destroys one that it has not when
    // a copy throws.
    Result(const Result& other) requires std::is_copy_constructible_v<T> : state_(other.copied()) {}
    Result(Result&&) = default;
    Result& operator=(const Result& other) requires std::is_copy_constructible_v<T> {
        state_ = other.copied();
        return *this;
    }
    Result& operator=(Result&&) = default;

    bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& operator*() & { return std::get<0>(state_); }
    const T& operator*() const& { return std::get<0>(state_); }
    T&& operator*() && { return std::get<0>(std::move(state_)); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }

    const Diagnostics& error() const& { return std::get<1>(state_); }
    Diagnostics&& error() && { return std::get<1>(std::move(state_)); }

    template <class U>
    T value_or(U&& fallback) const& {
        return has_value() ? **this : static_cast<T>(std::forward<U>(fallback));
    }

    template <class F>
    auto transform(F&& f) const -> Result<std::invoke_result_t<F, const T&>> {
        if (has_value())
            return std::forward<F>(f)(**this);
        return error();
    }

    template <class F>
    auto and_then(F&& f) const -> std::invoke_result_t<F, const T&> {
        if (has_value())
            return std::forward<F>(f)(**this);
        return error();
    }

private:
    using State = std::variant<T, Diagnostics>;

    State copied() const {
        if (has_value()) {
            T value(**this);
            return State(std::in_place_index<0>, std::move(value));
        }
        Diagnostics errors(error());
        return State(std::in_place_index<1>, std::move(errors));
    }

    State state_;
};

/// Outcome of a step that yields nothing but may fail.
using Status = Result<Nothing>;
inline Status ok() {
    return Nothing{};
}

} // namespace marquetry
