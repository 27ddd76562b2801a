// SPDX-License-Identifier: BSD-3-Clause
// What writing to pinned memory of the host costs the products beside it on a card of NVIDIA: by kernels of so many blocks of
// threads, and by the copy engine. For docs/decisions/0053-few-blocks-of-threads-write-to-the-host.md.
//   nvcc -O3 -std=c++17 -arch=native bench/link/store_beside_products.cu -o store_beside_products -lcublas
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int order = 8192, panel = 256, products = 20, rows = 6000, columns = 6000, stores = 8;

void check(int status, const char* what) {
    if (status == 0) return;
    std::fprintf(stderr, "%s: error %d\n", what, status);
    std::exit(1);
}

/// A warp writes a column, eight numbers of each thread under way.
__global__ void store(const double* from, size_t ld, double* to) {
    constexpr int rounds = 8;
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (int j = warp; j < columns; j += gridDim.x * blockDim.x / 32)
        for (int i = lane; i < rows; i += 32 * rounds) {
            double v[rounds];
            for (int r = 0; r < rounds; ++r)
                if (i + 32 * r < rows) v[r] = from[i + 32 * r + j * ld];
            for (int r = 0; r < rounds; ++r)
                if (i + 32 * r < rows) to[i + 32 * r + size_t(j) * rows] = v[r];
        }
}

struct Bench {
    double *a, *b, *c, *square, *host;
    cudaStream_t usual, urgent;
    cublasHandle_t blas;

    Bench() {
        const size_t matrix = size_t(order) * order * 8, part = size_t(order) * panel * 8;
        check(cudaMalloc(&a, part) | cudaMalloc(&b, part) | cudaMalloc(&c, matrix) | cudaMalloc(&square, matrix), "memory");
        check(cudaMemset(a, 0, part) | cudaMemset(b, 0, part) | cudaMemset(c, 0, matrix), "zeros");
        check(cudaMallocHost(&host, size_t(rows) * columns * 8), "pinned memory");
        int least = 0, most = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &most), "priorities");
        check(cudaStreamCreateWithPriority(&usual, cudaStreamNonBlocking, least), "stream");
        check(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, most), "stream");
        check(cublasCreate(&blas) | cublasSetStream(blas, usual), "cuBLAS");
    }

    void multiply(int count) const {
        const double one = 1, minus = -1;
        for (int k = 0; k < count; ++k)
            check(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, order, order, panel, &minus, a, order, b, panel, &one, c, order),
                  "dgemm");
    }
    void write(int blocks, int threads) const {
        for (int k = 0; k < stores; ++k)
            if (blocks > 0)
                store<<<blocks, threads, 0, urgent>>>(square, order, host);
            else
                check(cudaMemcpy2DAsync(host, rows * 8, square, order * 8, rows * 8, columns, cudaMemcpyDeviceToHost, urgent),
                      "copy");
        check(cudaGetLastError(), "store");
    }
};

template <class Work>
double milliseconds(Work work) {
    using Clock = std::chrono::steady_clock;
    double best = 1e300;
    for (int round = 0; round < 3; ++round) {
        check(cudaDeviceSynchronize(), "device");
        const auto start = Clock::now();
        work();
        check(cudaDeviceSynchronize(), "device");
        best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    return best;
}

}  // namespace

int main() {
    const Bench bench;
    const double alone = milliseconds([&] { bench.multiply(products); });
    std::printf("products alone %.2f ms\n", alone);
    for (const auto& [blocks, threads] : {std::pair{512, 256}, {128, 256}, {64, 256}, {16, 512}, {8, 512}, {4, 512}, {0, 0}}) {
        const double store_ms = milliseconds([&, b = blocks, t = threads] { bench.write(b, t); });
        const double both = milliseconds([&, b = blocks, t = threads] {
            bench.multiply(2);
            bench.write(b, t);
            bench.multiply(products - 2);
        });
        std::printf("%3d blocks of %3d threads%s: alone %.2f ms (%.1f GB/s), with products %.2f\n", blocks, threads,
                    blocks == 0 ? " (copy engine)" : "", store_ms, 8e-6 * stores * rows * columns / store_ms, both);
    }
}
