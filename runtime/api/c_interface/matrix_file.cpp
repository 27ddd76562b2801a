// SPDX-License-Identifier: BSD-3-Clause
// Matrix files of the C interface: what the reader gives, with begin and row of one index type.
#include "guarded.hpp"
#include "frond/matrix/matrix_file.hpp"

#include <limits>
#include <memory>
#include <vector>

using namespace frond;
using namespace frond::c_interface;

struct frond_matrix_file {
    AnyMatrix matrix;
    std::vector<int32_t> begin;  // when all entries can be counted with it
    std::vector<int64_t> row;  // otherwise
};

namespace {

void unify_index_types(const Pattern& pattern, frond_matrix_file& file) {
    if (pattern.entries() <= std::numeric_limits<int32_t>::max())
        file.begin.assign(pattern.begin.begin(), pattern.begin.end());
    else
        file.row.assign(pattern.row.begin(), pattern.row.end());
}

template <class T>
frond_matrix described(const SparseMatrix<T>& a, frond_matrix_file& file) {
    unify_index_types(a.pattern, file);
    const bool narrow = file.row.empty();
    frond_matrix m{};
    m.format = FROND_CSC;
    m.symmetry = static_cast<int32_t>(a.symmetry);
    m.triangle = a.symmetry == Symmetry::general ? FROND_BOTH : FROND_LOWER;
    m.index_bits = narrow ? 32 : 64;
    m.rows = a.rows();
    m.cols = a.cols();
    m.entries = a.entries();
    m.begin = narrow ? static_cast<const void*>(file.begin.data()) : a.pattern.begin.data();
    m.index = narrow ? static_cast<const void*>(a.pattern.row.data()) : file.row.data();
    m.value = a.value.data();
    return m;
}

}  // namespace

extern "C" {

frond_status frond_matrix_file_read(const char* path, frond_matrix_file** file, frond_scalar* scalar,
                                    frond_matrix* matrix) {
    return guarded([&] {
        expect_pointer(path, "path");
        expect_pointer(file, "file");
        expect_pointer(scalar, "scalar");
        *file = nullptr;
        auto read = std::make_unique<frond_matrix_file>(frond_matrix_file{read_matrix(path), {}, {}});
        copy_out(std::visit([&](const auto& a) { return described(a, *read); }, read->matrix), matrix);
        const bool real = std::holds_alternative<SparseMatrix<double>>(read->matrix);
        *scalar = real ? FROND_DOUBLE : FROND_COMPLEX_DOUBLE;
        *file = read.release();
    });
}

void frond_matrix_file_destroy(frond_matrix_file* file) { delete file; }

}  // extern "C"
