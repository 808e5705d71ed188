// The matches that one search of one rule found, until they are applied.
//
// Millions of them are kept at a time, so they lie in chunks: growing copies nothing, and what has
// been applied is given back in the middle of the list.
// Complexity: O(1) per operation. Thread rule: one owner.
#pragma once

#include "engine/egraph/enode.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace marquetry::egraph {

/// Rows of equal length.
template <class T>
class RowList {
public:
    explicit RowList(std::size_t length = 0) : length_(length) {}

    std::size_t size() const { return size_; }
    T* operator[](std::size_t i) const {
        return chunks_[i / kChunkRows].get() + i % kChunkRows * length_;
    }
    /// Adds a row to be filled in.
    T* extend() {
        if (size_ == chunks_.size() * kChunkRows)
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunkRows * length_));
        return (*this)[size_++];
    }
    /// Keeps the memory. Nothing was dropped.
    void clear() { size_ = 0; }
    /// Gives back the memory of rows before row `i`, which are not read any more.
    void dropBefore(std::size_t i) {
        for (const std::size_t end = i / kChunkRows; dropped_ < end; ++dropped_)
            chunks_[dropped_].reset();
    }
    std::size_t bytes() const {
        return (chunks_.size() - dropped_) * kChunkRows * length_ * sizeof(T);
    }

private:
    static constexpr std::size_t kChunkRows = 1024;

    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t length_;
    std::size_t size_ = 0;
    std::size_t dropped_ = 0; ///< chunks
};

/// Matches by value: the root e-node, then the class variables; parameters beside them.
class MatchBuffer {
public:
    MatchBuffer() : MatchBuffer(0, 0) {}
    MatchBuffer(std::size_t classes, std::size_t params)
        : ids_(1 + classes), params_(params), classCount_(classes), paramCount_(params) {}

    std::size_t size() const { return ids_.size(); }
    std::size_t classCount() const { return classCount_; }
    std::size_t paramCount() const { return paramCount_; }
    ENodeId root(std::size_t i) const { return ENodeId{ids_[i]->value()}; }
    const EClassId* classes(std::size_t i) const { return ids_[i] + 1; }
    const Param* params(std::size_t i) const { return paramCount_ == 0 ? nullptr : params_[i]; }
    void push(ENodeId root, const EClassId* classes, const Param* params) {
        EClassId* const row = ids_.extend();
        row[0] = EClassId{root.value()};
        for (std::size_t k = 0; k < classCount_; ++k)
            row[1 + k] = classes[k];
        if (paramCount_ > 0)
            std::copy_n(params, paramCount_, params_.extend());
    }
    void clear() {
        ids_.clear();
        params_.clear();
    }
    void dropBefore(std::size_t i) {
        ids_.dropBefore(i);
        if (paramCount_ > 0)
            params_.dropBefore(i);
    }
    std::size_t bytes() const { return ids_.bytes() + params_.bytes(); }

private:
    RowList<EClassId> ids_; ///< the root e-node by its class's number, the variables
    RowList<Param> params_; ///< empty without parameters
    std::size_t classCount_;
    std::size_t paramCount_;
};

} // namespace marquetry::egraph
