// Traces of boxes, and the line that `harness speed --program` reads for each frame: docs/trace-file.md.
//
// A program is a class with `explicit Search(std::size_t objects)` and `void find(const std::vector<Box>&, Pairs&)`,
// and a `main` that returns `trace::measure<Search>(count, arguments)`.
#pragma once

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trace {

static_assert(std::endian::native == std::endian::little, "traces are read as they are in memory");

// A closed box. An absent object has an empty one.
struct Box {
    float min[3], max[3];

    bool is_empty() const {
        return !(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]);
    }

    // Whether two boxes that are not empty share a point.
    bool overlaps(const Box& other) const {
        bool apart = false;
        for (int axis = 0; axis < 3; ++axis)
            apart |= min[axis] > other.max[axis] || other.min[axis] > max[axis];
        return !apart;
    }

    bool operator==(const Box& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }

    static Box empty() {
        constexpr float inf = std::numeric_limits<float>::infinity();
        return {{inf, inf, inf}, {-inf, -inf, -inf}};
    }
};
static_assert(sizeof(Box) == 24 && std::is_trivially_copyable_v<Box>);

// The smallest box around all that are not empty.
inline Box bounds(const std::vector<Box>& boxes) {
    Box all = Box::empty();
    for (const Box& box : boxes) {
        if (box.is_empty()) continue;
        for (int axis = 0; axis < 3; ++axis) {
            all.min[axis] = std::min(all.min[axis], box.min[axis]);
            all.max[axis] = std::max(all.max[axis], box.max[axis]);
        }
    }
    return all;
}

// The mean side of the boxes that are not empty; 0 without such a box.
inline float mean_side(const std::vector<Box>& boxes) {
    double sum = 0;
    std::size_t sides = 0;
    for (const Box& box : boxes) {
        if (box.is_empty()) continue;
        for (int axis = 0; axis < 3; ++axis) sum += double(box.max[axis]) - box.min[axis];
        sides += 3;
    }
    return sides == 0 ? 0 : float(sum / double(sides));
}

// The pairs of a frame, the lower id first.
class Pairs {
  public:
    void add(std::uint32_t i, std::uint32_t j) { list.emplace_back(std::min(i, j), std::max(i, j)); }

  private:
    friend class Frames;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> list;

    // Room for half as many pairs again as in the frame before: a steady frame does not grow the list.
    void prepare() {
        const std::size_t wanted = list.size() + list.size() / 2 + 64;
        list.clear();
        if (list.capacity() < wanted) list.reserve(2 * wanted);
    }

    // The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    static std::uint64_t mix(std::uint64_t word) {
        std::uint64_t z = word + 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    // The wrapping sum of the mixed pairs.
    std::uint64_t checksum() const {
        std::uint64_t sum = 0;
        for (auto [a, b] : list) sum += mix(std::uint64_t(a) << 32 | b);
        return sum;
    }
};

[[noreturn]] inline void fail(const std::string& path, const std::string& what) {
    throw std::runtime_error(path + ": " + what);
}

struct Header {
    char magic[8];
    std::uint32_t objects, frames;
    float seconds;
    std::uint32_t flags;
};
static_assert(sizeof(Header) == 24);

constexpr char MAGIC[] = "BPTRACE1";

// A file that is closed when it goes.
class File {
  public:
    File(const std::string& path, const char* mode) : path(path), file(std::fopen(path.c_str(), mode)) {
        if (!file) fail(path, std::string("cannot be opened: ") + std::strerror(errno));
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { if (file) std::fclose(file); }

    void read(void* to, std::size_t bytes) {
        if (std::fread(to, 1, bytes, file) != bytes) fail(path, "ends too early, or cannot be read");
    }
    void write(const void* from, std::size_t bytes) {
        if (std::fwrite(from, 1, bytes, file) != bytes) fail(path, "cannot be written");
    }
    void rewind() {
        if (std::fseek(file, 0, SEEK_SET) != 0) fail(path, "cannot be written twice");
    }
    void close() {
        if (std::fclose(std::exchange(file, nullptr)) != 0) fail(path, "cannot be written");
    }

    const std::string path;

  private:
    std::FILE* file;
};

// Reads a trace, frame by frame.
class Reader {
  public:
    explicit Reader(const std::string& path) : file(path, "rb") {
        file.read(&header, sizeof header);
        if (std::memcmp(header.magic, MAGIC, 8) != 0) fail(path, "is no trace");
    }
    std::uint32_t objects() const { return header.objects; }
    std::uint32_t frames() const { return header.frames; }
    void read(std::vector<Box>& boxes) {
        boxes.resize(header.objects);
        file.read(boxes.data(), boxes.size() * sizeof(Box));
    }

  private:
    File file;
    Header header;
};

// Writes a trace. Its header says 0 frames, which readers refuse, until it is finished.
class Writer {
  public:
    Writer(const std::string& path, std::uint32_t objects, float seconds)
        : file(path, "wb"), header{{}, objects, 0, seconds, 0} {
        std::memcpy(header.magic, MAGIC, 8);
        file.write(&header, sizeof header);
    }
    void write(const std::vector<Box>& boxes) {
        if (boxes.size() != header.objects) fail(file.path, "a frame has another number of objects");
        file.write(boxes.data(), boxes.size() * sizeof(Box));
        ++header.frames;
    }
    void finish() {
        file.rewind();
        file.write(&header, sizeof header);
        file.close();
    }

  private:
    File file;
    Header header;
};

// Plays a trace, and clocks the search of each frame.
class Frames {
  public:
    template <class Search> static void measure(const std::string& path) {
        Reader reader(path);
        Search search(reader.objects());
        std::vector<Box> boxes;
        std::vector<Line> lines;
        lines.reserve(reader.frames());
        Pairs pairs;
        for (std::uint32_t frame = 0; frame < reader.frames(); ++frame) {
            reader.read(boxes);
            pairs.prepare();
            const auto start = std::chrono::steady_clock::now();
            search.find(boxes, pairs);
            const auto end = std::chrono::steady_clock::now();
            const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count();
            lines.push_back({std::uint64_t(ns), pairs.list.size(), pairs.checksum()});
        }
        // A reader that wakes up between frames would disturb the measurement.
        for (const Line& line : lines)
            std::printf("%" PRIu64 " %zu %016" PRIx64 "\n", line.ns, line.pairs, line.checksum);
    }

  private:
    struct Line {
        std::uint64_t ns;
        std::size_t pairs;
        std::uint64_t checksum;
    };
};

// The program: `NAME TRACE.bpt`.
template <class Search> int measure(int count, char** arguments) try {
    if (count != 2) throw std::runtime_error(std::string("usage: ") + arguments[0] + " TRACE.bpt");
    Frames::measure<Search>(arguments[1]);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
}

}  // namespace trace
