// SPDX-License-Identifier: BSD-3-Clause
// Pivot records as data of StarPU: a vector, which lies where tasks need it, as other vectors do, and the outcome of the
// panel, one object in the host's memory whatever the node. Packed, both are one message (frond/cpu/packing.hpp).
// Tasks that only read the record may add to its outcome's limit, which is made for that.
#pragma once

#include <starpu.h>

#include "frond/codelets/object_data.hpp"
#include "frond/cpu/packing.hpp"
#include "frond/cpu/pivot_record.hpp"

namespace frond {

/// What StarPU has to know of records of one scalar.
struct RecordOperations {
    count_t (*bytes)(index_t n) = nullptr;
    count_t (*packed_bytes)(unsigned char* memory, index_t n, PivotOutcome* outcome) = nullptr;
    void (*pack)(unsigned char* memory, index_t n, PivotOutcome* outcome, unsigned char* to) = nullptr;
    void (*unpack)(const unsigned char* from, count_t bytes, unsigned char* memory, index_t n,
                   PivotOutcome* outcome) = nullptr;  // may throw
};

/// What a task finds in its buffers: vector_buffer<unsigned char> works, too.
struct RecordInterface {
    starpu_vector_interface vector;  // the first member: StarPU's functions for vectors see it alone
    index_t n;
    PivotOutcome* outcome;
    const RecordOperations* operations;
    MessageLog* log;  // on the node of the host's memory; may be null
};

template <class T>
const RecordOperations& record_operations_of() {
    using Pivots = cpu::PanelPivots<T>;
    static constexpr RecordOperations operations{
        PivotRecord<T>::bytes,
        [](unsigned char* memory, index_t n, PivotOutcome* outcome) {
            return cpu::packed_bytes(Pivots{n, outcome, PivotRecord<T>::at(memory, n)});
        },
        [](unsigned char* memory, index_t n, PivotOutcome* outcome, unsigned char* to) {
            cpu::pack(Pivots{n, outcome, PivotRecord<T>::at(memory, n)}, to);
        },
        [](const unsigned char* from, count_t bytes, unsigned char* memory, index_t n, PivotOutcome* outcome) {
            Pivots pivots{n, outcome, PivotRecord<T>::at(memory, n)};
            cpu::unpack(from, bytes, pivots);
        }};
    return operations;
}

/// What StarPU is told of a record. memory [PivotRecord<T>::bytes(n)], of any node. It and the outcome must outlive the tasks
/// that use the data.
RecordInterface record_interface(unsigned char* memory, index_t n, PivotOutcome& outcome,
                                 const RecordOperations& operations);
starpu_data_interface_ops& record_interface_operations();

/// As log_object_messages.
bool log_record_messages(starpu_data_handle_t handle, MessageLog& log);

/// The outcome in the record of buffer i; L L^T has no record, and the outcome is the buffer's object.
inline PivotOutcome& outcome_buffer(Factorization kind, void* buffers[], int i) {
    if (kind == Factorization::llt) return object_buffer<PivotOutcome>(buffers, i);
    return *static_cast<RecordInterface*>(buffers[i])->outcome;
}

}  // namespace frond
