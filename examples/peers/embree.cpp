// Embree's rtcCollide of a scene with itself: one geometry of user primitives, whose bounds are the boxes.
// Candidates are tested against the exact boxes.
//
// VARIANT is REBUILT: a new hierarchy in each frame; REFITTED: the first one, refitted.
#include "trace.hpp"

#include <embree3/rtcore.h>
#include <tbb/global_control.h>

namespace {

using trace::Box;

#define REBUILT 1
#define REFITTED 2

// Build quality: QUALITY is LOW (Morton codes) or MEDIUM (binned SAH).
#define JOIN(a, b) a##b
#define QUALITY_OF(name) JOIN(RTC_BUILD_QUALITY_, name)

class Search {
  public:
    explicit Search(std::size_t objects)
        : one_thread(tbb::global_control::max_allowed_parallelism, 1),
          device(rtcNewDevice("threads=1,user_threads=1")),
          scene(rtcNewScene(device)),
          geometry(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER)) {
        rtcSetDeviceErrorFunction(device, refuse, nullptr);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(scene, QUALITY_OF(QUALITY));
        rtcSetGeometryBuildQuality(geometry, QUALITY_OF(QUALITY));
        rtcSetGeometryUserPrimitiveCount(geometry, unsigned(objects));
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(geometry, bounds_of, nullptr);
        rtcAttachGeometry(scene, geometry);
    }
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    ~Search() {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }

    void find(const std::vector<Box>& frame, trace::Pairs& pairs) {
        boxes = frame.data();
        found = &pairs;
#if VARIANT == REFITTED
        if (is_built) rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
        is_built = true;
#endif
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
        rtcCollide(scene, scene, report, this);
    }

  private:
    tbb::global_control one_thread;
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    bool is_built = false;
    const Box* boxes = nullptr;
    trace::Pairs* found = nullptr;

    static void bounds_of(const RTCBoundsFunctionArguments* arguments) {
        const auto& search = *static_cast<const Search*>(arguments->geometryUserPtr);
        const Box& box = search.boxes[arguments->primID];
        RTCBounds& bounds = *arguments->bounds_o;
        bounds.lower_x = box.min[0], bounds.lower_y = box.min[1], bounds.lower_z = box.min[2];
        bounds.upper_x = box.max[0], bounds.upper_y = box.max[1], bounds.upper_z = box.max[2];
    }

    // Each pair comes in both orders, and each object with itself.
    static void report(void* user, RTCCollision* collisions, unsigned count) {
        const auto& search = *static_cast<const Search*>(user);
        for (unsigned index = 0; index < count; ++index) {
            const unsigned a = collisions[index].primID0, b = collisions[index].primID1;
            if (a < b && search.boxes[a].overlaps(search.boxes[b])) search.found->add(a, b);
        }
    }

    static void refuse(void*, RTCError, const char* message) {
        throw std::runtime_error(std::string("Embree: ") + message);
    }
};

}  // namespace

int main(int count, char** arguments) { return trace::measure<Search>(count, arguments); }
