#pragma once

/// Calls of malloc, calloc and realloc in the whole process since it began.
long allocations_so_far(void);
