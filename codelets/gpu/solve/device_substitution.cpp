// SPDX-License-Identifier: BSD-3-Clause
#include "solve/device_substitution.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/instantiate.hpp"

namespace frond::gpu {
namespace {

/// Vectors that shared sums of chunks are kept for: more go by tiles.
index_t vectors_of_chunks(index_t most_rhs) {
    const index_t most = std::min(most_rhs, least_rhs_of_tiles - 1);
    return most == 1 ? 1 : (most + many_rhs - 1) / many_rhs * many_rhs;
}

/// The same of tiles, which have room for tile_vectors each.
index_t vectors_of_tiles(index_t most_rhs) {
    return most_rhs < least_rhs_of_tiles ? 0 : (most_rhs + tile_vectors - 1) / tile_vectors * tile_vectors;
}

}  // namespace

template <class T>
DeviceSubstitution<T>::DeviceSubstitution(unsigned node, Stream stream, SolvePhases<S>&& all, index_t most_rhs)
    : phases_(std::move(all.phases)),
      backward_begin_(all.backward_begin),
      products_(on_device(node, stream, all.products)),
      pieces_(on_device(node, stream, all.pieces)),
      chunks_(on_device(node, stream, all.chunks)),
      tiles_(on_device(node, stream, all.tiles)),
      runs_(on_device(node, stream, all.runs)),
      shared_sums_(node, std::max(all.shared_sums * vectors_of_chunks(most_rhs) * chunk_outputs,
                                  all.shared_tiles * vectors_of_tiles(most_rhs) * tile_outputs<S>)),
      counters_(node, std::max(all.shared_sums * vectors_of_chunks(most_rhs),
                               all.shared_tiles * vectors_of_tiles(most_rhs) / tile_vectors)) {
    if (counters_.bytes() == 0) return;
    check(FROND_GPU(MemsetAsync)(counters_.data(), 0, counters_.bytes(), stream), "clearing counters of the solve");
}

template <class T>
count_t DeviceSubstitution<T>::bytes() const noexcept {
    return static_cast<count_t>(products_.bytes() + pieces_.bytes() + chunks_.bytes() + tiles_.bytes() + runs_.bytes() +
                                shared_sums_.bytes() + counters_.bytes());
}

/// The first of recorded_ then.
template <class T>
typename DeviceSubstitution<T>::Recorded& DeviceSubstitution<T>::find(index_t rhs, bool conjugated) {
    auto found = std::find_if(recorded_.begin(), recorded_.end(),
                              [&](const Recorded& r) { return r.rhs == rhs && r.conjugated == conjugated; });
    if (found == recorded_.end()) *--found = {rhs, conjugated, {}, {}};
    std::rotate(recorded_.begin(), found, found + 1);
    return recorded_.front();
}

template <class T>
void DeviceSubstitution<T>::run(Stream stream, Sweep sweep, const SolveRows& rows, const SolveVectors<S>& v,
                                bool conjugated, bool hermitian) {
    Recorded& known = find(v.rhs, conjugated);
    const auto s = static_cast<std::size_t>(sweep);
    const auto put = [&] { launch(stream, sweep, rows, v, conjugated, hermitian); };
    if (!std::exchange(known.has_run[s], true)) return put();  // perhaps for this time only
    if (known.graph[s] == nullptr) known.graph[s] = std::make_unique<Graph>(stream, put);
    known.graph[s]->launch(stream);
}

template <class T>
void DeviceSubstitution<T>::launch(Stream stream, Sweep sweep, const SolveRows& rows, const SolveVectors<S>& v,
                                   bool conjugated, bool hermitian) const {
    using Kind = SolvePhase::Kind;
    const std::size_t begin = sweep == Sweep::backward ? backward_begin_ : 0;
    const std::size_t end = sweep == Sweep::forward ? backward_begin_ : phases_.size();
    for (std::size_t n = begin; n < end; ++n) {
        const SolvePhase& p = phases_[n];
        const bool is_product = p.kind == Kind::multiply || p.kind == Kind::multiply_transposed;
        if (is_product && v.rhs >= least_rhs_of_tiles)
            launch_tiles(stream, p, conjugated, v.rhs);
        else if (is_product)
            launch_products(stream, p, conjugated, v.rhs);
        else if (p.kind == Kind::gather_forward)
            gather_forward(stream, rows, p.begin, p.end, v);
        else if (p.kind == Kind::gather_backward)
            gather_backward(stream, rows, p.begin, p.end, v);
        else
            divide_by_pivots(stream, hermitian, runs_.data() + p.begin, p.end - p.begin, v);
    }
}

template <class T>
void DeviceSubstitution<T>::launch_products(Stream stream, const SolvePhase& p, bool conjugated, index_t rhs) const {
    const SolveTables<S> tables{products_.data(), pieces_.data()};
    const SolveChunks chunks{chunks_.data() + p.begin, p.wide, static_cast<index_t>(p.end - p.begin) - p.wide};
    if (p.kind == SolvePhase::Kind::multiply)
        multiply_pieces<S>(stream, tables, chunks, shared(), rhs);
    else
        multiply_transposed_pieces<S>(stream, tables, chunks, shared(), conjugated, rhs);
}

template <class T>
void DeviceSubstitution<T>::launch_tiles(Stream stream, const SolvePhase& p, bool conjugated, index_t rhs) const {
    const SolveTables<S> tables{products_.data(), pieces_.data()};
    const bool transposed = p.kind == SolvePhase::Kind::multiply_transposed;
    multiply_tiles<S>(stream, tables, tiles_.data() + p.tile_begin, p.tile_end - p.tile_begin, shared(), transposed,
                      transposed && conjugated, rhs);
}

#define FROND_INSTANTIATE(T) template class DeviceSubstitution<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
