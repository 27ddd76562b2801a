/* SPDX-License-Identifier: BSD-3-Clause
 * Does this StarPU work? Forty numbers, one task each, then one task that sums them all: more
 * buffers than fit in a task's fixed array. Exit status 0 when the sum is right. */
#include <starpu.h>
#include <stdio.h>

enum { count = 40 };

static void set_to_index(void* buffers[], void* argument) {
    int index;
    starpu_codelet_unpack_args(argument, &index);
    *(double*)STARPU_MATRIX_GET_PTR(buffers[0]) = index;
}

static void sum_all(void* buffers[], void* argument) {
    (void)argument;
    for (int i = 1; i < count; ++i)
        *(double*)STARPU_MATRIX_GET_PTR(buffers[0]) += *(double*)STARPU_MATRIX_GET_PTR(buffers[i]);
}

static struct starpu_codelet set_codelet = {.cpu_funcs = {set_to_index}, .nbuffers = 1, .modes = {STARPU_W}};
static struct starpu_codelet sum_codelet = {.cpu_funcs = {sum_all}, .nbuffers = STARPU_VARIABLE_NBUFFERS};

int main(void) {
    double values[count];
    struct starpu_data_descr data[count];
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.catch_signals = 0;
    if (starpu_init(&conf) != 0) return 1;

    for (int i = 0; i < count; ++i) {
        starpu_matrix_data_register(&data[i].handle, STARPU_MAIN_RAM, (uintptr_t)&values[i], 1, 1, 1, sizeof(double));
        data[i].mode = i == 0 ? STARPU_RW : STARPU_R;
        if (starpu_task_insert(&set_codelet, STARPU_VALUE, &i, sizeof i, STARPU_W, data[i].handle, 0)) return 1;
    }
    if (starpu_task_insert(&sum_codelet, STARPU_DATA_MODE_ARRAY, data, count, 0)) return 1;
    starpu_task_wait_for_all();
    for (int i = 0; i < count; ++i) starpu_data_unregister(data[i].handle);
    starpu_shutdown();

    printf("sum %g, expected %g\n", values[0], count * (count - 1) / 2.0);
    return values[0] != count * (count - 1) / 2.0;
}
