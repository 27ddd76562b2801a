// SPDX-License-Identifier: BSD-3-Clause
// Settings of cuDSS by name, as in the solver cuDSS:best:matching=none:refine=2.
#pragma once

#include "library.hpp"

#include <string>

namespace frond::bench {

struct CudssSettings {
    int host_threads = 0;  // of its GNU OpenMP layer in the analysis; 0: without that layer
    bool refactor = true;  // CUDSS_PHASE_REFACTORIZATION after an analysis' first factorization
};

/// Puts KEY=VALUE:KEY=VALUE into config; the word "best" stands for threads=0. Keys:
/// threads (0: `threads`), refactor, reorder, matching, pivot, factorization, epsilon_rule (words,
/// see settings.cpp), refine, levels, imbalance, superpanels, hybrid_execute, hybrid_memory,
/// deterministic, nonsymmetric_matching (integers), tolerance, threshold, epsilon (numbers).
/// @throws std::runtime_error  an unknown key or value, or one that cuDSS refuses
CudssSettings apply_cudss_settings(const std::string& text, int threads, cudssConfig_t config);

}  // namespace frond::bench
