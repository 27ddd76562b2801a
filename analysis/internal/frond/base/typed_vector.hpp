// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/base/vector_index.hpp"

namespace frond {

/// A vector with an index of a type of its own, an enumeration over index_t: where several kinds of index meet in one
/// function, none is taken for another.
template <class Index, class Value>
class TypedVector {
public:
    TypedVector() = default;
    explicit TypedVector(std::size_t size, const Value& value = {}) : values_(size, value) {}

    Value& operator[](Index i) { return values_[at(static_cast<index_t>(i))]; }
    const Value& operator[](Index i) const { return values_[at(static_cast<index_t>(i))]; }
    const std::vector<Value>& all() const { return values_; }
    void push_back(const Value& value) { values_.push_back(value); }
    void fill(const Value& value) { values_.assign(values_.size(), value); }

private:
    std::vector<Value> values_;
};

}  // namespace frond
