// SPDX-License-Identifier: BSD-3-Clause
#include "checked_structures.hpp"

#include "guarded.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace frond::c_interface {

frond_matrix checked_matrix(const frond_matrix* a) {
    expect_pointer(a, "the matrix");
    constexpr std::size_t first_version = offsetof(frond_matrix, value) + sizeof a->value;
    FROND_EXPECTS(a->struct_bytes >= first_version, "struct_bytes of the matrix is " + std::to_string(a->struct_bytes) +
                                                        "; set it with FROND_STRUCT before filling the fields");
    frond_matrix known{};
    std::memcpy(&known, a, std::min(sizeof known, a->struct_bytes));
    FROND_EXPECTS(known.format >= FROND_CSC && known.format <= FROND_ROWS,
                  "format = " + std::to_string(known.format) +
                      " is not a format; take FROND_CSC, FROND_CSR, FROND_TRIPLETS or FROND_ROWS");
    FROND_EXPECTS(known.index_bits == 0 || known.index_bits == 32 || known.index_bits == 64,
                  "index_bits = " + std::to_string(known.index_bits) + " is no size of an index; give 32 or 64");
    return known;
}

frond_dense_matrix checked_dense_matrix(const frond_dense_matrix* a) {
    expect_pointer(a, "the dense matrix");
    constexpr std::size_t first_version = offsetof(frond_dense_matrix, process_columns) + sizeof a->process_columns;
    FROND_EXPECTS(a->struct_bytes >= first_version, "struct_bytes of the dense matrix is " +
                                                        std::to_string(a->struct_bytes) +
                                                        "; set it with FROND_STRUCT before filling the fields");
    frond_dense_matrix known{};
    std::memcpy(&known, a, std::min(sizeof known, a->struct_bytes));
    return known;
}

frond_block_rows checked_block_rows(const frond_block_rows* block, const char* name) {
    expect_pointer(block, name);
    FROND_EXPECTS(block->struct_bytes >= sizeof *block, "struct_bytes of " + std::string(name) + " is " +
                                                            std::to_string(block->struct_bytes) +
                                                            "; set it with FROND_STRUCT before filling the fields");
    return *block;
}

}  // namespace frond::c_interface
