/* zlib (Debian: zlib1g-dev), the one C library that Portico links. */
#pragma once
#include <zlib.h>
