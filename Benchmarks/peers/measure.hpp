// The clock of the C++ peers, as Benchmarks/Measuring has it: one run to warm up, then at least seven and two
// seconds' worth. Prints one line of JSON.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "structs.hpp"

inline std::string contents(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", path);
        std::exit(66);
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

/// `decode` gives the items as structs; their number and the bytes of their titles are printed, so that the
/// caller can tell whether all peers read the same.
template <class Item> void measure(const std::function<std::vector<Item>()>& decode) {
    using Clock = std::chrono::steady_clock;
    size_t items = 0, title_bytes = 0;
    for (const Item& item : decode()) items += 1, title_bytes += item.title().size();
    std::vector<double> times;
    double spent = 0;
    while (times.size() < 7 || (spent < 2 && times.size() < 1000)) {
        const auto start = Clock::now();
        const std::vector<Item> decoded = decode();
        times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        spent += times.back();
        if (decoded.size() != items) std::abort();
    }
    std::sort(times.begin(), times.end());
    std::printf(
        "{\"median\": %.9f, \"fastest\": %.9f, \"runs\": %zu, \"items\": %zu, \"title_bytes\": %zu}\n",
        times[times.size() / 2], times[0], times.size(), items, title_bytes);
}

/// Calls `Peer<Item>::measure(path)` for the item of a corpus.
template <template <class> class Peer> int run(int count, char** words) {
    if (count != 3) {
        std::fprintf(stderr, "usage: %s starwars|directory|tmdb|hostile FILE\n", words[0]);
        return 64;
    }
    const std::string corpus = words[1];
    if (corpus == "directory") Peer<Employee>::measure(words[2]);
    else if (corpus == "tmdb") Peer<Show>::measure(words[2]);
    else Peer<Person>::measure(words[2]);
    return 0;
}
