// SPDX-License-Identifier: BSD-3-Clause
#include "frond/mpi_process.hpp"

#include <cstdlib>
#include <thread>

#include "frond/base/error.hpp"
#include "ranks/collectively.hpp"
#include "ranks/load_plugin.hpp"

namespace frond {
namespace {

constexpr const char* yields = "OMPI_MCA_mpi_yield_when_idle";

/// The number in a variable that a launcher sets; 0: it is not set.
index_t number_of(const char* variable) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? static_cast<index_t>(std::strtol(text, nullptr, 10)) : 0;
}

bool cores_are_scarce() {
    const auto cores = static_cast<index_t>(std::thread::hardware_concurrency());
    return cores > 0 && cores < 2 * number_of("OMPI_COMM_WORLD_LOCAL_SIZE");
}

/// Set while MPI starts, which reads it then.
class YieldWhenIdle {
public:
    YieldWhenIdle() : sets_(cores_are_scarce() && std::getenv(yields) == nullptr) {
        if (sets_) setenv(yields, "1", 0);
    }
    YieldWhenIdle(const YieldWhenIdle&) = delete;
    YieldWhenIdle& operator=(const YieldWhenIdle&) = delete;
    ~YieldWhenIdle() {
        if (sets_) unsetenv(yields);
    }

private:
    bool sets_;
};

}  // namespace

MpiLibrary mpi_library() try { return {detail::mpi_plugin().library(), ""}; } catch (const RuntimeError& error) {
    return {"", error.what()};
}

MpiProcess::MpiProcess() {
    const detail::MpiPlugin& plugin = detail::mpi_plugin();
    {
        const YieldWhenIdle yield;
        plugin.start();
    }
    all_ = plugin.duplicate(plugin.world());
    rank_ = all_->rank();
    ranks_ = all_->size();
}

MpiProcess::~MpiProcess() {
    all_.reset();
    detail::mpi_plugin().finish();
}

void MpiProcess::throw_on_all_ranks(std::exception_ptr error) const { detail::throw_together(*all_, std::move(error)); }

std::string MpiProcess::text_of_rank_0(const std::string& text) const { return detail::text_of_rank_0(*all_, text); }

const void* MpiProcess::world() const noexcept { return detail::mpi_plugin().world(); }

bool MpiProcess::has_failed() const noexcept { return detail::mpi_plugin().has_failed(); }

void MpiProcess::end_all(int exit_code) const noexcept { detail::mpi_plugin().abort(exit_code); }

std::string MpiProcess::launcher() {
    for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
        if (number_of(variable) > 1) return variable;
    if (number_of("SLURM_STEP_NUM_TASKS") == 1) return "";
    // The variable of a launcher that does not say how many there are.
    const bool counted = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr;
    constexpr const char* pmix = "PMIX_NAMESPACE";
    return !counted && std::getenv(pmix) != nullptr ? pmix : "";
}

}  // namespace frond
