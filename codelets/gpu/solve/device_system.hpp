// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "device_memory.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/gpu/resident_solve.hpp"
#include "kernels/double_bits.hpp"
#include "kernels/substitution/refinement.hpp"
#include "kernels/substitution/solve_vectors.hpp"
#include "solve/resident_plan.hpp"
#include "solve/staged_copies.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace frond::gpu {

/// shift[p]: how far from the row at position p is the one that the pivot order puts there.
template <class T>
std::vector<index_t> shifts(const PlacedFactors<T>& factors) {
    std::vector<index_t> shift(factors.pivot_order.size(), 0);
    if (shift.empty()) return shift;
    const AssemblyTree& tree = factors.analysis->tree;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        for (index_t r = 0; r < front.npiv && factors.fronts[at(f)].part != nullptr; ++r)
            shift[at(front.first_column + r)] = factors.pivot_order[at(front.first_column + r)] - r;
    }
    return shift;
}

/// Which rows of the vectors belong together, on the device.
struct DeviceRows {
    DeviceMemory<index_t> position, shift, pivot_order;
    DeviceMemory<std::uint32_t> pull_begin, pull;

    DeviceRows(unsigned node, Stream stream, const RowTables& tables)
        : position(on_device(node, stream, tables.position)),
          pull_begin(on_device(node, stream, tables.pull_begin)),
          pull(on_device(node, stream, tables.pull)) {}

    /// Sends the pivot order of the factors, whenever these are other ones.
    template <class T>
    void send_pivot_order(unsigned node, Stream stream, const PlacedFactors<T>& factors) {
        send_table(node, stream, shifts(factors), shift);
        send_table(node, stream, factors.pivot_order, pivot_order);
    }

    /// With a transpose, rows take their pivot order at the end.
    SolveRows of_solve(bool is_transposed) const {
        return {position.data(), pull_begin.data(), pull.data(), is_transposed ? nullptr : shift.data()};
    }
};

/// op(A) on the device, as its refinement needs it. What follows from the pattern stays for other values.
template <class T>
struct DeviceSystem {
    using S = DeviceScalar<T>;

    unsigned node;
    std::shared_ptr<const SystemPattern> pattern;
    bool is_set = false;  // to the values of the factors' matrix
    DeviceMemory<count_t> row_begin, source;
    DeviceMemory<index_t> column, row_order, column_order;
    DeviceMemory<T> given, value;
    DeviceMemory<real_t<T>> row_sum, scaled_row_sum;
    DeviceMemory<double> inverse_solution_scale, row_scale, column_scale;
    DeviceMemory<unsigned long long> norm_bits;
    double norm = 0;
    SystemView<S> view{};

    DeviceSystem(unsigned memory_node, Stream stream, const SystemByRows<T>& a, StagedCopies& staged,
                 const ParallelFor& parallel_for)
        : node(memory_node),
          pattern(a.pattern),
          row_begin(on_device(node, stream, pattern->row_begin)),
          source(on_device(node, stream, pattern->source)),
          column(on_device(node, stream, pattern->column)),
          row_order(on_device(node, stream, *a.row_order)),
          column_order(on_device(node, stream, *a.column_order)),
          value(node, pattern->row_begin.back()) {
        set(stream, a, staged, parallel_for);
    }

    /// a.pattern is that of before.
    void set(Stream stream, const SystemByRows<T>& a, StagedCopies& staged, const ParallelFor& parallel_for) {
        send_values(stream, a, staged, parallel_for);
        send_table(node, stream, a.inverse_solution_scale, inverse_solution_scale);
        send_table(node, stream, a.row_scale, row_scale);
        send_table(node, stream, a.column_scale, column_scale);
        view = {static_cast<index_t>(a.row_order->size()),
                row_begin.data(),
                column.data(),
                reinterpret_cast<const S*>(value.data()),
                nullptr,
                nullptr,
                inverse_solution_scale.data(),
                row_scale.data(),
                column_scale.data(),
                row_order.data(),
                column_order.data(),
                a.tiny};
        sum_up_rows(stream, !a.inverse_solution_scale.empty());
        is_set = true;
    }

    void sum_up_rows(Stream stream, bool is_scaled) {
        const auto rows = static_cast<count_t>(view.n), scaled_rows = is_scaled ? rows : 0;
        if (row_sum.data() == nullptr) row_sum = {node, rows};
        if (scaled_row_sum.bytes() != static_cast<std::size_t>(scaled_rows) * sizeof(real_t<T>))
            scaled_row_sum = {node, scaled_rows};
        if (norm_bits.data() == nullptr) norm_bits = {node, 1};
        view.row_sum = row_sum.data();
        view.scaled_row_sum = scaled_row_sum.data();
        sum_rows(stream, view, row_sum.data(), scaled_row_sum.data(), norm_bits.data());
        unsigned long long bits = 0;
        check(FROND_GPU(MemcpyAsync)(&bits, norm_bits.data(), sizeof bits, FROND_GPU(MemcpyDeviceToHost), stream),
              "fetching the norm of a matrix");
        check(FROND_GPU(StreamSynchronize)(stream), "adding up the rows of a matrix");
        norm = double_of_bits(bits);
    }

    void send_values(Stream stream, const SystemByRows<T>& a, StagedCopies& staged, const ParallelFor& parallel_for) {
        const std::size_t bytes = a.value->size() * sizeof(T);
        if (given.bytes() != bytes) given = {node, static_cast<count_t>(a.value->size())};
        const unsigned char* const from = reinterpret_cast<const unsigned char*>(a.value->data());
        staged.send(stream, given.data(), static_cast<count_t>(bytes), parallel_for,
                    [from](count_t begin, count_t size, unsigned char* pinned) {
                        std::memcpy(pinned, from + begin, static_cast<std::size_t>(size));
                    });
        gather_values(stream, reinterpret_cast<const S*>(given.data()), source.data(),
                      {a.conjugate_all, a.conjugate_mirrored}, a.pattern->row_begin.back(),
                      reinterpret_cast<S*>(value.data()));
        check(FROND_GPU(StreamSynchronize)(stream), "sending the matrix");
    }

    count_t bytes() const noexcept {
        return static_cast<count_t>(row_begin.bytes() + source.bytes() + column.bytes() + row_order.bytes() +
                                    column_order.bytes() + given.bytes() + value.bytes() + row_sum.bytes() +
                                    scaled_row_sum.bytes() + inverse_solution_scale.bytes() + row_scale.bytes() +
                                    column_scale.bytes());
    }
};

/// The vectors of a refinement, and what it measures, on the device.
template <class T>
struct DeviceRefinement {
    using S = DeviceScalar<T>;

    DeviceMemory<real_t<T>> w;
    DeviceMemory<S> b, best, trial, r;
    DeviceMemory<ErrorBits> errors;
    RefinementVectors<S> vectors{};

    DeviceRefinement(unsigned node, index_t n, index_t rhs) {
        const count_t size = static_cast<count_t>(n) * rhs;
        w = {node, size};
        for (DeviceMemory<S>* vector : {&b, &best, &trial, &r}) *vector = {node, size};
        errors = {node, rhs};
        vectors = {b.data(), best.data(), trial.data(), r.data(), w.data(), 0};
    }

    /// Waits for the stream.
    std::vector<ResidualSizes> fetch_sizes(Stream stream) const {
        std::vector<ErrorBits> bits(static_cast<std::size_t>(vectors.rhs));
        check(FROND_GPU(MemcpyAsync)(bits.data(), errors.data(), bits.size() * sizeof(ErrorBits),
                                     FROND_GPU(MemcpyDeviceToHost), stream),
              "fetching errors");
        check(FROND_GPU(StreamSynchronize)(stream), "measuring errors on the device");
        std::vector<ResidualSizes> sizes;
        for (const ErrorBits& e : bits)
            sizes.push_back({double_of_bits(e.x), double_of_bits(e.b), double_of_bits(e.r),
                             double_of_bits(e.componentwise), double_of_bits(e.pure), double_of_bits(e.r_of_row),
                             double_of_bits(e.violated_of_row), double_of_bits(e.b_of_row)});
        return sizes;
    }
};

}  // namespace frond::gpu
