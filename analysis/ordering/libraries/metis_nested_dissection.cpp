// SPDX-License-Identifier: BSD-3-Clause
// Karypis & Kumar 1998, "A fast and high quality multilevel scheme for partitioning irregular
// graphs", through METIS_NodeND.
#include "../subgraph.hpp"
#include "frond/base/contract.hpp"
#include "metis_signals.hpp"

#include <metis.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>

namespace frond {
namespace {

/// METIS draws from rand() and sets signal handlers: both belong to the process.
std::mutex& metis_mutex() {
    static std::mutex mutex;
    return mutex;
}

/// Gives rand() a state of its own and puts the caller's back: glibc's rand() and random() share
/// one state. Elsewhere rand() only loses its state.
class BorrowedRand {
public:
    BorrowedRand() : saved_(initstate(1, state_.data(), state_.size())) {}

    ~BorrowedRand() { setstate(saved_); }

    BorrowedRand(const BorrowedRand&) = delete;
    BorrowedRand& operator=(const BorrowedRand&) = delete;

private:
    std::array<char, 128> state_{};
    char* saved_;
};

/// Measured on 3D and 2D meshes: heavy edge matching and one-sided refinement give the least sum of
/// ordering and factorization time; compression has been done before.
std::array<idx_t, METIS_NOPTIONS> ordering_options() {
    std::array<idx_t, METIS_NOPTIONS> options;
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_COMPRESS] = 0;
    options[METIS_OPTION_CCORDER] = 0;
    options[METIS_OPTION_CTYPE] = METIS_CTYPE_SHEM;
    options[METIS_OPTION_RTYPE] = METIS_RTYPE_SEP1SIDED;
    return options;
}

/// A SIGTERM that came before METIS' handlers were replaced made it return METIS_ERROR. It is
/// raised again, for the caller's disposition, and where the process goes on, METIS starts once
/// more.
template <class Order>
int order_despite_signals(const Order& order) {
    for (bool repeated = false;; repeated = true) {
        int status = METIS_OK;
        bool own_error = false;
        {
            const MetisSignals signals;
            status = order();
            own_error = MetisSignals::raised_by_metis();
        }
        if (status != METIS_ERROR || own_error || repeated) return status;
        std::raise(SIGTERM);
    }
}

void throw_metis_failure(int status, index_t n) {
    if (status == METIS_OK) return;
    if (status == METIS_ERROR_MEMORY)
        throw OutOfMemory("METIS found no memory to order " + std::to_string(n) +
                          " vertices; free memory or choose the ordering `amd`");
    throw RuntimeError("METIS returned status " + std::to_string(status) + " for " + std::to_string(n) +
                       " vertices; choose another ordering");
}

std::vector<index_t> order_connected_by_metis(const Pattern& graph, const std::vector<index_t>& weight) {
    FROND_EXPECTS(graph.entries() <= std::numeric_limits<idx_t>::max(),
                  "the graph has " + std::to_string(graph.entries()) + " entries, METIS takes at most " +
                      std::to_string(std::numeric_limits<idx_t>::max()) + "; choose the ordering `amd`");
    std::vector<idx_t> begin(graph.begin.begin(), graph.begin.end());
    std::vector<idx_t> row(graph.row.begin(), graph.row.end());
    std::vector<idx_t> weights(weight.begin(), weight.end());
    std::vector<idx_t> order(weight.size()), position(weight.size());
    auto options = ordering_options();
    idx_t n = graph.cols;
    int status = METIS_OK;
    {
        const std::lock_guard lock(metis_mutex());
        const BorrowedRand borrowed;
        status = order_despite_signals([&] {
            return METIS_NodeND(&n, begin.data(), row.data(), weights.data(), options.data(), order.data(),
                                position.data());
        });
    }
    throw_metis_failure(status, graph.cols);
    return {order.begin(), order.end()};
}

}  // namespace

std::vector<index_t> metis_nested_dissection(const Pattern& graph, const std::vector<index_t>& weight) {
    return order_by_component(graph, weight, order_connected_by_metis);
}

}  // namespace frond
