// Counts allocations by standing in for malloc and its kin: the dynamic linker takes a program's own definition
// before glibc's, for the Swift runtime and Foundation, too. In C because Swift reserves these names for its runtime.

#include "allocations.h"
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

enum { counter_count = 64 };

/// Each thread has one to itself, as long as there are so few: one for all would be fought for by every allocation.
static struct {
    _Alignas(64) atomic_long count;
} counters[counter_count];
static atomic_uint threads;
static _Thread_local unsigned own;

static void count_one(void) {
    if (own == 0) own = 1 + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % counter_count;
    atomic_fetch_add_explicit(&counters[own - 1].count, 1, memory_order_relaxed);
}

long allocations_so_far(void) {
    long total = 0;
    for (int index = 0; index < counter_count; index++)
        total += atomic_load_explicit(&counters[index].count, memory_order_relaxed);
    return total;
}

void *malloc(size_t size) {
    count_one();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_one();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    count_one();
    return __libc_realloc(block, size);
}
