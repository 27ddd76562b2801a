// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/dealt/dense_loading.hpp"

#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {

template <class T>
DealtLoading<T>::DealtLoading(Communicator& ranks, const DensePart<T>& a, Plan plan, std::function<void()> begin)
    : ranks_(ranks), a_(a), plan_(std::move(plan)), begin_(std::move(begin)) {}

template <class T>
TilePlace DealtLoading<T>::place(index_t i, index_t j) const {
    const std::vector<index_t>& cut = plan_.grid->cut;
    return {{cut[at(i)], cut[at(i) + 1]}, {cut[at(j)], cut[at(j) + 1]}, is_symmetric(plan_.kind)};
}

template <class T>
template <class Visit>
void DealtLoading<T>::for_tiles(index_t j, index_t rank, const Visit& visit) const {
    for (index_t i = is_symmetric(plan_.kind) ? j : 0; i < plan_.grid->tiles(); ++i)
        if (plan_.owner(i, j) == rank) visit(i);
}

template <class T>
void DealtLoading<T>::load(OpenTiles<T>* tiles) {
    if (std::exchange(done_, true)) return;
    if (begin_) begin_();
    for (index_t j = 0; j < plan_.grid->tiles(); ++j) load_column(j, tiles);
}

template <class T>
void DealtLoading<T>::load_column(index_t j, OpenTiles<T>* tiles) {
    std::vector<count_t> out_sizes(at(ranks_.size()), 0), in_sizes(out_sizes);
    std::vector<T> out, in;
    collectively(ranks_, [&] {
        for (index_t r = 0; r < ranks_.size(); ++r) {
            for_tiles(j, r, [&](index_t i) { out_sizes[at(r)] += entries_of_tile(a_.all(), a_.mine(), place(i, j)); });
            for_tiles(j, ranks_.rank(), [&](index_t i) {
                in_sizes[at(r)] += entries_of_tile(a_.all(), a_.all().part[at(r)], place(i, j));
            });
        }
        out.resize(at(begin_of_sizes(out_sizes).back()));
        in.resize(at(begin_of_sizes(in_sizes).back()));
    });
    T* next = out.data();
    for (index_t r = 0; r < ranks_.size(); ++r)
        for_tiles(j, r, [&](index_t i) { next = pack_tile(a_, place(i, j), next); });
    const std::vector<count_t> in_begin = begin_of_sizes(in_sizes);
    exchange_parcels<T>(ranks_, out, begin_of_sizes(out_sizes), in, in_begin);
    if (tiles != nullptr) unpack(j, in, in_begin, tiles);
}

template <class T>
void DealtLoading<T>::unpack(index_t j, const std::vector<T>& in, const std::vector<count_t>& begin,
                             OpenTiles<T>* tiles) const {
    std::vector<const T*> from;
    for (index_t r = 0; r < ranks_.size(); ++r) from.push_back(in.data() + begin[at(r)]);
    for_tiles(j, ranks_.rank(), [&](index_t i) {
        const DenseView<T> tile = tiles->open(i, j);
        for (index_t c = 0; c < tile.cols && i == j && is_symmetric(plan_.kind); ++c)
            std::fill_n(tile.column(c), c, T(0));
        for (index_t r = 0; r < ranks_.size(); ++r)
            from[at(r)] = unpack_tile(a_.all(), a_.all().part[at(r)], place(i, j), *plan_.scaling, from[at(r)], tile);
        tiles->close(i, j);
    });
}

#define FROND_INSTANTIATE(T) template class DealtLoading<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
