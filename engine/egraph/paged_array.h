// PagedArray: a growing array in pages that pictures of it can share (copy on write).
//
// share() gives a reader's copy in O(pages): it takes the page pointers, not the elements. From
// then on the owner copies a page before it first overwrites an element there; appending never
// copies, since a reader does not look past its own size. Growing never moves an element.
// Complexity: access O(1), one indirection; share() O(size / page). Elements are plain data.
// Thread rule: one owner writes; any number of shared copies are read on any thread meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace marquetry::egraph {

template <class T>
class PagedArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    PagedArray() = default;
    PagedArray(PagedArray&&) noexcept = default;
    PagedArray& operator=(PagedArray&&) noexcept = default;
    PagedArray& operator=(const PagedArray&) = delete;

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t bytes() const {
        return pages_.size() * kPageSize * sizeof(T) +
               pages_.capacity() * (sizeof(Page) + sizeof(T*) + 1);
    }

    const T& operator[](std::size_t i) const { return data_[i >> kPageBits][i & kPageMask]; }

    /// For writing; copies the page first when a reader shares it, and frees it when none does any
    /// more: references into it end.
    T& edit(std::size_t i) {
        const std::size_t page = i >> kPageBits;
        if (shared_[page])
            unshare(page);
        return data_[page][i & kPageMask];
    }

    void push_back(const T& value) {
        if ((size_ & kPageMask) == 0)
            addPage();
        data_.back()[size_ & kPageMask] = value;
        ++size_;
    }

    /// A copy for readers. Only notes which pages are shared, so the owner may be const.
    PagedArray share() const {
        std::fill(shared_.begin(), shared_.end(), std::uint8_t{1});
        return PagedArray(*this);
    }

private:
    static constexpr unsigned kPageBits = 11;
    static constexpr std::size_t kPageSize = std::size_t{1} << kPageBits;
    static constexpr std::size_t kPageMask = kPageSize - 1;
    using Page = std::shared_ptr<T[]>;

    PagedArray(const PagedArray&) = default;

    void addPage() {
        pages_.push_back(std::make_shared_for_overwrite<T[]>(kPageSize));
        data_.push_back(pages_.back().get());
        shared_.push_back(0);
    }

    void unshare(std::size_t page) {
        auto copy = std::make_shared_for_overwrite<T[]>(kPageSize);
        const std::size_t used = std::min(kPageSize, size_ - (page << kPageBits));
        std::copy_n(data_[page], used, copy.get());
        pages_[page] = std::move(copy);
        data_[page] = pages_[page].get();
        shared_[page] = 0;
    }

    std::vector<T*> data_; ///< pages_, without their owners
    std::vector<Page> pages_;
    mutable std::vector<std::uint8_t> shared_; ///< by page; belongs to the owner's thread
    std::size_t size_ = 0;
};

} // namespace marquetry::egraph
