// Finds the pairs of moving boxes from C++17, by a wrapper that owns an instance and throws.
//
// Prints a line for each frame, such as "frame 0: 0-7 3-9".
#include "broadphase.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

/// The pairs of a frame, valid until the next call of BroadPhase::find_pairs.
class Pairs {
public:
    Pairs(const BpPair *first, std::size_t count) : first_(first), count_(count) {}

    const BpPair *begin() const { return first_; }
    const BpPair *end() const { return first_ + count_; }

private:
    const BpPair *first_;
    std::size_t count_;
};

/// An instance that is destroyed with its owner. Failures are exceptions.
class BroadPhase {
public:
    explicit BroadPhase(const std::string &id, const BpSettings &settings = {}) {
        BpBroadPhase *created = nullptr;
        require(bp_create(id.c_str(), &settings, &created));
        instance_.reset(created);
    }

    Pairs find_pairs(const std::vector<BpAabb> &boxes) {
        const BpPair *first = nullptr;
        std::size_t count = 0;
        require(bp_find_pairs(instance_.get(), boxes.data(), boxes.size(), &first, &count));
        return Pairs(first, count);
    }

private:
    struct Destroy {
        void operator()(BpBroadPhase *instance) const { bp_destroy(instance); }
    };

    static void require(BpStatus status) {
        if (status != BP_STATUS_OK) {
            throw std::runtime_error(bp_last_error());
        }
    }

    std::unique_ptr<BpBroadPhase, Destroy> instance_;
};

/// Moves the boxes. Whole numbers, so that the same boxes are easily computed elsewhere.
static void move_boxes(std::vector<BpAabb> &boxes, int frame) {
    for (int object = 0; object < static_cast<int>(boxes.size()); object++) {
        const int corner[3] = {
            (object * 7 + frame * (object % 3)) % 10,
            (object * 5 + frame) % 10,
            (object * 3) % 10,
        };
        BpAabb &box = boxes[static_cast<std::size_t>(object)];
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = static_cast<float>(corner[axis]);
            box.max[axis] = static_cast<float>(corner[axis] + 3);
        }
    }
}

static bool is_before(const BpPair &p, const BpPair &q) {
    return std::tie(p.a, p.b) < std::tie(q.a, q.b);
}

int main() try {
    std::vector<BpAabb> boxes(12);
    BpSettings settings{};
    settings.objects = boxes.size();
    BroadPhase broad_phase("auto", settings);

    for (int frame = 0; frame < 4; frame++) {
        move_boxes(boxes, frame);
        const Pairs found = broad_phase.find_pairs(boxes);

        // The list is in any order, and belongs to the instance.
        std::vector<BpPair> sorted(found.begin(), found.end());
        std::sort(sorted.begin(), sorted.end(), is_before);
        std::cout << "frame " << frame << ":";
        for (const BpPair &pair : sorted) {
            std::cout << " " << pair.a << "-" << pair.b;
        }
        std::cout << "\n";
    }

    try {
        BroadPhase unknown("no-such-algorithm");
    } catch (const std::runtime_error &error) {
        std::cout << "refused: " << error.what() << "\n";
    }
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::cerr << "error: " << error.what() << "\n";
    return EXIT_FAILURE;
}
