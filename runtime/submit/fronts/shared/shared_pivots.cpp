// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/shared/shared_pivots.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::detail {

template <class T>
DataRef SharedPivots<T>::limit(index_t panel, Rank other) {
    Data<TileLimit>& limit = limits_[{panel, other}];
    if (!limit.handle)
        limit.handle = DataHandle::vector(reinterpret_cast<unsigned char*>(&limit.object),
                                          static_cast<count_t>(sizeof limit.object));
    return limit.handle.get();
}

/// Parts that come at the start are counted when they are taken: others may be at them.
template <class T>
void SharedPivots<T>::count_arrived(const Message& m) {
    count_t bytes = 0;
    if (m.kind == MessageKind::accepted_panel) bytes = accepted_[at(m.row)].object.bytes();
    if (m.kind == MessageKind::given_back)
        bytes = of(given_back_, {m.row, {Rank{m.source}, Rank{m.destination}}}).object.bytes();
    if (m.kind == MessageKind::failed_rows) bytes = of(end_parts_, Rank{m.source}).object.bytes();
    if (m.kind == MessageKind::second_pass) bytes = second_pass_.object.bytes();
    if (bytes > 0) bytes_.take(bytes);
}

template <class T>
template <class Visit>
void SharedPivots<T>::for_each_data(const Visit& visit) {
    for (auto& data : accepted_) visit(data);
    for (auto& data : parts_) visit(data);
    for (auto* parts : {&start_parts_, &end_parts_})
        for (auto& [rank, data] : *parts) visit(data);
    for (auto& [key, data] : given_back_) visit(data);
    visit(second_pass_);
}

template <class T>
void SharedPivots<T>::unregister() {
    for_each_data([](auto& data) { data.handle.release_when_unused(); });
    for (auto& [key, data] : limits_) data.handle.release_when_unused();
    outcome_.handle.release_when_unused();
}

template <class T>
void SharedPivots<T>::free() noexcept {
    for_each_data([](auto& data) { data.object = {}; });
    bytes_.give_all();
}

#define FROND_INSTANTIATE(T) template class SharedPivots<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
