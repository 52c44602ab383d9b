// CGAL's box_self_intersection_d (Zomorodian and Edelsbrunner 2002): streamed segment trees, built and
// searched from the boxes of each frame. It keeps nothing between frames, and is exact for closed boxes.
#include "trace.hpp"

#include <CGAL/box_intersection_d.h>

namespace {

// CGAL's concept BoxIntersectionBox_d.
struct Item {
    using NT = float;
    using ID = std::uint32_t;
    trace::Box box;
    ID number;

    static int dimension() { return 3; }
    ID id() const { return number; }
    NT min_coord(int axis) const { return box.min[axis]; }
    NT max_coord(int axis) const { return box.max[axis]; }
};

// Number of boxes below which pairs are tested one by one.
constexpr std::ptrdiff_t CUTOFF = 50;

class Search {
  public:
    explicit Search(std::size_t objects) {
        items.reserve(objects);
        sorted.reserve(objects);
    }

    void find(const std::vector<trace::Box>& boxes, trace::Pairs& pairs) {
        items.clear();
        for (std::uint32_t id = 0; id < boxes.size(); ++id)
            if (!boxes[id].is_empty()) items.push_back({boxes[id], id});
        // It sorts its range: pointers are cheaper to move, as its documentation advises.
        sorted.clear();
        for (const Item& item : items) sorted.push_back(&item);
        const auto report = [&](const Item* a, const Item* b) { pairs.add(a->number, b->number); };
        CGAL::box_self_intersection_d(sorted.begin(), sorted.end(), report, CUTOFF);
    }

  private:
    std::vector<Item> items;
    std::vector<const Item*> sorted;
};

}  // namespace

int main(int count, char** arguments) { return trace::measure<Search>(count, arguments); }
