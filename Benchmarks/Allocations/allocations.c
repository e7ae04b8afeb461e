// Counts allocations by standing in for malloc and its kin: the dynamic linker takes a program's own definition
// before glibc's, for the Swift runtime and Foundation, too. In C because Swift reserves these names for its runtime.

#include "allocations.h"
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static atomic_long total;

static void count_one(void) {
    atomic_fetch_add_explicit(&total, 1, memory_order_relaxed);
}

long allocations_so_far(void) {
    return atomic_load_explicit(&total, memory_order_relaxed);
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
