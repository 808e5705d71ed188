// Shared: a container that is copied by sharing it, for values that many hold and nobody changes.
//
// Reads like the container itself; an empty one takes no memory. A copy costs one pointer,
// whatever it holds. Thread rule: as std::shared_ptr; what is shared is immutable.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>

namespace marquetry {

template <class Container>
class Shared {
public:
    using value_type = typename Container::value_type;
    using const_iterator = typename Container::const_iterator;

    Shared() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a container is assigned to what shares it
    Shared(Container value) : shared_(std::make_shared<const Container>(std::move(value))) {}
    Shared(std::initializer_list<value_type> values) : Shared(Container(values)) {}
    /// Null: empty. The pointer may keep something larger alive, of which this is a part.
    explicit Shared(std::shared_ptr<const Container> shared) : shared_(std::move(shared)) {}

    const Container& operator*() const { return shared_ ? *shared_ : none(); }
    const Container* operator->() const { return &**this; }
    // NOLINTNEXTLINE(google-explicit-constructor): it is read as the container
    operator const Container&() const { return **this; }

    const_iterator begin() const { return (**this).begin(); }
    const_iterator end() const { return (**this).end(); }
    std::size_t size() const { return (**this).size(); }
    bool empty() const { return (**this).empty(); }
    const value_type& operator[](std::size_t k) const { return (**this)[k]; }
    // Of a map.
    template <class Key>
    bool contains(const Key& key) const {
        return (**this).contains(key);
    }
    template <class Key>
    const_iterator find(const Key& key) const {
        return (**this).find(key);
    }
    template <class Key>
    const auto& at(const Key& key) const {
        return (**this).at(key);
    }
    const value_type& front() const { return (**this).front(); }
    const value_type& back() const { return (**this).back(); }

    /// The container, as a copy that no one else holds yet, to be changed before it is shared.
    Container& edit() {
        auto own = std::make_shared<Container>(**this);
        Container& value = *own;
        shared_ = std::move(own);
        return value;
    }

    /// Whether the same object is held, which is less than to be equal.
    bool same(const Shared& other) const { return shared_ == other.shared_; }
    bool operator==(const Shared& other) const { return same(other) || **this == *other; }

private:
    static const Container& none() {
        static const Container empty;
        return empty;
    }

    std::shared_ptr<const Container> shared_;
};

} // namespace marquetry
