// SPDX-License-Identifier: BSD-3-Clause
// How a substitution runs one kernel.
#pragma once

#include <starpu.h>

#include "frond/codelets/object_data.hpp"
#include "substitution/tree/substitution.hpp"

namespace frond::detail {

inline starpu_vector_interface interface_of_vector(const void* data) {
    starpu_vector_interface v{};
    v.id = STARPU_VECTOR_INTERFACE_ID;
    v.ptr = v.dev_handle = reinterpret_cast<uintptr_t>(data);
    return v;
}

/// The interface of an object for kernels that only read it.
template <class Object>
ObjectInterface interface_of_object(const Object& object) {
    ObjectInterface data;
    data.object = const_cast<Object*>(&object);
    return data;
}

template <class T>
template <class Arguments>
void Substitution<T>::run(Execution execution, starpu_codelet& codelet, Arguments arguments,
                          std::span<const Operand> operands, int priority) {
    if (execution == Execution::sequential) {
        std::vector<void*> buffers;
        buffers.reserve(operands.size());
        for (const Operand& o : operands) buffers.push_back(const_cast<void*>(o.seen));
        arguments.job = &job_;
        return codelet.cpu_funcs[0](buffers.data(), &arguments);
    }
    std::vector<Access> accesses;
    for (const Operand& o : operands) accesses.push_back({o.handle, o.mode});
    make_room();
    insert_task(job_, codelet, arguments, accesses, priority);
}

/// The ranks of the others' messages wait for those of this unit, whatever becomes of its tasks.
template <class T>
template <class Submit>
void Substitution<T>::submit_tasks(const Submit& submit) {
    if (job_.stopped()) return;
    try {
        submit();
    } catch (...) {
        job_.fail(std::current_exception());
    }
}

}  // namespace frond::detail
