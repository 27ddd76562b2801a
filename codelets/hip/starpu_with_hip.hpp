// SPDX-License-Identifier: BSD-3-Clause
// Included before all else in every source of this target: StarPU's headers declare what is HIP's
// only in a StarPU that drives AMD cards, and include CUDA's, which do not go with HIP's, in one
// that drives NVIDIA's. Objects made with a StarPU of the second kind show that they compile; they
// are not linked.
#pragma once

#include <starpu_config.h>

#undef STARPU_USE_CUDA
#undef STARPU_USE_HIP
#define STARPU_USE_HIP 1
