// FCL's broad-phase managers. They keep their structure, and take the boxes as they are.
//
// MANAGER is DynamicAABBTreeCollisionManager, DynamicAABBTreeCollisionManager_Array or SaPCollisionManager.
#include "trace.hpp"

#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/geometry/shape/sphere.h>

#include <deque>
#include <memory>

namespace {

using trace::Box;

// An object whose box is set instead of computed from a shape.
class Object : public fcl::CollisionObject<float> {
  public:
    Object(const std::shared_ptr<fcl::CollisionGeometry<float>>& shape, std::uint32_t id)
        : CollisionObject(shape), id(id) {}

    void set(const Box& box) {
        aabb.min_ = {box.min[0], box.min[1], box.min[2]};
        aabb.max_ = {box.max[0], box.max[1], box.max[2]};
    }

    const std::uint32_t id;
};

class Search {
  public:
    explicit Search(std::size_t count) : last(count, Box::empty()) {
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

    void move(std::uint32_t id, const Box& box) {
        Object& object = objects[id];
        if (box.is_empty()) {
            manager.unregisterObject(&object);
        } else {
            object.set(box);
            (last[id].is_empty() ? entered : moved).push_back(&object);
        }
        last[id] = box;
    }

    // The managers compare the boxes themselves, closed. Returns whether to stop.
    static bool report(fcl::CollisionObject<float>* a, fcl::CollisionObject<float>* b, void* user) {
        auto& search = *static_cast<Search*>(user);
        search.found->add(static_cast<Object*>(a)->id, static_cast<Object*>(b)->id);
        return false;
    }
};

}  // namespace

int main(int count, char** arguments) { return trace::measure<Search>(count, arguments); }
