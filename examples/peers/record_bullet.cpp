// Records scenes simulated by Bullet as traces: record_bullet SCENE|all FOLDER
//
// Each trace has 300 frames of 1/60 s, and is the same in every run on one machine and build. Bodies sleep when
// they rest, as by default in Bullet: their boxes do not change then.
#include "trace.hpp"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletDynamicsCommon.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <random>

namespace {

constexpr int FRAMES = 300;
constexpr float STEP = 1.0f / 60;

// Random numbers that are the same with every standard library.
class Random {
  public:
    // From `low` to `high`.
    float between(float low, float high) { return low + (high - low) * float(engine() / 4294967296.0); }
    btVector3 in_cube(float half) {
        const float x = between(-half, half), y = between(-half, half), z = between(-half, half);
        return {x, y, z};
    }

  private:
    std::mt19937 engine{1739};
};

// Bullet's world, with everything in it.
class World {
  public:
    World() : world(&dispatcher, &broad_phase, &solver, &configuration) { world.setGravity({0, -9.81f, 0}); }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    ~World() {
        for (auto& joint : joints) world.removeConstraint(joint.get());
        for (auto& body : bodies) world.removeRigidBody(body.get());
    }

    // A shape that lives as long as the world.
    template <class Shape, class... Arguments> btCollisionShape* shape(Arguments&&... arguments) {
        shapes.push_back(std::make_unique<Shape>(std::forward<Arguments>(arguments)...));
        return shapes.back().get();
    }

    // A body whose boxes are recorded. Without mass it is static.
    btRigidBody* add(btCollisionShape* shape, float mass, const btVector3& at,
                     const btQuaternion& rotation = btQuaternion::getIdentity()) {
        recorded.push_back(add_unrecorded(shape, mass, at, rotation));
        return recorded.back();
    }

    btRigidBody* add_unrecorded(btCollisionShape* shape, float mass, const btVector3& at,
                                const btQuaternion& rotation = btQuaternion::getIdentity()) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform = btTransform(rotation, at);
        info.m_friction = 0.7f;
        info.m_rollingFriction = 0.01f;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }

    void ground() { add_unrecorded(shape<btStaticPlaneShape>(btVector3(0, 1, 0), 0.0f), 0, {0, 0, 0}); }

    // A joint between two bodies, which do not collide with each other.
    void join(std::unique_ptr<btTypedConstraint> joint) {
        world.addConstraint(joint.get(), true);
        joints.push_back(std::move(joint));
    }

    // Steps the world, and writes the boxes after each step. `before` is called before each.
    void record(const std::string& path, const std::function<void(int)>& before) {
        trace::Writer writer(path, std::uint32_t(recorded.size()), STEP);
        std::vector<trace::Box> boxes(recorded.size());
        for (int frame = 0; frame < FRAMES; ++frame) {
            before(frame);
            world.stepSimulation(STEP, 0);
            for (std::size_t id = 0; id < recorded.size(); ++id) {
                btVector3 low, high;
                recorded[id]->getAabb(low, high);
                boxes[id] = {{low.x(), low.y(), low.z()}, {high.x(), high.y(), high.z()}};
            }
            writer.write(boxes);
        }
        writer.finish();
        std::printf("%s: %d frames of %zu boxes\n", path.c_str(), FRAMES, boxes.size());
    }

    Random random;

  private:
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::vector<btRigidBody*> recorded;
};

void nothing(int) {}

// A wall of 2,000 bricks, and balls that hit it once it rests.
void stack(World& world, const std::string& path) {
    world.ground();
    const btVector3 half(0.5f, 0.25f, 0.25f);
    btCollisionShape* brick = world.shape<btBoxShape>(half);
    for (int layer = 0; layer < 25; ++layer)
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 40; ++column) {
                const float x = (float(column) - 20 + 0.5f * float(layer % 2)) * 1.005f;
                world.add(brick, 2, {x, 0.25f + 0.5f * float(layer), 0.505f * float(row)});
            }
    std::vector<btRigidBody*> balls;
    btCollisionShape* ball = world.shape<btSphereShape>(0.8f);
    for (int index = 0; index < 8; ++index)
        balls.push_back(world.add(ball, 60, {float(index) * 5 - 17, 0.8f, -15}));
    world.record(path, [&](int frame) {
        if (frame != 200) return;
        for (btRigidBody* body : balls) {
            body->activate(true);
            body->setLinearVelocity({world.random.between(-2, 2), world.random.between(6, 10), 22});
        }
    });
}

// The parts of a doll, from its pelvis upwards: half length and radius of a capsule, its centre, and the part that
// it hangs on.
struct Part {
    float half, radius;
    btVector3 at;
    int parent;
    btVector3 joint;
};

const std::array<Part, 11> DOLL{{
    {0.10f, 0.15f, {0, 1.0f, 0}, -1, {0, 0, 0}},
    {0.15f, 0.15f, {0, 1.4f, 0}, 0, {0, 1.15f, 0}},
    {0.05f, 0.12f, {0, 1.8f, 0}, 1, {0, 1.65f, 0}},
    {0.22f, 0.08f, {-0.12f, 0.65f, 0}, 0, {-0.12f, 0.9f, 0}},
    {0.22f, 0.06f, {-0.12f, 0.2f, 0}, 3, {-0.12f, 0.4f, 0}},
    {0.22f, 0.08f, {0.12f, 0.65f, 0}, 0, {0.12f, 0.9f, 0}},
    {0.22f, 0.06f, {0.12f, 0.2f, 0}, 5, {0.12f, 0.4f, 0}},
    {0.16f, 0.06f, {-0.3f, 1.35f, 0}, 1, {-0.28f, 1.58f, 0}},
    {0.14f, 0.05f, {-0.3f, 0.95f, 0}, 7, {-0.3f, 1.15f, 0}},
    {0.16f, 0.06f, {0.3f, 1.35f, 0}, 1, {0.28f, 1.58f, 0}},
    {0.14f, 0.05f, {0.3f, 0.95f, 0}, 9, {0.3f, 1.15f, 0}},
}};

// Two hundred dolls of eleven parts that fall on stairs.
void ragdolls(World& world, const std::string& path) {
    world.ground();
    btCollisionShape* stair = world.shape<btBoxShape>(btVector3(12, 0.25f, 0.5f));
    for (int index = 0; index < 20; ++index)
        world.add_unrecorded(stair, 0, {0, 0.25f + 0.5f * float(index), float(index)});
    std::array<btCollisionShape*, DOLL.size()> shapes;
    for (std::size_t part = 0; part < DOLL.size(); ++part)
        shapes[part] = world.shape<btCapsuleShape>(DOLL[part].radius, 2 * DOLL[part].half);
    for (int doll = 0; doll < 200; ++doll) {
        const btVector3 place(float(doll % 10) * 2 - 9, 8 + 2.5f * float(doll / 50), float(doll / 10 % 5) * 4);
        const btVector3 axis = world.random.in_cube(1) + btVector3(0, 1.5f, 0);
        const btTransform start(btQuaternion(axis.normalized(), world.random.between(0, 6)), place);
        std::array<btRigidBody*, DOLL.size()> bodies;
        for (std::size_t index = 0; index < DOLL.size(); ++index) {
            const Part& part = DOLL[index];
            const float mass = 40 * (part.half + part.radius) * part.radius * 10;
            bodies[index] = world.add(shapes[index], mass, start * part.at, start.getRotation());
            bodies[index]->setDamping(0.05f, 0.5f);
            if (part.parent < 0) continue;
            const auto frame = [&](const btVector3& centre) {
                return btTransform(btQuaternion(btVector3(0, 0, 1), SIMD_HALF_PI), part.joint - centre);
            };
            const btVector3& parent = DOLL[std::size_t(part.parent)].at;
            auto joint = std::make_unique<btConeTwistConstraint>(
                *bodies[std::size_t(part.parent)], *bodies[index], frame(parent), frame(part.at));
            joint->setLimit(0.8f, 0.8f, 0.3f);
            world.join(std::move(joint));
        }
    }
    world.record(path, nothing);
}

// A block of 2,197 stones that explodes between four walls.
void debris(World& world, const std::string& path) {
    world.ground();
    for (int side = 0; side < 4; ++side) {
        const bool along_x = side % 2 == 0;
        btCollisionShape* wall =
            world.shape<btBoxShape>(along_x ? btVector3(30, 4, 0.5f) : btVector3(0.5f, 4, 30));
        const float at = side < 2 ? -30.0f : 30.0f;
        world.add(wall, 0, along_x ? btVector3(0, 4, at) : btVector3(at, 4, 0));
    }
    std::vector<btRigidBody*> stones;
    constexpr int SIDE = 13;
    for (int index = 0; index < SIDE * SIDE * SIDE; ++index) {
        const int x = index % SIDE, y = index / SIDE % SIDE, z = index / (SIDE * SIDE);
        const btVector3 half(world.random.between(0.1f, 0.24f), world.random.between(0.1f, 0.24f),
                             world.random.between(0.1f, 0.24f));
        const btVector3 at(float(x - SIDE / 2) * 0.5f, 0.25f + float(y) * 0.5f, float(z - SIDE / 2) * 0.5f);
        stones.push_back(world.add(world.shape<btBoxShape>(half), 50 * half.x() * half.y() * half.z(), at));
    }
    world.record(path, [&](int frame) {
        if (frame != 30) return;
        const btVector3 centre(0, 1, 0);
        for (btRigidBody* stone : stones) {
            const btVector3 away = stone->getCenterOfMassPosition() - centre;
            const float speed = 14 / (0.6f + away.length());
            stone->activate(true);
            stone->setLinearVelocity(away.normalized() * speed * 2 + world.random.in_cube(2));
            stone->setAngularVelocity(world.random.in_cube(8));
        }
    });
}

// Hills, with a thousand rolling stones and a hundred vehicles of a chassis and four driven wheels.
void terrain(World& world, const std::string& path) {
    constexpr int SIDE = 161;
    constexpr float HIGHEST = 20;
    static std::vector<float> heights(SIDE * SIDE);
    const auto height = [](float x, float z) {
        return 3 * std::sin(x * 0.11f) * std::cos(z * 0.09f) + 1.2f * std::sin(x * 0.31f + z * 0.23f) + 0.06f * x;
    };
    for (int z = 0; z < SIDE; ++z)
        for (int x = 0; x < SIDE; ++x)
            heights[std::size_t(z * SIDE + x)] = height(float(x - SIDE / 2), float(z - SIDE / 2));
    btCollisionShape* hills = world.shape<btHeightfieldTerrainShape>(
        SIDE, SIDE, heights.data(), 1.0f, -HIGHEST, HIGHEST, 1, PHY_FLOAT, false);
    world.add_unrecorded(hills, 0, {0, 0, 0});
    for (int index = 0; index < 1000; ++index) {
        const float radius = 0.2f * std::exp(world.random.between(0, 1.6f));
        const float x = world.random.between(-60, 60), z = world.random.between(-70, 70);
        world.add(world.shape<btSphereShape>(radius), 20 * radius * radius * radius,
                  {x, height(x, z) + radius + world.random.between(0, 3), z});
    }
    btCollisionShape* chassis = world.shape<btBoxShape>(btVector3(1.0f, 0.25f, 0.5f));
    btCollisionShape* tyre = world.shape<btCylinderShapeZ>(btVector3(0.35f, 0.35f, 0.12f));
    for (int index = 0; index < 100; ++index) {
        const btVector3 at(float(index % 10) * 8 - 36, 14, float(index / 10) * 8 - 36);
        btRigidBody* body = world.add(chassis, 100, at);
        for (int wheel = 0; wheel < 4; ++wheel) {
            const btVector3 pivot(wheel % 2 ? 0.8f : -0.8f, -0.3f, wheel / 2 ? 0.7f : -0.7f);
            btRigidBody* round = world.add(tyre, 10, at + pivot);
            const btVector3 axis(0, 0, 1);
            auto hinge = std::make_unique<btHingeConstraint>(*body, *round, pivot, btVector3(0, 0, 0), axis, axis);
            hinge->enableAngularMotor(true, world.random.between(-12, 12), 6);
            world.join(std::move(hinge));
            // Driven wheels never rest.
            round->setActivationState(DISABLE_DEACTIVATION);
        }
    }
    world.record(path, nothing);
}

// Three thousand people who walk across a square with obstacles, each to a place of its own.
void crowd(World& world, const std::string& path) {
    world.ground();
    constexpr float HALF = 45;
    for (int index = 0; index < 150; ++index) {
        const btVector3 half(world.random.between(0.3f, 1.5f), 1, world.random.between(0.3f, 1.5f));
        const btVector3 at = world.random.in_cube(HALF);
        world.add(world.shape<btBoxShape>(half), 0, {at.x(), 1, at.z()});
    }
    struct Person {
        btRigidBody* body;
        btVector3 goal;
        float speed;
    };
    std::vector<Person> people;
    btCollisionShape* capsule = world.shape<btCapsuleShape>(0.3f, 1.1f);
    const auto place = [&] {
        const btVector3 at = world.random.in_cube(HALF);
        return btVector3(at.x(), 0.86f, at.z());
    };
    for (int index = 0; index < 3000; ++index) {
        btRigidBody* body = world.add(capsule, 70, place());
        body->setAngularFactor(0);
        body->setActivationState(DISABLE_DEACTIVATION);
        people.push_back({body, place(), world.random.between(0.8f, 2.0f)});
    }
    world.record(path, [&](int) {
        for (Person& person : people) {
            btVector3 way = person.goal - person.body->getCenterOfMassPosition();
            way.setY(0);
            if (way.length() < 1) person.goal = place();
            const btVector3 now = person.body->getLinearVelocity();
            const btVector3 wanted = way.safeNormalize() * person.speed;
            // They turn within a fifth of a second, and let others push them.
            const btVector3 next = now + (wanted - now) * 0.1f;
            person.body->setLinearVelocity({next.x(), now.y(), next.z()});
        }
    });
}

struct Scene {
    const char* name;
    void (*play)(World&, const std::string&);
};

constexpr Scene SCENES[] = {
    {"stack", stack}, {"ragdolls", ragdolls}, {"debris", debris}, {"terrain", terrain}, {"crowd", crowd},
};

}  // namespace

int main(int count, char** arguments) try {
    const std::string wanted = count == 3 ? arguments[1] : "";
    bool found = false;
    for (const Scene& scene : SCENES) {
        if (wanted != "all" && wanted != scene.name) continue;
        found = true;
        World world;
        scene.play(world, std::string(arguments[2]) + "/bullet-" + scene.name + ".bpt");
    }
    if (found) return 0;
    std::string names;
    for (const Scene& scene : SCENES) names += std::string(scene.name) + "|";
    throw std::runtime_error("usage: record_bullet " + names + "all FOLDER");
} catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
}
