// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "messages/drain.hpp"
#include "messages/tree_share.hpp"

namespace frond::detail {

/// The messages of one factorization on one rank: what units receive from their children and send to their parents, and
/// what the ranks of a shared front exchange within it, in the order of the plan; and which of them have been posted.
class UnitMessages {
public:
    struct Planned {
        Message message;
        MessageTag tag;
        bool is_posted = false;
    };
    using Post = std::function<void(const Planned&)>;
    /// The stages of a panel of a shared front: which rows are exchanged, what is there before the other tiles are
    /// solved, and those tiles. With threshold pivoting in between what is decided on the pivots; of the first panel
    /// before all, and of the last one after all, columns that failed.
    enum class Stage : std::uint8_t {
        start,
        rows,
        diagonal,
        failures,
        accepted,
        given_back,
        tiles,
        failed_rows,
        second_pass,
        count
    };

    /// Cost: that of for_each_message over all fronts. The channel must outlive this, and this the job's messages.
    UnitMessages(Job& job, const TreeShare& share, const AssemblyTree& tree);

    Job& job() const noexcept { return job_; }
    const TreeShare& share() const noexcept { return share_; }

    /// Calls post(planned) for the messages that come from `child` to its parent here, and marks them.
    void receive(index_t child, const Post& post) { post_between(child, false, post); }
    /// Calls post(planned) for the messages that go from `child` here to its parent, and marks them.
    void send(index_t child, const Post& post) { post_between(child, true, post); }
    bool sends(index_t child) const;
    /// True: columns that `child` delays go to its parent on another rank, or come from a child there.
    bool sends_delayed(index_t child) const;
    bool receives_delayed(index_t child) const;
    /// Tiles of the contribution block of `child` that come here.
    std::vector<Message> received_tiles(index_t child) const;
    count_t received_bytes(index_t child) const;

    /// Posts the messages of a panel of a shared front, sent and received.
    void post_panel(index_t front, index_t panel, Stage stage, const Post& post);

    /// Drains what has not been posted, in the order of the plan: empty messages are sent, and what comes is discarded.
    void drain();

    count_t planned() const noexcept { return planned_; }

private:
    struct Of {
        std::vector<std::size_t> child;  // numbers in planned, of a front and its parent
        std::vector<std::vector<std::size_t>> panels;  // [own tiles * stages] of a stage of a panel each
        std::vector<Planned> planned;  // with the front as Message::front
    };

    void add(const Message& message, const MessageTag& tag);
    void post_between(index_t child, bool sends, const Post& post);
    template <class Visit>
    void for_each_of(index_t child, const Visit& visit) const;
    bool is_sent(const Message& m) const { return m.source == plan_.rank; }

    Job& job_;
    const TreeShare& share_;
    const AssemblyTree& tree_;
    RankPlan plan_;
    std::vector<Of> of_front_;  // [fronts]
    count_t planned_ = 0;
    Drain drain_;
};

}  // namespace frond::detail
