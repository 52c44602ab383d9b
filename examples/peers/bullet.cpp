// Bullet's broad phases, with their pair cache. Boxes that did not change are not passed on, as Bullet does
// for bodies that sleep. The cache also holds pairs of fat boxes, so pairs are tested against the exact ones.
//
// VARIANT is DBVT: btDbvtBroadphase, which searches its trees for each box that moved;
// DBVT_DEFERRED: the same, searching whole trees once a frame; AXIS_SWEEP: bt32BitAxisSweep3.
#include "trace.hpp"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <memory>

// Bullet's margin of fat boxes, in units. Its header does not declare it.
extern btScalar gDbvtMargin;

namespace {

using trace::Box;

#define DBVT 1
#define DBVT_DEFERRED 2
#define AXIS_SWEEP 3

// Margin of a fat box over the mean side of all boxes. Bullet's own is 0.05 units, for bodies of about a unit.
constexpr float MARGIN = 0.05f;

btVector3 low(const Box& box) { return {box.min[0], box.min[1], box.min[2]}; }
btVector3 high(const Box& box) { return {box.max[0], box.max[1], box.max[2]}; }

std::unique_ptr<btBroadphaseInterface> make(const std::vector<Box>& first) {
#if VARIANT == AXIS_SWEEP
    // Coordinates are quantised within these bounds; boxes beyond are clamped, which only adds candidates.
    Box world = trace::bounds(first);
    for (int axis = 0; axis < 3; ++axis) {
        if (world.min[axis] > world.max[axis]) world.min[axis] = world.max[axis] = 0;
        const float room = 0.05f * (world.max[axis] - world.min[axis]) + 1e-3f;
        world.min[axis] -= room;
        world.max[axis] += room;
    }
    const auto handles = unsigned(first.size() + 2);
    return std::make_unique<bt32BitAxisSweep3>(low(world), high(world), handles, nullptr, true);
#else
    gDbvtMargin = MARGIN * trace::mean_side(first);
    auto broad_phase = std::make_unique<btDbvtBroadphase>();
    broad_phase->m_deferedcollide = VARIANT == DBVT_DEFERRED;
    return broad_phase;
#endif
}

class Search {
  public:
    explicit Search(std::size_t objects) : proxies(objects, nullptr), last(objects, Box::empty()) {}

    void find(const std::vector<Box>& boxes, trace::Pairs& pairs) {
        const bool is_first = !broad_phase;
        if (is_first) broad_phase = make(boxes);
        for (std::uint32_t id = 0; id < boxes.size(); ++id)
            if (!(boxes[id] == last[id])) move(id, boxes[id]);
#if VARIANT != AXIS_SWEEP
        // The tree of single insertions is built again once, as Bullet's documentation advises.
        if (is_first) static_cast<btDbvtBroadphase&>(*broad_phase).optimize();
#endif
        broad_phase->calculateOverlappingPairs(nullptr);
        const btBroadphasePairArray& cached = broad_phase->getOverlappingPairCache()->getOverlappingPairArray();
        for (int index = 0; index < cached.size(); ++index) {
            const std::uint32_t a = id_of(cached[index].m_pProxy0), b = id_of(cached[index].m_pProxy1);
            if (boxes[a].overlaps(boxes[b])) pairs.add(a, b);
        }
    }

    ~Search() {
        for (btBroadphaseProxy* proxy : proxies)
            if (proxy) broad_phase->destroyProxy(proxy, nullptr);
    }

  private:
    std::unique_ptr<btBroadphaseInterface> broad_phase;
    std::vector<btBroadphaseProxy*> proxies;
    std::vector<Box> last;

    static std::uint32_t id_of(const btBroadphaseProxy* proxy) {
        return std::uint32_t(reinterpret_cast<std::uintptr_t>(proxy->m_clientObject));
    }

    void move(std::uint32_t id, const Box& box) {
        btBroadphaseProxy*& proxy = proxies[id];
        if (box.is_empty()) {
            if (proxy) broad_phase->destroyProxy(std::exchange(proxy, nullptr), nullptr);
        } else if (proxy) {
            broad_phase->setAabb(proxy, low(box), high(box), nullptr);
        } else {
            void* client = reinterpret_cast<void*>(std::uintptr_t(id));
            proxy = broad_phase->createProxy(low(box), high(box), 0, client, 1, 1, nullptr);
        }
        last[id] = box;
    }
};

}  // namespace

int main(int count, char** arguments) { return trace::measure<Search>(count, arguments); }
