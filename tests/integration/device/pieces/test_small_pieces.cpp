// SPDX-License-Identifier: BSD-3-Clause
// The kernels of pieces once, small enough for the tools that watch every access on the device (scripts/bench_on_gpu).
#include "needs_device.hpp"
#include "scalar_lists.hpp"
#include "sound_tree.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("each kernel of a tree in pieces once", T, small_pieces) {
    constexpr Symmetry definite = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
    for (const Between where : {Between::device, Between::host}) {
        CAPTURE(static_cast<int>(where));
        SoundTree<T>(Factorization::llt, definite, where).check_solve();
        SoundTree<T>(Factorization::ldlt, Symmetry::symmetric, where).check_solve();
        SoundTree<T>(Factorization::lu, Symmetry::general, where).check_solve();
    }
}
TEST_CASE_TEMPLATE_APPLY(small_pieces, Scalars);

TEST_SUITE_END();
