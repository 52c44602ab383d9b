// The smallest useful program: sorts the boxes along x, and tests those that overlap there. No library.
#include "trace.hpp"

namespace {

class Search {
  public:
    explicit Search(std::size_t objects) { order.reserve(objects); }

    void find(const std::vector<trace::Box>& boxes, trace::Pairs& pairs) {
        order.clear();
        for (std::uint32_t id = 0; id < boxes.size(); ++id)
            if (!boxes[id].is_empty()) order.push_back(id);
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return boxes[a].min[0] < boxes[b].min[0]; });
        for (std::size_t at = 0; at < order.size(); ++at) {
            const trace::Box& box = boxes[order[at]];
            for (std::size_t next = at + 1; next < order.size(); ++next) {
                const trace::Box& other = boxes[order[next]];
                if (other.min[0] > box.max[0]) break;
                if (box.overlaps(other)) pairs.add(order[at], order[next]);
            }
        }
    }

  private:
    std::vector<std::uint32_t> order;
};

}  // namespace

int main(int count, char** arguments) { return trace::measure<Search>(count, arguments); }
