// SPDX-License-Identifier: BSD-3-Clause
// The visitors that packing.cpp shows the members of an object to.
#include "frond/cpu/packing.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/types.hpp"
#include "packed_members.hpp"

#include <atomic>
#include <cstring>
#include <vector>

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

namespace {

struct Header {
    char kind[8] = {};
    std::uint32_t scalar_bytes = 0;
    std::uint32_t is_complex = 0;
    count_t bytes = 0;  // with the header
    count_t unused[5] = {};
};
static_assert(sizeof(Header) == packed_header_bytes);

template <class T>
Header header_of(const char (&kind)[8], count_t bytes) {
    Header header;
    std::memcpy(header.kind, kind, sizeof kind);
    header.scalar_bytes = sizeof(T);
    header.is_complex = is_complex<T> ? 1 : 0;
    header.bytes = bytes;
    return header;
}

/// The header of data without scalars.
Header header_without_scalar(const char (&kind)[8], count_t bytes) {
    Header header = header_of<double>(kind, bytes);
    header.scalar_bytes = 0;
    return header;
}
Header header_of(const PivotOutcome&, count_t bytes) { return header_without_scalar("outcome", bytes); }
Header header_of(const RowExchanges&, count_t bytes) { return header_without_scalar("rows   ", bytes); }

#define FROND_HEADER_OF(Object, kind)                   \
    template <class T>                                  \
    Header header_of(const Object<T>&, count_t bytes) { \
        return header_of<T>(kind, bytes);               \
    }
FROND_HEADER_OF(FailedColumns, "failed ")
FROND_HEADER_OF(DelayedColumns, "delayed")
FROND_HEADER_OF(SecondPass, "second ")
FROND_HEADER_OF(AcceptedPanel, "accept ")
FROND_HEADER_OF(FailedPart, "part   ")
FROND_HEADER_OF(FailedParts, "parts  ")
FROND_HEADER_OF(PanelPivots, "panel  ")
FROND_HEADER_OF(SubtreePivots, "subtree")
FROND_HEADER_OF(PiecePivots, "piece  ")
#undef FROND_HEADER_OF

/// Stands for any data.
Header header_of_stopped() {
    Header header = header_of<double>("stopped", packed_header_bytes);
    header.scalar_bytes = 0;
    return header;
}

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

void pack_stopped(unsigned char* to) {
    const Header header = header_of_stopped();
    std::memcpy(to, &header, sizeof header);
}

bool is_stopped(const unsigned char* from, count_t bytes) {
    const Header header = header_of_stopped();
    return bytes == packed_header_bytes && std::memcmp(from, &header, sizeof header) == 0;
}

#define FROND_INSTANTIATE_COLUMNS(...)                                   \
    template count_t packed_bytes<__VA_ARGS__>(const __VA_ARGS__&);      \
    template void pack<__VA_ARGS__>(const __VA_ARGS__&, unsigned char*); \
    template void unpack<__VA_ARGS__>(const unsigned char*, count_t, __VA_ARGS__&);
FROND_INSTANTIATE_COLUMNS(PivotOutcome)
FROND_INSTANTIATE_COLUMNS(RowExchanges)
#define FROND_INSTANTIATE(T)                     \
    FROND_INSTANTIATE_COLUMNS(FailedColumns<T>)  \
    FROND_INSTANTIATE_COLUMNS(DelayedColumns<T>) \
    FROND_INSTANTIATE_COLUMNS(SecondPass<T>)     \
    FROND_INSTANTIATE_COLUMNS(AcceptedPanel<T>)  \
    FROND_INSTANTIATE_COLUMNS(FailedPart<T>)     \
    FROND_INSTANTIATE_COLUMNS(FailedParts<T>)    \
    FROND_INSTANTIATE_COLUMNS(PanelPivots<T>)    \
    FROND_INSTANTIATE_COLUMNS(SubtreePivots<T>)  \
    FROND_INSTANTIATE_COLUMNS(PiecePivots<T>)
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
