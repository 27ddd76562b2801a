// SPDX-License-Identifier: BSD-3-Clause
// How quick one core, the device and the link between them are, in some milliseconds.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <vector>

#include "blas.hpp"
#include "device_memory.hpp"
#include "event.hpp"
#include "frond/codelets/rates.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/gpu/devices.hpp"
#include "measure_device.hpp"
#include "queue.hpp"

namespace frond::gpu {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double product_flops(index_t n) { return 2.0 * n * n * n; }

/// A, B and C side by side, in memory of n x 3 n numbers.
struct Product {
    DenseView<double> a, b, c;

    Product(double* memory, index_t n)
        : a{memory, n, n, n},
          b{memory + static_cast<count_t>(n) * n, n, n, n},
          c{b.data + static_cast<count_t>(n) * n, n, n, n} {}
};

/// The quickest of some runs, at least two and as many as begin within a budget: the first ones wake up a
/// core or a device. run() gives its seconds.
template <class Run>
double quickest(double budget_seconds, Run run) {
    const auto start = Clock::now();
    double best = std::min(run(), run());
    while (seconds_since(start) < budget_seconds) best = std::min(best, run());
    return best;
}

double core_product_flops() {
    constexpr index_t n = 256;
    constexpr double budget = 2e-3;
    std::vector<double> memory(3 * std::size_t{n} * n, 1e-3);
    const Product p(memory.data(), n);
    return product_flops(n) / quickest(budget, [&p] {
               const auto start = Clock::now();
               cpu::update_general<double>(p.a, p.b, p.c);
               return seconds_since(start);
           });
}

class DeviceMeasurement {
public:
    DeviceMeasurement() : device_(3 * count_t{n} * n), host_(count_t{n} * n) {
        // Every byte 0x3f: numbers near 5e-4.
        check(FROND_GPU(MemsetAsync)(device_.data(), 0x3f, 3 * block_bytes, queue_.stream()), "filling a measurement");
    }

    double product_rate() {
        const Product p(device_.data(), n);
        return product_flops(n) / quickest(budget, [&] {
                   return timed([&] { subtract_product<double>(queue_.blas(), p.a, Form::plain, p.b, p.c); });
               });
    }

    double link_rate() {
        const double seconds = std::max(copy_seconds(device_.data(), host_.data(), FROND_GPU(MemcpyHostToDevice)),
                                        copy_seconds(host_.data(), device_.data(), FROND_GPU(MemcpyDeviceToHost)));
        return static_cast<double>(block_bytes) / seconds;
    }

private:
    static constexpr index_t n = 1024;
    static constexpr std::size_t block_bytes = sizeof(double) * n * n;
    static constexpr double budget = 2e-3;

    template <class Work>
    double timed(Work work) {
        start_.record(queue_.stream());
        work();
        end_.record(queue_.stream());
        return end_.seconds_after(start_);
    }

    double copy_seconds(void* to, const void* from, MemcpyKind kind) {
        return quickest(0, [&] {
            return timed([&] {
                check(FROND_GPU(MemcpyAsync)(to, from, block_bytes, kind, queue_.stream()), "measuring the link");
            });
        });
    }

    Queue queue_;
    ShortLivedMemory<double> device_;
    PinnedMemory<double> host_;
    TimedEvent start_, end_;
};

MeasuredRates measure() noexcept {
    const auto start = Clock::now();
    MeasuredRates measured;
    try {
        measured.core_product_flops = core_product_flops();
        const int worker = starpu_worker_get_by_type(device_worker_type, 0);
        if (worker >= 0) measure_device(starpu_worker_get_devid(worker), measured);
    } catch (...) {  // what is missing stays as shipped
    }
    measured.seconds = seconds_since(start);
    return measured;
}

}  // namespace

void measure_device(int device, MeasuredRates& measured) {
    const CurrentDevice current(device);
    DeviceMeasurement measurement;
    measured.device_product_flops = measurement.product_rate();
    measured.link_bytes = measurement.link_rate();
}

void measure_rates() noexcept {
    static std::once_flag once;
    std::call_once(once, [] { use_measurement(measure()); });
}

}  // namespace frond::gpu
