// SPDX-License-Identifier: BSD-3-Clause
// Tiles, vectors and parts of factors as data of StarPU: what a message of them has, and where it arrives.
#include "engine/data_handle.hpp"
#include "engine/part_interface.hpp"
#include "scalar_lists.hpp"
#include "send_message.hpp"
#include "session/session_state.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t rows = 5, cols = 3;

template <class T>
T sample(std::size_t k) {
    const auto value = static_cast<real_t<T>>(k + 1);
    if constexpr (is_complex<T>)
        return {value, -value};
    else
        return value;
}

template <class T>
std::vector<T> samples(std::size_t size) {
    std::vector<T> values(size);
    for (std::size_t k = 0; k < size; ++k) values[k] = sample<T>(k);
    return values;
}

/// A tile inside a larger array: columns of `ld` scalars, of which `rows` are its own.
template <class T>
struct Tile {
    Tile(index_t ld, std::vector<T> given) : values(std::move(given)), handle(detail::DataHandle::matrix(view(ld))) {}
    DenseView<T> view(index_t ld) { return {values.data(), rows, cols, ld}; }

    std::vector<T> values;
    detail::DataHandle handle;
};

/// The rows of a tile arrive, and nothing is written between its columns.
template <class T>
void check_tile(bool peek) {
    constexpr index_t ld_from = rows + 2, ld_to = rows + 4;
    const Tile<T> from(ld_from, samples<T>(ld_from * cols));
    Tile<T> to(ld_to, std::vector<T>(ld_to * cols, T(-1)));
    const auto check = [&] {
        for (index_t j = 0; j < cols; ++j)
            for (index_t i = 0; i < ld_to; ++i) {
                CAPTURE(i);
                CAPTURE(j);
                const T expected = i < rows ? from.values[static_cast<std::size_t>(i + j * ld_from)] : T(-1);
                REQUIRE(to.values[static_cast<std::size_t>(i + j * ld_to)] == expected);
            }
    };
    const auto forget = [&] { std::fill(to.values.begin(), to.values.end(), T(-1)); };
    send_message(from.handle, to.handle, count_t{rows} * cols * static_cast<count_t>(sizeof(T)), peek, check, forget);
}

/// A tile that has memory only since somebody asked for it to write: so does who receives.
template <class T>
void check_tile_without_home(bool peek) {
    const Tile<T> from(rows, samples<T>(rows * cols));
    const detail::DataHandle to = detail::DataHandle::matrix_without_home<T>(rows, cols);
    const auto here = [&to] {
        const detail::HostAccess access(to.get());
        const T* const values = static_cast<const T*>(access.data());
        return std::vector<T>(values, values + rows * cols);
    };
    const auto forget = [&] {
        REQUIRE(starpu_data_acquire_on_node(to.get(), STARPU_MAIN_RAM, STARPU_W) == 0);
        void* const there = starpu_data_get_interface_on_node(to.get(), STARPU_MAIN_RAM);
        std::memset(reinterpret_cast<void*>(STARPU_MATRIX_GET_PTR(there)), 0, from.values.size() * sizeof(T));
        starpu_data_release_on_node(to.get(), STARPU_MAIN_RAM);
    };
    forget();
    send_message(
        from.handle, to, static_cast<count_t>(from.values.size() * sizeof(T)), peek,
        [&] { CHECK(here() == from.values); }, forget);
}

template <class T>
void check_vector(bool peek) {
    std::vector<T> from = samples<T>(17), to(17, T(-1));
    const detail::DataHandle sender = detail::DataHandle::vector(from.data(), 17),
                             receiver = detail::DataHandle::vector(to.data(), 17);
    send_message(
        sender, receiver, static_cast<count_t>(17 * sizeof(T)), peek, [&] { CHECK(to == from); },
        [&to] { std::fill(to.begin(), to.end(), T(-1)); });
}

/// A part of factors, and what is reserved for it on the host.
template <class T>
class Part {
public:
    static constexpr count_t bytes = 3 * 256;

    explicit Part(bool reserve) : handle_(detail::DataHandle::of(detail::register_part(bytes))) {
        if (reserve) REQUIRE(detail::reserve_part(handle_.get(), STARPU_MAIN_RAM));
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part() { detail::drop_reserved_part(handle_.get()); }

    const detail::DataHandle& handle() const { return handle_; }
    void write(const std::vector<T>& values) {
        REQUIRE(starpu_data_acquire_on_node(handle_.get(), STARPU_MAIN_RAM, STARPU_W) == 0);
        void* const here = starpu_data_get_interface_on_node(handle_.get(), STARPU_MAIN_RAM);
        std::copy(values.begin(), values.end(), reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(here)));
        starpu_data_release_on_node(handle_.get(), STARPU_MAIN_RAM);
    }
    std::vector<T> read() const {
        const detail::HostAccess access(handle_.get());
        const T* const values = static_cast<const T*>(access.data());
        return {values, values + bytes / static_cast<count_t>(sizeof(T))};
    }

private:
    detail::DataHandle handle_;
};

template <class T>
void check_part(bool peek, bool reserve) {
    Part<T> from(false), to(reserve);
    const std::vector<T> values = samples<T>(static_cast<std::size_t>(Part<T>::bytes) / sizeof(T));
    const std::vector<T> nothing(values.size(), T(-1));
    from.write(values);
    to.write(nothing);
    send_message(
        from.handle(), to.handle(), Part<T>::bytes, peek, [&] { CHECK(to.read() == values); },
        [&] { to.write(nothing); });
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("tiles, vectors and parts of factors arrive as they were sent", T, tile_messages) {
    const auto state = detail::SessionState::acquire(four_workers());  // other tests here start StarPU themselves
    state->start();
    const detail::JobGuard guard(*state);
    for (const bool peek : {true, false}) {
        CAPTURE(peek);
        check_tile<T>(peek);
        check_tile_without_home<T>(peek);
        check_vector<T>(peek);
        for (const bool reserve : {false, true}) check_part<T>(peek, reserve);
    }
}
TEST_CASE_TEMPLATE_APPLY(tile_messages, Scalars);

TEST_CASE("a part of factors takes the memory that was reserved for it") {
    const auto state = detail::SessionState::acquire(four_workers());
    state->start();
    const detail::JobGuard guard(*state);
    const detail::DataHandle part = detail::DataHandle::of(detail::register_part(1024));
    REQUIRE(detail::reserve_part(part.get(), STARPU_MAIN_RAM));
    CHECK(detail::reserve_part(part.get(), STARPU_MAIN_RAM));  // and nothing is reserved twice
    REQUIRE(starpu_data_acquire_on_node(part.get(), STARPU_MAIN_RAM, STARPU_W) == 0);
    starpu_data_release_on_node(part.get(), STARPU_MAIN_RAM);
    CHECK(detail::reserve_part(part.get(), STARPU_MAIN_RAM));  // it is there
    detail::drop_reserved_part(part.get());
    const detail::HostAccess access(part.get());
    CHECK(access.data() != nullptr);
}
