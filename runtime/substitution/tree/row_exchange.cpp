// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/row_exchange.hpp"

#include <algorithm>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/insert_task.hpp"
#include "messages/job_messages.hpp"

namespace frond::detail {
namespace {

static_assert(static_cast<int>(SolveMessageKind::front_segment) < 1 << MessageTag::kind_bits);

/// Others wait for what travels.
constexpr int exchange_priority = 3;

/// Rows of segments to a vector [count, cols], or from there. Buffers: the vector, then the segments.
struct CopyRowsArguments : TaskArguments {
    const SegmentRow* places = nullptr;  // [count]; null: all rows of the one segment
    index_t count = 0;
    index_t first_column = 0, cols = 0;
    bool to_vector = true;
};

template <class T>
void copy_rows_cpu(void* buffers[], void* raw) noexcept {
    run_task<CopyRowsArguments>(raw, [&](const CopyRowsArguments& a) {
        T* vector = vector_buffer<T>(buffers, 0);
        for (index_t j = a.first_column; j < a.first_column + a.cols; ++j)
            for (index_t i = 0; i < a.count; ++i, ++vector) {
                const SegmentRow place = a.places == nullptr ? SegmentRow{0, i} : a.places[i];
                T& entry = matrix_buffer<T>(buffers, 1 + place.segment)(place.row, j);
                if (a.to_vector)
                    *vector = entry;
                else
                    entry = *vector;
            }
    });
}

template <class T>
starpu_codelet& copy_rows_codelet() {
    static starpu_codelet codelet = make_codelet("copy_rows", copy_rows_cpu<T>, 0xD9C7A3);
    return codelet;
}

}  // namespace

template <class T>
RowExchange<T>::RowExchange(const TreeShare& share, const SharedBlock& block, SolveMessageKind kind, index_t front,
                            index_t source, index_t destination)
    : share_(share), block_(block), kind_(kind), front_(front), source_(source), destination_(destination) {
    FROND_EXPECTS(source != destination && (source == share.rank() || destination == share.rank()),
                  "an exchange between ranks " + std::to_string(source) + " and " + std::to_string(destination) +
                      " is none of rank " + std::to_string(share.rank()));
}

template <class T>
index_t RowExchange<T>::columns_a_message(index_t rows) const {
    const count_t column_bytes = std::max<count_t>(1, static_cast<count_t>(rows) * static_cast<count_t>(sizeof(T)));
    return static_cast<index_t>(std::clamp<count_t>(block_.most_bytes / column_bytes, 1, block_.widest));
}

template <class T>
void RowExchange<T>::add_segment(const Segment<T>& segment) {
    const auto rows = static_cast<index_t>(segment.seen.nx), cols = static_cast<index_t>(segment.seen.ny);
    add({{segment.handle.get()}, {}, rows, cols}, columns_a_message(rows) < block_.widest);
}

template <class T>
void RowExchange<T>::add_rows(std::vector<DataRef> segments, std::vector<SegmentRow> rows, index_t cols) {
    const auto count = static_cast<index_t>(rows.size());
    add({std::move(segments), std::move(rows), count, cols}, true);
}

template <class T>
void RowExchange<T>::add(Rows rows, bool staged) {
    const index_t width = columns_a_message(rows.count);
    const auto column_bytes = static_cast<count_t>(rows.count) * static_cast<count_t>(sizeof(T));
    for (index_t j = 0; j < rows.cols; j += width) {
        Message& message = messages_.emplace_back();
        message.rows = rows_.size();
        message.first_column = j;
        message.cols = std::min(width, rows.cols - j);
        if (!staged) continue;
        message.staged = HostBlock(column_bytes * message.cols);
        message.vector =
            DataHandle::vector(static_cast<T*>(message.staged.data()), static_cast<count_t>(rows.count) * message.cols);
    }
    most_messages_ += (block_.widest + width - 1) / width;
    largest_column_bytes_ = std::max(largest_column_bytes_, column_bytes);
    rows_.push_back(std::move(rows));
}

template <class T>
MessageTag RowExchange<T>::tag(std::size_t message, bool forward) const {
    const count_t number = block_.number * most_messages_ + static_cast<count_t>(message);
    return {block_.solver, block_.call, front_, static_cast<std::int64_t>(kind_), 2 * number + (forward ? 0 : 1)};
}

template <class T>
void RowExchange<T>::check() const {
    FROND_EXPECTS(largest_column_bytes_ <= most_static_bytes,
                  "front " + std::to_string(front_) + " sends " + std::to_string(largest_column_bytes_) +
                      " bytes of a right-hand side, but a message has at most " + std::to_string(most_static_bytes) +
                      "; factor this matrix on one rank");
    if (!messages_.empty()) static_cast<void>(tag(messages_.size() - 1, false).packed());
}

template <class T>
void RowExchange<T>::post(SolveStage stage, const TaskLabel& label, Job& job) {
    const bool forward = stage == SolveStage::forward;
    const index_t from = forward ? source_ : destination_, to = forward ? destination_ : source_;
    const bool sends = from == share_.rank();
    for (std::size_t m = 0; m < messages_.size(); ++m) {
        const Message& message = messages_[m];
        if (sends) {
            if (message.vector) copy(message, true, label, job);
            send_always(job, *share_.channel, data_of(message), to, tag(m, forward), exchange_priority);
        } else {
            receive_always(job, *share_.channel, data_of(message), from, tag(m, forward));
            if (message.vector) copy(message, false, label, job);
        }
    }
}

/// Without it a message carries what is there.
template <class T>
void RowExchange<T>::copy(const Message& message, bool to_vector, const TaskLabel& label, Job& job) const {
    try {
        const Rows& rows = rows_[message.rows];
        CopyRowsArguments a;
        a.places = rows.places.empty() ? nullptr : rows.places.data();
        a.count = rows.count;
        a.first_column = message.first_column;
        a.cols = message.cols;
        a.to_vector = to_vector;
        a.label = label;
        a.label.rhs = message.cols;
        std::vector<Access> accesses{{message.vector.get(), to_vector ? STARPU_W : STARPU_R}};
        for (const DataRef h : rows.segments) accesses.push_back({h, to_vector ? STARPU_R : STARPU_RW});
        insert_task(job, copy_rows_codelet<T>(), a, accesses, exchange_priority);
    } catch (...) {
        job.fail(std::current_exception());
    }
}

#define FROND_INSTANTIATE(T) template class RowExchange<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
