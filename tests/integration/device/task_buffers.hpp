// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/state_of.hpp"
#include "frond/cpu/dense_view.hpp"
#include "run_both.hpp"

#include <vector>

namespace frond::test {

/// Blocks of host memory as the buffers of one task, which runs where the caller asks; the results are back when
/// run() returns. Errors of the task come out of it.
class TaskBuffers {
public:
    TaskBuffers() : guard_(*detail::state_of(device_session())) {}

    template <class T>
    void add(DenseView<T> block, starpu_data_access_mode mode) {
        add(detail::DataHandle::matrix(block), mode);
    }

    /// For what the task only reads.
    template <class T>
    void add(DenseView<const T> block) {
        add(DenseView<T>{const_cast<T*>(block.data), block.rows, block.cols, block.ld}, STARPU_R);
    }

    template <class Value>
    void add_vector(Value* values, count_t size, starpu_data_access_mode mode) {
        add(detail::DataHandle::vector(values, size), mode);
    }

    template <class Value>
    void add(std::vector<Value>& values, starpu_data_access_mode mode) {
        add_vector(values.data(), static_cast<count_t>(values.size()), mode);
    }

    /// A record of n columns.
    template <class T>
    void add_record(std::vector<unsigned char>& bytes, index_t n, PivotOutcome& outcome, starpu_data_access_mode mode) {
        add(detail::DataHandle::record<T>(bytes.data(), n, outcome), mode);
    }

    template <class Object>
    void add_object(Object& object, starpu_data_access_mode mode) {
        add(detail::DataHandle::object(object), mode);
    }

    template <class Arguments>
    void run(std::uint32_t where, starpu_codelet codelet, const Arguments& arguments) {
        on_workers(where, codelet);
        Job job(detail::starpu_engine());
        detail::insert_task(job, codelet, arguments, accesses_, 0);
        job.wait();
        for (const detail::DataHandle& handle : handles_) detail::HostAccess(handle.get());
    }

private:
    void add(detail::DataHandle handle, starpu_data_access_mode mode) {
        accesses_.push_back({handle.get(), mode});
        handles_.push_back(std::move(handle));
    }

    detail::JobGuard guard_;  // before the handles: workers run until they are gone
    std::vector<detail::DataHandle> handles_;
    std::vector<detail::Access> accesses_;
};

}  // namespace frond::test
