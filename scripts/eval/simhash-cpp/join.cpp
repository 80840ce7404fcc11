// Joins a file of simhashes by simhash-cpp: `simhash-cpp-join FILE DISTANCE BLOCKS`.
// The output is that of `eval hamming`.

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unordered_set>

#include "simhash.h"

int main(int count, char** arguments)
{
    if (count != 4) {
        std::fprintf(stderr, "usage: simhash-cpp-join FILE DISTANCE BLOCKS\n");
        return 2;
    }
    std::ifstream file(arguments[1], std::ios::binary);
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", arguments[1]);
        return 2;
    }
    const auto start = std::chrono::steady_clock::now();
    // The bytes are little-endian, as those of the processors that this runs on.
    std::unordered_set<Simhash::hash_t> simhashes;
    Simhash::hash_t simhash;
    while (file.read(reinterpret_cast<char*>(&simhash), sizeof simhash)) {
        simhashes.insert(simhash);
    }
    const auto pairs = Simhash::find_all(simhashes, std::atoi(arguments[3]), std::atoi(arguments[2]));
    // As in `eval hamming`; the first of a pair is the lesser.
    uint64_t check = 0;
    for (const auto& pair : pairs) {
        check += (pair.first * UINT64_C(0x9e3779b97f4a7c15)) ^ pair.second;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("pairs  %12zu   %.3f s   (sum of all %016" PRIx64 ")\n", pairs.size(), seconds.count(), check);
}
