// SPDX-License-Identifier: BSD-3-Clause
// An application with StarPU tasks of its own: Frond uses the workers that run already, and leaves
// StarPU as it found it.
#include "grid_problem.hpp"

#include <frond/frond.hpp>

#include <starpu.h>

#include <cstdio>

int main() {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.catch_signals = 0;
    if (starpu_init(&conf) != 0) return 1;

    bool good = false;
    {
        const GridProblem grid = grid_problem(40, 4.0);
        const int n = grid.order;
        const frond::CompressedView<double> a{n,
                                              n,
                                              grid.begin.data(),
                                              grid.row.data(),
                                              grid.value.data(),
                                              frond::Layout::columns,
                                              frond::Symmetry::symmetric,
                                              frond::Triangle::lower};
        frond::Session session;
        std::printf("StarPU started by %s, %d CPU workers\n", session.info().owns_starpu ? "Frond" : "the application",
                    session.info().cpu_workers);
        frond::Solver<double> solver(session);
        solver.factor(a);
        std::vector<double> b(n, 1.0), x(n);
        const auto report = solver.solve({b.data(), n}, {x.data(), n});
        std::printf("backward error %.1e\n", report.backward_error);
        good = !session.info().owns_starpu && report.status == frond::SolveStatus::converged;
    }  // the session ends here

    // The workers still run and are the application's to stop.
    good = good && starpu_is_initialized() == 1;
    starpu_shutdown();
    return good ? 0 : 1;
}
