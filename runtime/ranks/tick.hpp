#pragma once
#include <chrono>
#include <cstdio>
namespace frond::detail {
inline void tick(int rank, const char* what) {
    static std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
    const auto now = std::chrono::steady_clock::now();
    std::fprintf(stderr, "tick %d %-28s %.4f\n", rank, what, std::chrono::duration<double>(now - last).count());
    last = now;
}
}  // namespace frond::detail
