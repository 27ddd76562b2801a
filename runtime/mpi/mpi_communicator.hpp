// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "alarm.hpp"
#include "ranks/communicator.hpp"

namespace frond::mpi {

/// A duplicate of a communicator, released with it. It, its own duplicates, and the wires on these have one alarm.
class MpiCommunicator final : public detail::Communicator {
public:
    /// Collective. @throws RuntimeError
    MpiCommunicator(MPI_Comm original, std::shared_ptr<Alarm> alarm);
    /// The first one of an alarm, which looks for messages there from now on. Collective. @throws RuntimeError
    static std::unique_ptr<MpiCommunicator> first(MPI_Comm original, std::shared_ptr<Alarm> alarm);
    /// Collective as well, unless MPI has ended or failed.
    ~MpiCommunicator() override;

    index_t rank() const noexcept override { return rank_; }
    index_t size() const noexcept override { return size_; }
    const std::vector<index_t>& local_ranks() const noexcept override { return local_ranks_; }

    std::unique_ptr<Communicator> duplicate() override;
    void all_reduce_max(std::span<count_t> values) override { all_reduce(values, MPI_MAX); }
    void all_reduce_sum(std::span<count_t> values) override { all_reduce(values, MPI_SUM); }
    void broadcast(std::span<std::byte> data, index_t root) override;
    std::vector<count_t> all_to_all(std::span<const count_t> mine) override;
    void exchange(std::span<const std::byte> out, std::span<const count_t> out_begin, std::span<std::byte> in,
                  std::span<const count_t> in_begin) override;
    void attend(detail::Attendance& attendance) override;
    bool orders_graphs() const noexcept override;
    std::vector<index_t> order_graph(const detail::GraphPart& part) override;
    detail::CommunicatorCounts counts() const noexcept override { return counts_; }
    MPI_Comm handle() const noexcept { return comm_; }
    const std::shared_ptr<Alarm>& alarm() const noexcept { return alarm_; }

private:
    void find_local_ranks();
    void expect_working();
    void all_reduce(std::span<count_t> values, MPI_Op operation);
    void post_parcels(std::span<const std::byte> out, std::span<const count_t> out_begin, std::span<std::byte> in,
                      std::span<const count_t> in_begin, std::vector<MPI_Request>& requests);
    void wait(std::span<MPI_Request> requests, count_t bytes);
    void wait(MPI_Request& request, count_t bytes) { wait({&request, 1}, bytes); }

    std::shared_ptr<Alarm> alarm_;
    bool is_first_ = false;
    MPI_Comm comm_ = MPI_COMM_NULL;
    index_t rank_ = 0, size_ = 1;
    std::vector<index_t> local_ranks_;
    detail::CommunicatorCounts counts_;
};

}  // namespace frond::mpi
