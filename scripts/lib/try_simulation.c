// SPDX-License-Identifier: BSD-3-Clause
// Does this StarPU-SimGrid simulate? A task whose model says an hour takes an hour of simulated time, and its body does
// not run. Exit code 0: it does.
#include <starpu.h>
#include <stdio.h>

static int bodies = 0;

static void body(void* buffers[], void* arguments) { ++bodies; }

static double an_hour(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
    return 3600e6;
}

int main(void) {
    struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = an_hour, .symbol = "an_hour"};
    struct starpu_codelet codelet = {.cpu_funcs = {body}, .model = &model};
    if (starpu_init(NULL) != 0) return 1;
    const double start = starpu_timing_now();
    for (int i = 0; i < 2; ++i)
        if (starpu_task_insert(&codelet, 0) != 0) return 1;
    starpu_task_wait_for_all();
    const double seconds = (starpu_timing_now() - start) * 1e-6;
    starpu_shutdown();
    printf("two tasks of an hour on a core: %.6f s, %d bodies ran\n", seconds, bodies);
    return bodies == 0 && seconds > 7199 && seconds < 7201 ? 0 : 1;
}
