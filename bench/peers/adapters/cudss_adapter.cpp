// SPDX-License-Identifier: BSD-3-Clause
// NVIDIA cuDSS on one card: A = L L^H, L D L^T, L D L^H or L U. Values and right-hand sides start
// in host memory and solutions end there; factors stay on the card. Every step ends with the card
// idle.
#include "../cudss/device_array.hpp"
#include "../cudss/settings.hpp"
#include "make_peer.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <optional>
#include <stdexcept>

namespace frond::bench {
namespace {

template <class T>
constexpr cudaDataType_t value_type = is_complex<T> ? (is_double_precision<T> ? CUDA_C_64F : CUDA_C_32F)
                                                    : (is_double_precision<T> ? CUDA_R_64F : CUDA_R_32F);

template <class T>
bool is_hermitian(const SparseMatrix<T>& a) {
    return is_complex<T> && a.symmetry == Symmetry::hermitian;
}

template <class T>
cudssMatrixType_t matrix_type(const Problem<T>& p) {
    if (p.mode == Mode::general || p.a.symmetry == Symmetry::general) return CUDSS_MTYPE_GENERAL;
    if (p.mode == Mode::definite) return is_hermitian(p.a) ? CUDSS_MTYPE_HPD : CUDSS_MTYPE_SPD;
    return is_hermitian(p.a) ? CUDSS_MTYPE_HERMITIAN : CUDSS_MTYPE_SYMMETRIC;
}

template <class T>
Columns<T> input_of(const Problem<T>& p) {
    return rows(p.a, matrix_type(p) != CUDSS_MTYPE_GENERAL);
}

void wait() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

std::size_t bytes_taken() {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return total - free;
}

/// Bytes taken on the card before this used it.
std::size_t start_card() {
    cudss_library();  // its absence is the plainer message
    check(cudaSetDevice(0), "cuDSS needs an NVIDIA card: cudaSetDevice");
    check(cudaFree(nullptr), "cuDSS needs an NVIDIA card: cudaFree");  // makes the context
    return bytes_taken();
}

/// cuDSS' objects and arrays of one system on the card; problem and rows outlive it.
template <class T>
class CudssSystem {
public:
    CudssSystem(const Problem<T>& p, const Columns<T>& rows)
        : p_(p),
          rows_(rows),
          taken_before_(start_card()),
          cudss_(cudss_library()),
          handle_(make_cudss_handle()),
          config_(make_cudss_config()),
          settings_(apply_cudss_settings(p.settings, p.threads, config_.get())),
          data_(make_cudss_data(with_threading_layer(handle_.get()))),
          begin_(rows_.begin.size()),
          index_(rows_.row.size()),
          value_(rows_.value.size()),
          b_(p.b.size()),
          x_(p.x.size()),
          a_matrix_(sparse_matrix()),
          b_matrix_(dense_matrix(b_)),
          x_matrix_(dense_matrix(x_)) {
        wait();
    }

    void analyze() {
        begin_.from_host(rows_.begin);
        index_.from_host(rows_.row);
        value_.from_host(rows_.value);  // the matching reads them
        if (!p_.order.empty())
            check(cudss_.cudssDataSet(handle_.get(), data_.get(), CUDSS_DATA_USER_PERM, p_.order.data(),
                                      p_.order.size() * sizeof(index_t)),
                  "cudssDataSet USER_PERM");
        execute(CUDSS_PHASE_ANALYSIS, "cudssExecute ANALYSIS");
        factored_ = false;
    }

    void factor() {
        value_.from_host(rows_.value);
        if (settings_.refactor && factored_)
            execute(CUDSS_PHASE_REFACTORIZATION, "cudssExecute REFACTORIZATION");
        else
            execute(CUDSS_PHASE_FACTORIZATION, "cudssExecute FACTORIZATION");
        factored_ = true;
        const std::optional<int> info = ask<int>(CUDSS_DATA_INFO);
        if (p_.mode == Mode::definite && info.value_or(0) != 0)
            throw std::runtime_error("not positive definite: CUDSS_DATA_INFO = " + std::to_string(*info));
    }

    void solve() {
        b_.from_host(p_.b);
        execute(CUDSS_PHASE_SOLVE, "cudssExecute SOLVE");
        x_.to_host(p_.x);
    }

    std::vector<index_t> order() const {
        std::vector<index_t> order(static_cast<std::size_t>(rows_.n));
        std::size_t written = 0;
        check(cudss_.cudssDataGet(handle_.get(), data_.get(), CUDSS_DATA_PERM_REORDER_ROW, order.data(),
                                  order.size() * sizeof(index_t), &written),
              "cudssDataGet PERM_REORDER_ROW");
        return order;
    }

    SolverFacts facts() const {
        SolverFacts facts;
        facts.flops = static_cast<double>(ask<std::int64_t>(CUDSS_DATA_FLOPS).value_or(0));
        facts.factor_entries = static_cast<double>(ask<std::int64_t>(CUDSS_DATA_LU_NNZ).value_or(0));
        facts.device_bytes = static_cast<double>(bytes_taken()) - static_cast<double>(taken_before_);
        const cudssMatrixType_t type = matrix_type(p_);
        if (type == CUDSS_MTYPE_SYMMETRIC || type == CUDSS_MTYPE_HERMITIAN)
            if (const auto inertia = ask<Pair>(CUDSS_DATA_INERTIA))  // positive, negative
                facts.negative = inertia->second;
        facts.remark = remark();
        return facts;
    }

private:
    struct Pair {
        int first, second;
    };

    struct MemoryEstimates {
        std::int64_t device_kept, device_peak, host_kept, host_peak, others[12];
    };

    CudssOwner<cudssMatrix_t> sparse_matrix() const {
        const cudssMatrixType_t type = matrix_type(p_);
        const auto view = type == CUDSS_MTYPE_GENERAL ? CUDSS_MVIEW_FULL : CUDSS_MVIEW_UPPER;
        const auto entries = static_cast<std::int64_t>(rows_.row.size());
        cudssMatrix_t matrix = nullptr;
        check(cudss_.cudssMatrixCreateCsr(&matrix, rows_.n, rows_.n, entries, begin_.data(), nullptr, index_.data(),
                                          value_.data(), CUDA_R_32I, CUDA_R_32I, value_type<T>, type, view,
                                          CUDSS_BASE_ZERO),
              "cudssMatrixCreateCsr");
        return own_cudss_matrix(matrix);
    }

    CudssOwner<cudssMatrix_t> dense_matrix(const DeviceArray<T>& values) const {
        cudssMatrix_t matrix = nullptr;
        check(cudss_.cudssMatrixCreateDn(&matrix, rows_.n, p_.rhs, rows_.n, values.data(), value_type<T>,
                                         CUDSS_LAYOUT_COL_MAJOR),
              "cudssMatrixCreateDn");
        return own_cudss_matrix(matrix);
    }

    /// The layer stays loaded: GNU OpenMP's threads do not survive its unloading.
    cudssHandle_t with_threading_layer(cudssHandle_t handle) const {
        if (settings_.host_threads == 0) return handle;
        const char* const file = cudss_.threading_layer.c_str();
        if (dlopen(file, RTLD_NOW | RTLD_NODELETE) == nullptr)
            throw std::runtime_error(std::string("cuDSS' threading layer cannot be loaded: ") + dlerror());
        check(cudss_.cudssSetThreadingLayer(handle, file), "cudssSetThreadingLayer");
        return handle;
    }

    void execute(int phase, const char* call) {
        check(cudss_.cudssExecute(handle_.get(), phase, config_.get(), data_.get(), a_matrix_.get(), x_matrix_.get(),
                                  b_matrix_.get()),
              call);
        wait();
    }

    /// Empty when cuDSS does not say it in this mode.
    template <class Value>
    std::optional<Value> ask(cudssDataParam_t parameter) const {
        Value value{};
        std::size_t written = 0;
        const cudssStatus_t status =
            cudss_.cudssDataGet(handle_.get(), data_.get(), parameter, &value, sizeof value, &written);
        if (status != CUDSS_STATUS_SUCCESS || written != sizeof value) return std::nullopt;
        return value;
    }

    template <class Value>
    std::string text_of(cudssDataParam_t parameter) const {
        const std::optional<Value> value = ask<Value>(parameter);
        return value ? std::to_string(*value) : "unknown";
    }

    std::string remark() const {
        std::string text = p_.settings.empty() ? "defaults" : p_.settings;
        text += settings_.refactor ? ", REFACTORIZATION" : ", FACTORIZATION";
        text += ", INFO " + text_of<int>(CUDSS_DATA_INFO);
        text += ", pivots replaced " + text_of<int>(CUDSS_DATA_NPIVOTS);
        text += ", refinement steps " + text_of<int>(CUDSS_DATA_IR_N_STEPS);
        if (const auto bytes = ask<MemoryEstimates>(CUDSS_DATA_MEMORY_ESTIMATES))
            text += ", predicted bytes on the card " + std::to_string(bytes->device_kept) + ", at the peak " +
                    std::to_string(bytes->device_peak);
        return text;
    }

    const Problem<T>& p_;
    const Columns<T>& rows_;
    std::size_t taken_before_;
    const CudssLibrary& cudss_;
    // In this order: what stands below is destroyed first.
    CudssOwner<cudssHandle_t> handle_;
    CudssOwner<cudssConfig_t> config_;
    CudssSettings settings_;
    CudssOwner<cudssData_t> data_;
    DeviceArray<int> begin_, index_;
    DeviceArray<T> value_, b_, x_;
    CudssOwner<cudssMatrix_t> a_matrix_, b_matrix_, x_matrix_;
    bool factored_ = false;
};

template <class T>
class CudssPeer : public Peer {
public:
    explicit CudssPeer(const Problem<T>& p) : p_(p), rows_(input_of(p)) {}

    void start() override { system_ = std::make_unique<CudssSystem<T>>(p_, rows_); }

    void analyze() override { system_->analyze(); }

    void take_values() override {
        const Columns<T> now = input_of(p_);
        std::copy(now.value.begin(), now.value.end(), rows_.value.begin());
    }

    void factor() override { system_->factor(); }

    void solve() override { system_->solve(); }

    std::vector<index_t> order() const override { return system_->order(); }

    SolverFacts facts() const override { return system_->facts(); }

private:
    Problem<T> p_;
    Columns<T> rows_;
    std::unique_ptr<CudssSystem<T>> system_;
};

}  // namespace

PeerEntry cudss_peer() {
    return {.name = "cuDSS",
            .version = std::to_string(CUDSS_VERSION_MAJOR) + "." + std::to_string(CUDSS_VERSION_MINOR) + "." +
                       std::to_string(CUDSS_VERSION_PATCH),
            .make = make_peer<CudssPeer>,
            .takes_many_rhs = true,
            .takes_order = true,
            .settings = "best"};
}

}  // namespace frond::bench
