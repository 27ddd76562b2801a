// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/packing.hpp"

#include <cstring>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "frond/cpu/subtree.hpp"

namespace frond::cpu {
namespace {

struct Header {
    char kind[8] = {};
    std::uint32_t scalar_bytes = 0;
    std::uint32_t is_complex = 0;
    count_t bytes = 0;  // with the header
    count_t unused[5] = {};
};
static_assert(sizeof(Header) == 64);

// The members that travel, in their order.

template <class... Members>
void visit_each(auto& visit, Members&... members) {
    (visit(members), ...);
}

template <class T>
void visit_members(FailedColumns<T>& c, auto& visit) {
    visit_each(visit, c.npiv, c.ncb, c.row_position, c.column_position, c.own_rows, c.own_columns, c.square, c.below,
               c.right);
}

template <class T>
void visit_members(DelayedColumns<T>& c, auto& visit) {
    visit_each(visit, c.ncb, c.row_position, c.column_position, c.columns, c.row_part);
}

template <class T>
void visit_members(SecondPass<T>& c, auto& visit) {
    visit_each(visit, c.npiv, c.ncb, c.kept, c.row_position, c.column_position, c.row_position_after, c.null_columns,
               c.null_rows, c.null_rest, c.search_flops, c.own_rows, c.own_columns, c.panel, c.upper, c.pivots);
}

template <class T>
void visit_members(SubtreeSecondPasses<T>& c, auto& visit) {
    visit.set_size(c.fronts);
    for (auto& hard : c.fronts) {
        visit_each(visit, hard.front, hard.tried_pivots, hard.tried_rows);
        visit_members(hard.second_pass, visit);
    }
}

template <class T>
Header header_of(const char (&kind)[8], count_t bytes) {
    Header header;
    std::memcpy(header.kind, kind, sizeof kind);
    header.scalar_bytes = sizeof(T);
    header.is_complex = is_complex<T> ? 1 : 0;
    header.bytes = bytes;
    return header;
}

template <class T>
Header header_of(const FailedColumns<T>&, count_t bytes) {
    return header_of<T>("failed ", bytes);
}
template <class T>
Header header_of(const DelayedColumns<T>&, count_t bytes) {
    return header_of<T>("delayed", bytes);
}
template <class T>
Header header_of(const SecondPass<T>&, count_t bytes) {
    return header_of<T>("second ", bytes);
}
template <class T>
Header header_of(const SubtreeSecondPasses<T>&, count_t bytes) {
    return header_of<T>("subtree", bytes);
}

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
    template <class List>
    void set_size(const List& list) {
        (*this)(static_cast<count_t>(list.size()));
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

/// Packers only read.
template <class Columns, class Act>
void pack_members(const Columns& columns, Act act) {
    Packer<Act> packer(act);
    visit_members(const_cast<Columns&>(columns), packer);
}

}  // namespace

template <class Columns>
count_t packed_bytes(const Columns& columns) {
    std::size_t bytes = sizeof(Header);
    pack_members(columns, [&bytes](const void*, std::size_t size) { bytes += size; });
    return static_cast<count_t>(bytes);
}

template <class Columns>
void pack(const Columns& columns, unsigned char* to) {
    const Header header = header_of(columns, packed_bytes(columns));
    std::memcpy(to, &header, sizeof header);
    to += sizeof header;
    pack_members(columns, [&to](const void* from, std::size_t size) {
        if (size > 0) std::memcpy(to, from, size);
        to += size;
    });
}

template <class Columns>
void unpack(const unsigned char* from, count_t bytes, Columns& columns) {
    const Header expected = header_of(columns, bytes);
    if (bytes < static_cast<count_t>(sizeof expected) || std::memcmp(from, &expected, sizeof expected) != 0)
        Unpacker::refuse();
    Unpacker unpacker(from + sizeof expected, from + bytes);
    visit_members(columns, unpacker);
    if (unpacker.left() != 0) Unpacker::refuse();
}

#define FROND_INSTANTIATE_COLUMNS(...)                                   \
    template count_t packed_bytes<__VA_ARGS__>(const __VA_ARGS__&);      \
    template void pack<__VA_ARGS__>(const __VA_ARGS__&, unsigned char*); \
    template void unpack<__VA_ARGS__>(const unsigned char*, count_t, __VA_ARGS__&);
#define FROND_INSTANTIATE(T)                     \
    FROND_INSTANTIATE_COLUMNS(FailedColumns<T>)  \
    FROND_INSTANTIATE_COLUMNS(DelayedColumns<T>) \
    FROND_INSTANTIATE_COLUMNS(SecondPass<T>)     \
    FROND_INSTANTIATE_COLUMNS(SubtreeSecondPasses<T>)
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
