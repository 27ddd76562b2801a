// SPDX-License-Identifier: BSD-3-Clause
#include "engine/factor_parts.hpp"

#include <string>
#include <utility>

#include "engine/part_interface.hpp"
#include "frond/codelets/device_room.hpp"

namespace frond::detail {
namespace {

constexpr auto use = DeviceRoom::Use::factors;

}  // namespace

FactorParts::FactorParts(std::vector<PartPlace> places, HostHeap& pinned, Pinning pinning) {
    const gpu::KeptDevice kept;
    FactorParts all;  // gives back what there is of them after an error
    for (const PartPlace& place : places) all.add(place, pinned, pinning);
    swap(all);
}

FactorParts::FactorParts(std::vector<PartPlace> places, const std::vector<index_t>& from, FactorParts others,
                         HostHeap& pinned, Pinning pinning) {
    const gpu::KeptDevice kept;
    FactorParts all;
    for (std::size_t p = 0; p < places.size(); ++p) {
        all.add_empty();
        if (from[p] >= 0) all.swap_part(p, others, static_cast<std::size_t>(from[p]));
    }
    others = FactorParts();
    for (std::size_t p = 0; p < places.size(); ++p) {
        if (from[p] >= 0) continue;
        FactorParts one;
        one.add(places[p], pinned, pinning);
        all.swap_part(p, one, 0);
    }
    swap(all);
}

/// Adds a part of no bytes, without a handle.
void FactorParts::add_empty() {
    places_.push_back({0, STARPU_MAIN_RAM, true, {}});
    on_host_.emplace_back();
    handles_.emplace_back();
}

void FactorParts::add(const PartPlace& place, HostHeap& pinned, Pinning pinning) {
    if (place.on_host) {
        on_host_.push_back(pinning == Pinning::at_once ? HostBlock(place.bytes, pinned)
                                                       : HostBlock::unready(place.bytes, pinned));
        handles_.push_back(DataHandle::of(register_part_on_host(on_host_.back().data(), place.bytes)));
        places_.push_back(place);
        return;
    }
    on_host_.emplace_back();
    handles_.push_back(DataHandle::of(register_part(place.bytes)));
    const starpu_data_handle_t handle = handles_.back().get();
    bool is_there = device_room().admits(use) && reserve_part(handle, place.node);
    for (const unsigned node : place.also_on) is_there = is_there && reserve_part(handle, node);
    if (!is_there) throw DeviceError("no room for " + std::to_string(place.bytes) + " bytes of factors on the device");
    device_room().add(use, place.bytes);
    places_.push_back(place);
}

/// After an error the last handle has no place yet.
FactorParts::~FactorParts() {
    let_go();
    const gpu::KeptDevice kept(!handles_.empty());
    for (const PartPlace& place : places_)
        if (!place.on_host) device_room().remove(use, place.bytes);
    for (DataHandle& handle : handles_) {
        if (handle.is_with_starpu()) drop_reserved_part(handle.get());
        handle.release();
    }
}

void FactorParts::swap(FactorParts& other) noexcept {
    std::swap(places_, other.places_);
    std::swap(on_host_, other.on_host_);
    std::swap(handles_, other.handles_);
    std::swap(begin_, other.begin_);
}

count_t FactorParts::bytes_on(unsigned node) const noexcept {
    count_t bytes = 0;
    for (const PartPlace& place : places_) bytes += !place.on_host && place.node == node ? place.bytes : 0;
    return bytes;
}

count_t FactorParts::bytes_on_devices() const noexcept {
    count_t bytes = 0;
    for (const PartPlace& place : places_) bytes += place.on_host ? 0 : place.bytes;
    return bytes;
}

count_t FactorParts::bytes_on_host() const noexcept {
    count_t bytes = 0;
    for (const PartPlace& place : places_) bytes += place.on_host ? place.bytes : 0;
    return bytes;
}

std::vector<std::size_t> FactorParts::on_devices() const {
    std::vector<std::size_t> parts;
    for (std::size_t p = 0; p < places_.size(); ++p)
        if (!places_[p].on_host) parts.push_back(p);
    return parts;
}

void FactorParts::exchange(const std::vector<std::size_t>& of, FactorParts& stored) noexcept {
    for (std::size_t k = 0; k < of.size(); ++k) swap_part(of[k], stored, k);
}

void FactorParts::swap_part(std::size_t part, FactorParts& other, std::size_t of) noexcept {
    std::swap(places_[part], other.places_[of]);
    std::swap(on_host_[part], other.on_host_[of]);
    std::swap(handles_[part], other.handles_[of]);
}

UnreadyPart FactorParts::unready(std::size_t part) {
    HostBlock& home = on_host_[part];
    if (home.bytes() == 0 || home.is_ready()) return {};
    return {handles_[part].get(), &home};
}

void FactorParts::hold() {
    begin_.reserve(handles_.size());
    while (begin_.size() < handles_.size()) {
        const starpu_data_handle_t handle = handles_[begin_.size()].get();
        const unsigned node = places_[begin_.size()].node;
        if (starpu_data_acquire_on_node(handle, static_cast<int>(node), STARPU_R) != 0)
            throw DeviceError("StarPU cannot read factors where they were written");
        begin_.push_back(address(handle, node));
    }
}

void FactorParts::let_go() noexcept {
    for (std::size_t p = 0; p < begin_.size(); ++p)
        if (handles_[p].is_with_starpu())
            starpu_data_release_on_node(handles_[p].get(), static_cast<int>(places_[p].node));
    begin_.clear();
}

}  // namespace frond::detail
