// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/collectively.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "frond/base/error.hpp"
#include "frond/base/many_failed_columns.hpp"
#include "ranks/message.hpp"

namespace frond::detail {
namespace {

/// An exception of Frond as data.
struct ErrorData {
    ErrorCode code = ErrorCode::runtime_error;
    std::string message;
    std::string file;  // of InvalidMatrix
    count_t first_number = 0, second_number = 0;  // lines, bytes
    std::vector<index_t> columns, rows;  // of SingularMatrix
    bool has_many_failed_columns = false;  // ManyFailedColumns, whose code is that of every RuntimeError

    template <class Archive>
    void visit(Archive& archive) {
        archive(code, message, file, first_number, second_number, columns, rows, has_many_failed_columns);
    }
};

ErrorData data_of(const std::exception_ptr& error) {
    ErrorData data;
    try {
        std::rethrow_exception(error);
    } catch (const InvalidMatrix& e) {
        data = {e.code(), e.what(), e.file(), e.line(), 0, {}, {}};
    } catch (const OutOfMemory& e) {
        data = {e.code(), e.what(), {}, e.requested_bytes(), 0, {}, {}};
    } catch (const MemoryBudgetExceeded& e) {
        data = {e.code(), e.what(), {}, e.needed_bytes(), e.budget_bytes(), {}, {}};
    } catch (const SingularMatrix& e) {
        data = {e.code(), e.what(), {}, 0, 0, e.columns(), e.rows()};
    } catch (const ManyFailedColumns& e) {
        data = {e.code(), e.what(), {}, 0, 0, {}, {}, true};
    } catch (const Error& e) {
        data = {e.code(), e.what(), {}, 0, 0, {}, {}};
    } catch (const std::bad_alloc&) {
        data = {ErrorCode::out_of_memory, "the system refused memory", {}, 0, 0, {}, {}};
    } catch (const std::exception& e) {
        data = {ErrorCode::runtime_error, e.what(), {}, 0, 0, {}, {}};
    } catch (...) {
        data.message = "an unknown exception";
    }
    return data;
}

[[noreturn]] void throw_as_exception(const ErrorData& data) {
    if (data.has_many_failed_columns) throw ManyFailedColumns(data.message);
    switch (data.code) {
        case ErrorCode::invalid_argument:
            throw InvalidArgument(data.message);
        case ErrorCode::invalid_matrix:
            throw InvalidMatrix(data.message, data.file, data.first_number);
        case ErrorCode::out_of_memory:
            throw OutOfMemory(data.message, data.first_number);
        case ErrorCode::memory_budget_exceeded:
            throw MemoryBudgetExceeded(data.message, data.first_number, data.second_number);
        case ErrorCode::device_error:
            throw DeviceError(data.message);
        case ErrorCode::cancelled:
            throw Cancelled(data.message);
        case ErrorCode::singular_matrix:
            throw SingularMatrix(data.columns, data.rows);
        case ErrorCode::runtime_error:
            break;
    }
    throw RuntimeError(data.message);
}

/// The lowest rank for which it holds; size() for none.
index_t first_rank(Communicator& ranks, bool holds) {
    std::array<count_t, 1> value{holds ? -static_cast<count_t>(ranks.rank()) : -static_cast<count_t>(ranks.size())};
    ranks.all_reduce_max(value);
    return static_cast<index_t>(-value[0]);
}

template <class Object>
void broadcast_object(Communicator& ranks, Object& object, index_t root) {
    Packer packed;
    if (ranks.rank() == root) object.visit(packed);
    std::vector<std::byte> bytes = packed.bytes();
    broadcast_bytes(ranks, bytes, root);
    if (ranks.rank() == root) return;
    Unpacker unpack(bytes);
    object.visit(unpack);
}

/// Names and values of one rank.
struct ValuesData {
    std::vector<std::string> names, values;

    template <class Archive>
    void visit(Archive& archive) {
        auto count = static_cast<count_t>(names.size());
        archive(count);
        names.resize(static_cast<std::size_t>(count));
        values.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < names.size(); ++i) archive(names[i], values[i]);
    }
};

}  // namespace

void broadcast_bytes(Communicator& ranks, std::vector<std::byte>& bytes, index_t root) {
    broadcast_made(ranks, bytes, root, [] {});
}

void broadcast_made(Communicator& ranks, std::vector<std::byte>& bytes, index_t root,
                    const std::function<void()>& make) {
    constexpr count_t not_made = -1;
    std::exception_ptr error;
    try {
        if (ranks.rank() == root) make();
    } catch (...) {
        error = std::current_exception();
    }
    count_t size = error == nullptr ? static_cast<count_t>(bytes.size()) : not_made;
    ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), root);
    if (size == not_made) throw_together(ranks, std::move(error));
    where_large(ranks, size, [&] { bytes.resize(static_cast<std::size_t>(size)); });
    ranks.broadcast(bytes, root);
}

std::string text_of_rank_0(Communicator& ranks, const std::string& text) {
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    std::vector<std::byte> bytes(first, first + text.size());
    broadcast_bytes(ranks, bytes, 0);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void throw_together(Communicator& ranks, std::exception_ptr mine, NameRank name) {
    if (ranks.size() == 1) {
        if (mine != nullptr) std::rethrow_exception(std::move(mine));
        return;
    }
    const index_t first = first_rank(ranks, mine != nullptr);
    if (first == ranks.size()) return;
    ErrorData data;
    if (ranks.rank() == first) data = data_of(mine);
    if (ranks.rank() == first && name == NameRank::yes)
        data.message = "rank " + std::to_string(first) + ": " + data.message;
    broadcast_object(ranks, data, first);
    throw_as_exception(data);
}

void expect_agreement(Communicator& ranks, const NamedValues& mine, std::exception_ptr error) {
    if (ranks.size() == 1) return throw_together(ranks, std::move(error));
    ValuesData of_rank_0;
    for (const auto& [name, value] : mine) {
        of_rank_0.names.push_back(name);
        of_rank_0.values.push_back(value);
    }
    broadcast_object(ranks, of_rank_0, 0);
    if (error != nullptr) return throw_together(ranks, std::move(error));
    const auto differs = [&](std::size_t i) {
        return i >= mine.size() || i >= of_rank_0.names.size() || mine[i].first != of_rank_0.names[i] ||
               mine[i].second != of_rank_0.values[i];
    };
    std::size_t at = 0;
    while (at < std::max(mine.size(), of_rank_0.names.size()) && !differs(at)) ++at;
    const bool found = at < std::max(mine.size(), of_rank_0.names.size());
    collectively(
        ranks,
        [&] {
            if (!found) return;
            const std::string name = at < mine.size() ? mine[at].first : of_rank_0.names[at];
            const std::string here = at < mine.size() ? mine[at].second : "nothing";
            const std::string there = at < of_rank_0.names.size() ? of_rank_0.values[at] : "nothing";
            throw InvalidArgument(name + " differs: rank 0 has '" + there + "', rank " + std::to_string(ranks.rank()) +
                                  " has '" + here + "'; give all ranks the same");
        },
        NameRank::no);
}

}  // namespace frond::detail
