// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/starpu_surroundings.hpp"

#include <new>

namespace frond::detail {
namespace {

/// A name that no machine has: StarPU brings measurements of some machines, and would look for one in the
/// user's folder.
constexpr const char* private_host = "frond-session";

}  // namespace

NumbersInCLocale::NumbersInCLocale() : numbers_(nullptr), before_(nullptr) {
    const locale_t copy = duplocale(uselocale(nullptr));
    if (copy == nullptr) throw std::bad_alloc();
    numbers_ = newlocale(LC_NUMERIC_MASK, "C", copy);
    if (numbers_ == nullptr) {
        freelocale(copy);
        throw std::bad_alloc();
    }
    before_ = uselocale(numbers_);
}

NumbersInCLocale::~NumbersInCLocale() {
    uselocale(before_);
    freelocale(numbers_);
}

StarpuSurroundings::StarpuSurroundings() : kept_(kept_measurement()), own_{folder_.path() + "/bus", private_host} {
    copy_measurement(kept_, own_);
    environment_.set("STARPU_PERF_MODEL_DIR", folder_.path());
    environment_.set("STARPU_HOSTNAME", private_host);
    environment_.hide("STARPU_MPI_HOSTNAMES");
    environment_.hide("STARPU_PERF_MODEL_PATH");
    environment_.set_default("STARPU_SILENT", "1");
    environment_.set_default("HWLOC_HIDE_ERRORS", "2");
}

void StarpuSurroundings::keep_measurement() const { copy_measurement(own_, kept_); }

}  // namespace frond::detail
