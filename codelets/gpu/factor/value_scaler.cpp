// SPDX-License-Identifier: BSD-3-Clause
#include "factor/value_scaler.hpp"

#include <algorithm>
#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "kernels/double_bits.hpp"

namespace frond::gpu {

template <class T>
ValueScaler<T>::ValueScaler(unsigned node, Stream stream, const Analysis& analysis)
    : analysis_(analysis),
      node_(node),
      stream_(stream),
      host_largest_(1),
      largest_(node, 1),
      source_(on_device(node, stream, analysis.entry_map.source)) {}

/// Original row and column of each value.
template <class T>
void ValueScaler<T>::send_places(const Pattern& pattern) {
    if (row_.data() != nullptr || analysis_.entry_map.source.empty()) return;
    std::vector<index_t> column_of(pattern.row.size()), row, column;
    for (index_t j = 0; j < pattern.cols; ++j)
        std::fill(column_of.begin() + pattern.begin[at(j)], column_of.begin() + pattern.begin[at(j) + 1], j);
    for (const count_t source : analysis_.entry_map.source) {
        const std::size_t s = at(source < 0 ? ~source : source);
        row.push_back(source < 0 ? column_of[s] : pattern.row[s]);
        column.push_back(source < 0 ? pattern.row[s] : column_of[s]);
    }
    row_ = on_device(node_, stream_, row);
    column_ = on_device(node_, stream_, column);
}

template <class T>
void ValueScaler<T>::send_scaling(const Scaling& scaling) {
    if (scaling.row == sent_.row && scaling.column == sent_.column) return;
    sent_ = {};
    row_scale_ = on_device(node_, stream_, scaling.row);
    column_scale_ = on_device(node_, stream_, scaling.column);
    sent_ = scaling;
}

template <class T>
void ValueScaler<T>::scale(const T* given, const Pattern& pattern, const Scaling& scaling, double largest_elsewhere,
                           T* scaled) {
    const char* const doing = "scaling the values of a matrix";
    ValueSources sources;
    sources.source = source_.data();
    sources.conjugate_mirrored = analysis_.symmetry == Symmetry::hermitian;
    if (!scaling.row.empty()) {
        send_places(pattern);
        send_scaling(scaling);
        sources.row = row_.data(), sources.column = column_.data();
        sources.row_scale = row_scale_.data(), sources.column_scale = column_scale_.data();
    }
    *host_largest_.data() = bits_of_double(largest_elsewhere);
    check(FROND_GPU(MemcpyAsync)(largest_.data(), host_largest_.data(), largest_.bytes(), FROND_GPU(MemcpyHostToDevice),
                                 stream_),
          doing);
    scale_values<T>(stream_, given, sources, static_cast<count_t>(analysis_.entry_map.source.size()), scaled,
                    largest_.data());
    check(FROND_GPU(MemcpyAsync)(host_largest_.data(), largest_.data(), largest_.bytes(), FROND_GPU(MemcpyDeviceToHost),
                                 stream_),
          doing);
}

template <class T>
double ValueScaler<T>::largest() const noexcept {
    return double_of_bits(*host_largest_.data());
}

#define FROND_INSTANTIATE(T) template class ValueScaler<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
