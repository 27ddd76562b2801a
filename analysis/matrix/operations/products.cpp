// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "product.hpp"

namespace frond {
namespace {

using namespace detail;

template <class T>
void check_block(const SparseMatrix<T>& a, Operation op, const ProductBlock<T>& block) {
    const index_t in = op == Operation::none ? a.cols() : a.rows();
    const index_t out = op == Operation::none ? a.rows() : a.cols();
    FROND_EXPECTS(block.nrhs >= 0, "nrhs is " + std::to_string(block.nrhs));
    if (block.nrhs <= 1) return;
    FROND_EXPECTS(block.ldx >= in, "ldx is " + std::to_string(block.ldx));
    FROND_EXPECTS(block.ldy >= out, "leading dimension of the result is " + std::to_string(block.ldy));
    FROND_EXPECTS(block.b == nullptr || block.ldb >= out, "ldb is " + std::to_string(block.ldb));
    FROND_EXPECTS(block.w == nullptr || block.ldw >= out, "ldw is " + std::to_string(block.ldw));
}

template <class T>
void run(const SparseMatrix<T>& a, Operation op, const ProductBlock<T>& block, const ProductOptions& options) {
    check_block(a, op, block);
    Product<T>(a, op, options).run(block);
}

}  // namespace

template <class T>
void multiply(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, T* y, count_t ldy,
              const ProductOptions& options) {
    run<T>(a, op, {nrhs, x, ldx, nullptr, 0, y, ldy, nullptr, 0}, options);
}

template <class T>
void residual(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, const T* b, count_t ldb,
              T* r, count_t ldr, const ProductOptions& options) {
    run<T>(a, op, {nrhs, x, ldx, b, ldb, r, ldr, nullptr, 0}, options);
}

template <class T>
void residual_and_weights(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, const T* b,
                          count_t ldb, T* r, count_t ldr, real_t<T>* w, count_t ldw, const ProductOptions& options) {
    run<T>(a, op, {nrhs, x, ldx, b, ldb, r, ldr, w, ldw}, options);
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void multiply<T>(const SparseMatrix<T>&, Operation, index_t, const T*, count_t, T*, count_t,           \
                              const ProductOptions&);                                                               \
    template void residual<T>(const SparseMatrix<T>&, Operation, index_t, const T*, count_t, const T*, count_t, T*, \
                              count_t, const ProductOptions&);                                                      \
    template void residual_and_weights<T>(const SparseMatrix<T>&, Operation, index_t, const T*, count_t, const T*,  \
                                          count_t, T*, count_t, real_t<T>*, count_t, const ProductOptions&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
