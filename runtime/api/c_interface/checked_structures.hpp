// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/frond.h"

namespace frond::c_interface {

/// The matrix as this version knows it, whatever the caller's struct_bytes; checked.
frond_matrix checked_matrix(const frond_matrix* a);
frond_dense_matrix checked_dense_matrix(const frond_dense_matrix* a);
/// The rows of a block, checked; name: for messages.
frond_block_rows checked_block_rows(const frond_block_rows* block, const char* name);

}  // namespace frond::c_interface
