// SPDX-License-Identifier: BSD-3-Clause
// One tile task on a core or on a device, with the same buffers before.
#pragma once

#include "engine/data_handle.hpp"
#include "factors/state_of.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/session.hpp"
#include "random_sparse.hpp"
#include "session/session_state.hpp"
#include "engine/insert_task.hpp"
#include "tasks/assembly/assemble_tile.hpp"

#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace frond::test {

/// The session of these tests; its devices are those of the machine. Where they were asked for there must be some.
inline const Session& device_session() {
    static const Session session;
    if (std::getenv("FROND_TEST_ON_DEVICE") != nullptr && session.info().gpus == 0)
        throw std::runtime_error("FROND_TEST_ON_DEVICE is set, but the session has no device");
    return session;
}

inline bool has_device() { return device_session().info().gpus > 0; }

/// FROND_TEST_SMALL is set: problems are as small as on a device that the host plays, for tools that watch every access.
inline bool wants_small() { return std::getenv("FROND_TEST_SMALL") != nullptr; }

/// A size of a problem, and the smaller one that is enough on a device that the host plays, or for tools.
inline index_t size_here(index_t usual, index_t small) {
    return wants_small() || gpu::vendor_of_build() == DeviceVendor::emulated ? small : usual;
}

constexpr std::uint32_t device_workers = STARPU_CUDA | STARPU_HIP;

/// The codelet for workers of `where` alone: STARPU_CPU or device_workers. A device that the host plays has no workers
/// of its own: a core then runs the implementation that its vendor.hpp put beside those of devices.
inline void on_workers(std::uint32_t where, starpu_codelet& codelet) {
    codelet.where = where;
    if (where != device_workers || codelet.opencl_funcs[0] == nullptr) return;
    codelet.cpu_funcs[0] = codelet.opencl_funcs[0];
    codelet.where = STARPU_CPU;
}

/// A tile [rows, cols] with ld = rows.
template <class T>
struct Tile {
    index_t rows = 0, cols = 0;
    std::vector<T> value;
    starpu_data_access_mode mode = STARPU_R;

    Tile(index_t m, index_t n, starpu_data_access_mode how, std::uint64_t seed = 0)
        : rows(m), cols(n), value(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)), mode(how) {
        Random random(seed + 1);
        for (T& v : value) v = random.value<T>();
    }
    DenseView<T> view() { return {value.data(), rows, cols, rows}; }
    T& operator()(index_t i, index_t j) { return view()(i, j); }
};

using Bytes = std::vector<unsigned char>;

/// What a task leaves in its tiles, and in its pivot record where it has one; the entries of A that it reads.
template <class T>
struct Outcome {
    std::vector<Tile<T>> tiles;
    Bytes record;
    PivotOutcome pivots;  // of the record
    std::vector<T> entries;
};

/// Runs one task on workers of `where`. The record, of the first tile's columns, is buffer `record_at` (none: -1), entries
/// that are not empty buffer `assembled_entries`, tiles the others.
template <class T, class Arguments>
void run_on(std::uint32_t where, starpu_codelet codelet, const Arguments& arguments, Outcome<T>& data, int record_at,
            starpu_data_access_mode record_mode) {
    on_workers(where, codelet);
    detail::JobGuard guard(*detail::state_of(device_session()));
    Job job(detail::starpu_engine());
    std::vector<detail::DataHandle> handles;
    std::vector<detail::Access> accesses;
    for (Tile<T>& tile : data.tiles) {
        handles.push_back(detail::DataHandle::matrix(tile.view()));
        accesses.push_back({handles.back().get(), tile.mode});
    }
    if (record_at >= 0) {
        handles.push_back(detail::DataHandle::record<T>(data.record.data(), data.tiles.front().cols, data.pivots));
        accesses.insert(accesses.begin() + record_at, {handles.back().get(), record_mode});
    }
    if (!data.entries.empty()) {
        handles.push_back(detail::DataHandle::vector(data.entries.data(), static_cast<count_t>(data.entries.size())));
        accesses.insert(accesses.begin() + assembled_entries, {handles.back().get(), STARPU_R});
    }
    detail::insert_task(job, codelet, arguments, accesses, 0);
    job.wait();
    for (const detail::DataHandle& handle : handles) detail::HostAccess(handle.get());
}

}  // namespace frond::test
