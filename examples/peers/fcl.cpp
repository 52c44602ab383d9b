// FCL's broad-phase managers. They keep their structure between frames.
//
// MANAGER is DynamicAABBTreeCollisionManager, DynamicAABBTreeCollisionManager_Array or SaPCollisionManager.
// With OPEN, the manager takes boxes that only touch as apart, as SaPCollisionManager does: its boxes are larger
// by the least difference of floats. Objects that go are refused then: SaPCollisionManager::unregisterObject of
// FCL 0.7 uses an iterator that it has erased.
//
// Pairs are tested against the exact boxes: where single objects are updated, a tree of FCL 0.7 keeps the larger
// box of an object that shrank (HierarchyTree::update returns where the old box contains the new one).
#include "trace.hpp"

#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/geometry/shape/sphere.h>

#include <cmath>
#include <deque>
#include <memory>

namespace {

using trace::Box;

#ifndef OPEN
#define OPEN 0
#endif

// A deep tree in an array is rebalanced by moving its leaves to other places, but the manager of FCL 0.7 keeps the
// old ones (`setup` calls `balanceTopdown` and leaves `table` as it is). Later updates would change other objects. So
// that never happens here: where it was due, the tree is built from all objects again.
using ArrayManager = fcl::DynamicAABBTreeCollisionManager_Array<float>;
const int DEEP = ArrayManager().max_tree_nonbalanced_level;

template <class Manager> void never_rebalance(Manager&) {}
[[maybe_unused]] void never_rebalance(ArrayManager& manager) {
    manager.max_tree_nonbalanced_level = std::numeric_limits<int>::max();
}

template <class Manager> bool is_deep(const Manager&) { return false; }
[[maybe_unused]] bool is_deep(const ArrayManager& manager) {
    const auto& tree = manager.getTree();
    return tree.size() > 0 && double(tree.getMaxHeight()) - std::log2(double(tree.size())) >= DEEP;
}

// An object whose box is set instead of computed from a shape.
class Object : public fcl::CollisionObject<float> {
  public:
    Object(const std::shared_ptr<fcl::CollisionGeometry<float>>& shape, std::uint32_t id)
        : CollisionObject(shape), id(id) {}

    void set(const Box& box) {
        for (int axis = 0; axis < 3; ++axis) {
            aabb.min_[axis] = box.min[axis];
            aabb.max_[axis] = OPEN ? std::nextafter(box.max[axis], INFINITY) : box.max[axis];
        }
    }

    const std::uint32_t id;
};

class Search {
  public:
    explicit Search(std::size_t count) : last(count, Box::empty()) {
        never_rebalance(manager);
        const auto shape = std::make_shared<fcl::Sphere<float>>(1.0f);
        for (std::uint32_t id = 0; id < count; ++id) objects.emplace_back(shape, id);
    }

    void find(const std::vector<Box>& boxes, trace::Pairs& pairs) {
        found = &pairs;
        moved.clear();
        entered.clear();
        for (std::uint32_t id = 0; id < boxes.size(); ++id)
            if (!(boxes[id] == last[id])) move(id, boxes[id]);
        if (!entered.empty()) manager.registerObjects(entered);
        // Above this share a pass over all objects is faster than one update each.
        if (moved.size() > last.size() / SHARE) manager.update();
        else if (!moved.empty()) manager.update(moved);
        if (is_deep(manager)) rebuild();
        manager.setup();
        manager.collide(this, report);
    }

  private:
    static constexpr std::size_t SHARE = 10;

    fcl::MANAGER<float> manager;
    std::deque<Object> objects;
    std::vector<fcl::CollisionObject<float>*> moved, entered;
    std::vector<Box> last;
    trace::Pairs* found = nullptr;

    void rebuild() {
        manager.clear();
        entered.clear();
        for (Object& object : objects)
            if (!last[object.id].is_empty()) entered.push_back(&object);
        manager.registerObjects(entered);
    }

    void move(std::uint32_t id, const Box& box) {
        Object& object = objects[id];
        if (box.is_empty()) {
            if (OPEN) throw std::runtime_error("this manager of FCL 0.7 cannot take objects out");
            manager.unregisterObject(&object);
        } else {
            object.set(box);
            (last[id].is_empty() ? entered : moved).push_back(&object);
        }
        last[id] = box;
    }

    // Tests the exact boxes. Returns whether to stop.
    static bool report(fcl::CollisionObject<float>* a, fcl::CollisionObject<float>* b, void* user) {
        auto& search = *static_cast<Search*>(user);
        const std::uint32_t i = static_cast<Object*>(a)->id, j = static_cast<Object*>(b)->id;
        if (search.last[i].overlaps(search.last[j])) search.found->add(i, j);
        return false;
    }
};

}  // namespace

int main(int count, char** arguments) { return trace::measure<Search>(count, arguments); }
