// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/load_kernels.hpp"

#include <algorithm>
#include <array>

#include "blas.hpp"
#include "check.hpp"
#include "device_memory.hpp"
#include "device_scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/gpu/devices.hpp"
#include "graph.hpp"
#include "kernels/kernel_list.hpp"
#include "factor/product_queues.hpp"
#include "kernels/dense/eliminate.hpp"
#include "queue.hpp"

namespace frond::gpu {
namespace {

template <class T>
count_t load_on_current_device(const std::atomic<bool>& stop) {
    count_t loaded = 0;
    for (const void* const kernel : listed_kernels<DeviceScalar<T>>()) {
        if (stop) break;
        FROND_GPU(FuncAttributes) attributes;  // asking for them loads the kernel
        const auto status = FROND_GPU(FuncGetAttributes)(&attributes, kernel);
        ignore(status);
        loaded += status == FROND_GPU(Success) ? 1 : 0;
    }
    return loaded;
}

/// Products as fronts have them: from blocks of a few rows or columns to large ones. BLAS takes another kernel for each of
/// these, and to load the first small one takes 25 ms on an H200.
template <class T>
class FirstProducts {
public:
    void run(const Queue& queue, const std::atomic<bool>& stop) const {
        for (const index_t rows : sizes)
            for (const index_t columns : sizes)
                for (const index_t depth : {1, outer_block_columns})
                    if (!stop) subtract(queue.blas(), rows, columns, depth);
        queue.drain();
    }

    /// Long products with few columns, in a recording: the first one takes 12 to 15 ms there, whatever ran before. Nothing
    /// runs, so that they may be larger than the memory.
    void record(const Queue& queue, ProductQueues& beside) const {
        constexpr index_t rows = 3072, depth = 3000;
        const Graph graph(queue.stream(), [&] {
            beside.follow(queue.stream(), {0, ProductQueues::count});
            for (const index_t columns : {64, 256, 1024}) {
                subtract(queue.blas(), rows, columns, depth);
                for (std::size_t q = 0; q < ProductQueues::count; ++q) subtract(beside.use(q), rows, columns, depth);
            }
            beside.join(queue.stream(), {0, ProductQueues::count});
        });
    }

private:
    static constexpr index_t largest = 1024;
    static constexpr std::array<index_t, 4> sizes{1, 8, 160, largest};

    void subtract(BlasHandle blas, index_t rows, index_t columns, index_t depth) const {
        T* const a = memory_.data();
        T* const b = a + count_t{largest} * outer_block_columns;
        T* const c = b + count_t{largest} * outer_block_columns;
        subtract_product<T>(blas, {a, rows, depth, std::max(rows, largest)}, Form::plain,
                            {b, depth, columns, std::max(depth, outer_block_columns)},
                            {c, rows, columns, std::max(rows, largest)});
    }

    ShortLivedMemory<T> memory_{count_t{largest} * (2 * outer_block_columns + largest)};  // whatever is in it
};

/// The handles of a tree, and what BLAS loads for its first products.
template <class T>
void load_blas(const std::atomic<bool>& stop) {
    const Queue of_tree;
    ProductQueues of_products;
    if (stop) return;
    const FirstProducts<T> products;
    products.run(of_tree, stop);
    if (!stop) products.record(of_tree, of_products);
}

}  // namespace

template <class T>
count_t load_kernels(const std::atomic<bool>& stop) noexcept {
    count_t loaded = 0;
    try {
        for (const Device& place : devices()) {
            if (stop) break;
            const CurrentDevice current(place.device);
            loaded += load_on_current_device<T>(stop);
            if (!stop) load_blas<T>(stop);
        }
    } catch (...) {  // the first use of what is missing says so
    }
    return loaded;
}

#define FROND_INSTANTIATE(T) template count_t load_kernels<T>(const std::atomic<bool>&) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
