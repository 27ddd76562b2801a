// SPDX-License-Identifier: BSD-3-Clause
// Rows of vectors that two ranks exchange in a substitution.
#pragma once

#include <deque>
#include <vector>

#include "frond/base/host_block.hpp"
#include "frond/codelets/job.hpp"
#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/solve_stage.hpp"
#include "messages/tree_share.hpp"
#include "substitution/tree/position_routes.hpp"
#include "substitution/tree/solve_unit.hpp"

namespace frond::detail {

/// A block of right-hand sides in a substitution on several ranks, as the names of its messages have it.
struct SharedBlock {
    const PositionRoutes* routes = nullptr;  // not null; outlives the substitution
    std::int64_t solver = 0, call = 0;  // see MessageTag
    index_t number = 0;  // blocks before
    index_t widest = 1;  // columns of the first block, of which the others have no more
    count_t most_bytes = most_static_bytes;  // of a message, unless a single column of it has more
};

/// Rows that go from one rank to another in the forward sweep and come back, with other values, in the backward sweep.
/// Both ranks make the same exchange, with the same rows in the same order. A message is at most SharedBlock::most_bytes
/// large: larger ones are cut by columns.
/// Index of a tag: 2 (block * messages of the widest block + message) + (1: backward). Both directions count, see
/// MessageNumbers.
/// The object must live until the job's tasks and messages have ended. All memory is taken before the first message, and
/// a task or message that is refused fails the job, but is not left out: so messages flow whatever happens.
template <class T>
class RowExchange {
public:
    /// The exchange of the unit with this front. source, destination: of the forward sweep; one of them is this rank.
    RowExchange(const TreeShare& share, const SharedBlock& block, SolveMessageKind kind, index_t front, index_t source,
                index_t destination);

    /// All rows of a segment with a handle. @throws OutOfMemory
    void add_segment(const Segment<T>& segment);
    /// Rows of segments of x, which have `cols` columns. @throws OutOfMemory
    void add_rows(std::vector<DataRef> segments, std::vector<SegmentRow> rows, index_t cols);

    /// @throws InvalidArgument where the numbers of messages do not fit a tag, or a column does not fit a message
    void check() const;

    /// stage: forward or backward. Sends or receives all of it, after the tasks submitted before and before those submitted later.
    /// label: of the tasks that copy. @throws as send_always; then the ranks cannot end together
    void post(SolveStage stage, const TaskLabel& label, Job& job);

private:
    struct Rows {
        std::vector<DataRef> segments;
        std::vector<SegmentRow> places;  // empty: all rows of the one segment
        index_t count = 0, cols = 0;
    };
    /// Columns of rows that travel in a vector of their own, or whole.
    struct Message {
        std::size_t rows = 0;
        index_t first_column = 0, cols = 0;
        HostBlock staged;
        DataHandle vector;
    };

    index_t columns_a_message(index_t rows) const;
    void add(Rows rows, bool staged);
    MessageTag tag(std::size_t message, bool forward) const;
    DataRef data_of(const Message& message) const {
        return message.vector ? message.vector.get() : rows_[message.rows].segments.front();
    }
    void copy(const Message& message, bool to_vector, const TaskLabel& label, Job& job) const;

    const TreeShare& share_;
    SharedBlock block_;
    SolveMessageKind kind_;
    index_t front_, source_, destination_;
    std::deque<Rows> rows_;
    std::deque<Message> messages_;
    count_t most_messages_ = 0;  // of the widest block
    count_t largest_column_bytes_ = 0;
};

}  // namespace frond::detail
