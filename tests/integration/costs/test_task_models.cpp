// SPDX-License-Identifier: BSD-3-Clause
// What the scheduler knows of each kind of task, at the first run and later.
#include "factors/state_of.hpp"
#include "frond/codelets/task_model.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/session.hpp"
#include "scalar_lists.hpp"
#include "session/session_state.hpp"
#include "engine/insert_task.hpp"
#include "tasks/pivots/accept_pivots.hpp"
#include "tasks/assembly/assemble_tile.hpp"
#include "tasks/pivots/failed_columns.hpp"
#include "tasks/pivots/decide_pivots.hpp"
#include "tasks/pivots/eliminate_failed.hpp"
#include "tasks/pivots/select_rows.hpp"
#include "tasks/panel/factor_diagonal.hpp"
#include "tasks/piece/factor_piece.hpp"
#include "tasks/panel/factor_columns.hpp"
#include "tasks/piece/core_piece.hpp"
#include "tasks/piece/factor_subtree.hpp"
#include "tasks/solve/child_rows.hpp"
#include "tasks/assembly/load_tile.hpp"
#include "tasks/solve/solve_diagonal_tile.hpp"
#include "tasks/panel/solve_panel.hpp"
#include "tasks/solve/solve_piece.hpp"
#include "tasks/solve/solve_second_pass.hpp"
#include "tasks/solve/solve_subtree.hpp"
#include "tasks/solve/segments.hpp"
#include "tasks/panel/update_tile.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

TaskModel& model_of(const starpu_codelet& codelet) { return *reinterpret_cast<TaskModel*>(codelet.model); }

template <class T>
std::vector<const starpu_codelet*> all_codelets() {
    return {&accept_pivots_codelet<T>(),
            &assemble_tile_codelet<T>(),
            &eliminate_failed_codelet<T>(),
            &factor_diagonal_codelet<T>(),
            &factor_piece_codelet<T>(0, 0),
            &factor_subtree_codelet<T>(),
            &gather_children_codelet<T>(),
            &gather_failed_codelet<T>(),
            &prepare_solve_codelet<T>(),
            &scatter_to_child_codelet<T>(),
            &solve_diagonal_tile_codelet<T>(),
            &solve_panel_codelet<T>(),
            &solve_piece_codelet<T>(),
            &solve_second_pass_codelet<T>(),
            &solve_subtree_codelet<T>(),
            &update_segments_codelet<T>(),
            &update_tile_codelet<T>(),
            &core_piece_codelet<T>(),
            &decide_pivots_codelet<T>(),
            &give_back_codelet<T>(),
            &update_failed_codelet<T>(),
            &keep_failed_codelet<T>(),
            &deal_failed_codelet<T>(),
            &take_parts_codelet<T>(),
            &collect_parts_codelet<T>(),
            &eliminate_shared_codelet<T>(),
            &load_tile_codelet<T>(),
            &select_rows_codelet<T>(),
            &exchange_rows_codelet<T>(),
            &bring_piece_codelet(),
            &store_part_codelet(),
            &factor_columns_codelet<T>(gpu::ColumnStep{0}),
            &factor_columns_codelet<T>(gpu::ColumnStep{1}),
            &factor_columns_codelet<T>(gpu::ColumnStep{2}),
            &factor_columns_codelet<T>(gpu::ColumnStep{3}),
            &factor_columns_codelet<T>(gpu::ColumnStep{4}),
            &factor_columns_codelet<T>(gpu::ColumnStep{5})};
}

/// What the scheduler asks of a task without buffers.
double cost(const starpu_codelet& codelet, starpu_worker_archtype type, double flops) {
    starpu_codelet copy = codelet;
    starpu_task task{};
    task.cl = &copy;
    task.flops = flops;
    starpu_perfmodel_device device{};
    device.type = type;
    starpu_perfmodel_arch arch{};
    arch.ndevices = 1;
    arch.devices = &device;
    return codelet.model->arch_cost_function(&task, &arch, 0);
}

constexpr auto device_type = STARPU_CUDA_WORKER;

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("every codelet has its bodies and a model that works before anything ran", T, models) {
    std::size_t on_devices = 0;
    for (const starpu_codelet* const codelet : all_codelets<T>()) {
        CAPTURE(codelet->name);
        const bool has_device = codelet->cuda_funcs[0] != nullptr || codelet->hip_funcs[0] != nullptr;
        on_devices += has_device;
        CHECK((has_device || codelet->cpu_funcs[0] != nullptr || gpu::vendor_of_build() == DeviceVendor::none));
        REQUIRE(codelet->model != nullptr);
        CHECK(codelet->model->type == STARPU_PER_ARCH);
        REQUIRE(static_cast<bool>(codelet->model->arch_cost_function));
        const bool asynchronous =
            (codelet->cuda_flags[0] & STARPU_CUDA_ASYNC) != 0 || (codelet->hip_flags[0] & STARPU_HIP_ASYNC) != 0;
        if (gpu::vendor_of_build() != DeviceVendor::none)
            CHECK(model_of(*codelet).asynchronous_on_device == asynchronous);
        const bool by_bytes = model_of(*codelet).work == TaskModel::Work::bytes;
        for (const auto type : {STARPU_CPU_WORKER, device_type}) {
            double before = 0;
            for (const double flops : {0.0, 1e6, 1e9, 1e12}) {
                const double now = cost(*codelet, type, flops);
                CHECK(std::isfinite(now));
                CHECK(now > 0);
                if (!by_bytes) CHECK(now > before);
                before = now;
            }
        }
        if (!by_bytes) CHECK(cost(*codelet, device_type, 1e12) < cost(*codelet, STARPU_CPU_WORKER, 1e12));
    }
    CHECK(on_devices == (gpu::vendor_of_build() == DeviceVendor::none ? 0 : 16));
}
TEST_CASE_TEMPLATE_APPLY(models, Scalars);

TEST_CASE("predictions are latency plus work over its rate, as before") {
    const Rates r;
    const TaskModel flops(TaskModel::Work::flops, 1, false), bytes(TaskModel::Work::bytes, 1, false),
        piece(TaskModel::Work::piece, 1, false), single(TaskModel::Work::flops, 2, false);
    CHECK(flops.predict(r, false, 3e9, 0) == doctest::Approx(5 + 1e5));
    CHECK(flops.predict(r, true, 2e9, 0) == doctest::Approx(20 + 100));
    CHECK(bytes.predict(r, false, 1e9, 5e6) == doctest::Approx(5 + 1000));
    CHECK(bytes.predict(r, true, 1e9, 5e6) == doctest::Approx(20 + 5));
    CHECK(piece.predict(r, false, 3e9, 0) == doctest::Approx(5 + 1e5));
    CHECK(piece.predict(r, true, 1e9, 0) == doctest::Approx(20 + 100));
    CHECK(single.predict(r, false, 6e9, 0) == doctest::Approx(5 + 1e5));
}

TEST_CASE("a correction tends to measured over predicted") {
    Correction c;
    CHECK(c.factor() == 1);
    c.add(1e5, 3e5);
    const double once = c.factor();
    CHECK(once > 1);
    CHECK(once < 1.2);  // one task is no proof
    for (int k = 0; k < 100; ++k) c.add(1e5, 3e5);
    CHECK(c.factor() == doctest::Approx(3));
    for (int k = 0; k < 200; ++k) c.add(1e5, 5e4);
    CHECK(c.factor() == doctest::Approx(0.5));
}

TEST_CASE("a correction is the geometric mean of what scatters") {
    Correction c;
    for (int k = 0; k < 400; ++k) c.add(1e5, k % 2 == 0 ? 4e5 : 2.5e4);
    CHECK(c.factor() == doctest::Approx(1).epsilon(0.1));
}

TEST_CASE("short tasks count less, and times that are none not at all") {
    Correction brief, lengthy, none;
    brief.add(10, 40);
    lengthy.add(1e5, 4e5);
    CHECK(brief.factor() > 1);
    CHECK(std::log(brief.factor()) < std::log(lengthy.factor()) / 50);
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (const double odd : {0.0, -1.0, nan, inf}) {
        none.add(odd, 1);
        none.add(1, odd);
    }
    CHECK(none.factor() == 1);
}

TEST_CASE("a correction stays within an eighth and eight") {
    Correction up, down;
    for (int k = 0; k < 1000; ++k) {
        up.add(1e6, 1e12);
        down.add(1e6, 1e-3);
    }
    CHECK(up.factor() == doctest::Approx(8));
    CHECK(down.factor() == doctest::Approx(0.125));
}

TEST_CASE("threads that correct at once lose nothing") {
    Correction together, alone;
    constexpr int threads = 4, runs = 50;
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&together] {
            for (int k = 0; k < runs; ++k) together.add(1e3, 2e3);
        });
    for (std::thread& t : all) t.join();
    for (int k = 0; k < threads * runs; ++k) alone.add(1e3, 2e3);
    CHECK(together.factor() == doctest::Approx(alone.factor()));
}

namespace {

struct NapArguments : TaskArguments {
    bool fails = false;
};

constexpr auto nap = std::chrono::milliseconds(20);

void nap_cpu(void**, void* raw) noexcept {
    run_task<NapArguments>(raw, [](const NapArguments& a) {
        std::this_thread::sleep_for(nap);
        if (a.fails) throw std::runtime_error("as asked");
    });
}

void run_nap(const Session& session, starpu_codelet& codelet, double flops, bool fails) {
    const detail::JobGuard guard(*detail::state_of(session));
    Job job(detail::state_of(session)->engine());
    NapArguments arguments;
    arguments.flops = flops;
    arguments.fails = fails;
    detail::insert_task(job, codelet, arguments, {}, 0);
    if (fails)
        CHECK_THROWS_AS(job.wait(), std::runtime_error);
    else
        job.wait();
}

}  // namespace

TEST_CASE("tasks that ran correct the model of their kind on their kind of worker") {
    const Session session({.cpu_workers = 1, .gpus = 0});
    static TaskModel model(TaskModel::Work::flops, 1, true);
    starpu_codelet codelet = make_codelet("nap", nap_cpu, 0);
    codelet.model = &model.starpu;
    const double predicted = 1e-3 * rates().core_flops;  // operations of a millisecond
    run_nap(session, codelet, predicted, true);
    CHECK(model.core.factor() == 1);  // a task that failed says nothing
    run_nap(session, codelet, predicted, false);
    const double once = model.core.factor();
    CHECK(once > 1);
    run_nap(session, codelet, predicted, false);
    CHECK(model.core.factor() > once);
    CHECK(model.device.factor() == 1);
    CHECK(cost(codelet, STARPU_CPU_WORKER, predicted) ==
          doctest::Approx(model.core.factor() * model.predict(rates(), false, predicted, 0)));
}
