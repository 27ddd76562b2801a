// SPDX-License-Identifier: BSD-3-Clause
// The visitors that packing.cpp shows the members of an object to.
#pragma once

#include <atomic>
#include <cstring>
#include <vector>

#include "frond/base/error.hpp"
#include "frond/base/types.hpp"

namespace frond::cpu {

/// A visitor that hands each piece of memory to `Act`: numbers as they are, lists after their length.
template <class Act>
class Packer {
public:
    explicit Packer(Act act) : act_(act) {}

    template <class Number>
    void operator()(const Number& number) {
        act_(&number, sizeof number);
    }
    template <class Value, class Allocator>
    void operator()(const std::vector<Value, Allocator>& list) {
        set_size(list);
        act_(list.data(), list.size() * sizeof(Value));
    }
    template <class Value>
    void operator()(const std::atomic<Value>& number) {
        (*this)(number.load());
    }
    template <class List>
    void set_size(const List& list) {
        (*this)(static_cast<count_t>(list.size()));
    }
    /// Numbers of which the receiver knows how many there are.
    template <class Value>
    void array(const Value* values, count_t size) {
        act_(values, static_cast<std::size_t>(size) * sizeof(Value));
    }
    /// A number that the receiver has, too.
    template <class Number>
    void known(const Number& number) {
        (*this)(number);
    }

private:
    Act act_;
};

class Unpacker {
public:
    Unpacker(const unsigned char* from, const unsigned char* end) : from_(from), end_(end) {}

    template <class Number>
    void operator()(Number& number) {
        take(&number, sizeof number);
    }
    template <class Value, class Allocator>
    void operator()(std::vector<Value, Allocator>& list) {
        set_size(list);
        take(list.data(), list.size() * sizeof(Value));
    }
    /// The list is new: its capacity is its size, as accounts count it.
    template <class List>
    void set_size(List& list) {
        count_t size = 0;
        (*this)(size);
        constexpr count_t least = sizeof(typename List::value_type) < 8 ? sizeof(typename List::value_type) : 8;
        if (size < 0 || size > left() / least) refuse();
        list = List();
        list = List(static_cast<std::size_t>(size));
    }
    template <class Value>
    void operator()(std::atomic<Value>& number) {
        Value value{};
        (*this)(value);
        number.store(value);
    }
    template <class Value>
    void array(Value* values, count_t size) {
        take(values, static_cast<std::size_t>(size) * sizeof(Value));
    }
    template <class Number>
    void known(const Number& number) {
        Number sent{};
        (*this)(sent);
        if (sent != number) refuse();
    }
    count_t left() const { return end_ - from_; }

    [[noreturn]] static void refuse() {
        throw RuntimeError("internal: what was received is not the columns that were expected");
    }

private:
    void take(void* to, std::size_t bytes) {
        if (static_cast<count_t>(bytes) > left()) refuse();
        if (bytes > 0) std::memcpy(to, from_, bytes);
        from_ += bytes;
    }

    const unsigned char* from_;
    const unsigned char* end_;
};

}  // namespace frond::cpu
