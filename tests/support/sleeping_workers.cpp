// SPDX-License-Identifier: BSD-3-Clause
// Workers of StarPU that find no task sleep for a moment, in tests. By themselves they ask again without a pause: tests
// with more workers than cores would take most of their time for that, and each task would wait until the workers
// without one have used up their share of a core. The linker puts these functions in the place of StarPU's.
#include <starpu.h>

#include <ctime>

namespace {

int starts = 0;  // StarPU counts them, too, and ends with the last
int hook = -1;

unsigned sleep_for_a_moment(void*) {
    const timespec moment{0, 20'000};
    nanosleep(&moment, nullptr);
    return 0;
}

}  // namespace

extern "C" {

int __real_starpu_init(starpu_conf* conf);
void __real_starpu_shutdown();

int __wrap_starpu_init(starpu_conf* conf) {
    const int status = __real_starpu_init(conf);
    if (status == 0 && starts++ == 0) hook = starpu_idle_hook_register(sleep_for_a_moment, nullptr);
    return status;
}

void __wrap_starpu_shutdown() {
    if (--starts == 0 && hook >= 0) starpu_idle_hook_deregister(hook);
    __real_starpu_shutdown();
}
}
