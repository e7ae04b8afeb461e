// Waiting for a `Synchronization.Mutex` in a way that Thread Sanitizer can follow.
//
// On Linux a contended Mutex waits in the kernel (FUTEX_LOCK_PI), which hands the lock over by itself. Thread Sanitizer
// does not see that, and reports a race for each value a contended Mutex guards. This library, compiled with Thread
// Sanitizer and loaded first, replaces the one function that waits, `_MutexHandle._lockSlow(UInt32)`: it takes the
// lock by the same compare-and-exchange as the fast path, which is inlined into our code and so is seen.
// The lock's word holds the owner's thread id, or zero (swift-6.3, Synchronization/Mutex/LinuxImpl.swift).
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

SWIFT void lockSlow(uint32_t thread, SELF _Atomic(uint32_t) *word)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

SWIFT void lockSlow(uint32_t thread, SELF _Atomic(uint32_t) *word) {
    for (;;) {
        uint32_t unlocked = 0;
        if (atomic_compare_exchange_strong_explicit(
                word, &unlocked, thread, memory_order_acquire, memory_order_relaxed)) {
            return;
        }
        sched_yield();
    }
}

// A report starts llvm-symbolizer, where there is one; it has no Thread Sanitizer and could not load this library.
__attribute__((constructor)) static void keepFromChildren(void) { unsetenv("LD_PRELOAD"); }
