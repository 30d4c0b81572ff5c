// Workload W on the event core of ns-3. usage: w_ns3 BACKENDS RPCS SEED SCHEDULER
//
// As w.cpp, with the same draws, but for the events: their list, which the scheduler keeps, and
// their clock, of nanoseconds, are those of ns-3. Map is its default, PriorityQueue its fastest
// here. Needs libns3-dev; link with -lns3-core.
#include "parts.hpp"

#include "ns3/simulator.h"
#include "ns3/object-factory.h"

using ns3::NanoSeconds;
using ns3::Simulator;

struct World {
  const uint32_t n;
  const uint64_t rpcs;
  const double service = 10e6, gap; // in ns
  Random arrivals, work, picks;
  Exponential exponential;
  Histogram latency;
  std::vector<Line<int64_t>> backends; // of moments of arrival, negative in the warm-up
  uint64_t begun = 0;

  World(uint32_t n, uint64_t rpcs, uint64_t seed)
      : n(n), rpcs(rpcs), gap(service / (0.9 * n)), arrivals(seed, 1), work(seed, 2),
        picks(seed, 3), backends(n) {}

  void next() {
    Simulator::Schedule(NanoSeconds(int64_t(exponential.draw(arrivals) * gap)), &World::arrive,
                        this);
  }

  void serve(uint32_t b) {
    Simulator::Schedule(NanoSeconds(int64_t(exponential.draw(work) * service)), &World::end, this,
                        b);
  }

  void arrive() {
    int64_t now = Simulator::Now().GetNanoSeconds();
    uint32_t a = picks.below(n), b = picks.below(n - 1);
    b += b >= a;
    uint32_t to = backends[b].size() < backends[a].size() ? b : a;
    backends[to].push(begun < rpcs / 10 ? -now : now);
    if (backends[to].size() == 1) serve(to);
    if (++begun < rpcs) next();
  }

  void end(uint32_t b) {
    int64_t since = backends[b].pop();
    if (since >= 0) latency.add((Simulator::Now().GetNanoSeconds() - since) * 1e-9);
    if (backends[b].size() > 0) serve(b);
  }
};

int main(int argc, char **argv) {
  if (argc != 5) return fputs("usage: w_ns3 BACKENDS RPCS SEED SCHEDULER\n", stderr), 2;
  World world(size(argv[1]), size(argv[2]), size(argv[3]));
  ns3::ObjectFactory scheduler("ns3::" + std::string(argv[4]) + "Scheduler");
  Simulator::SetScheduler(scheduler);
  world.next();
  Simulator::Run();
  Simulator::Destroy();
  world.latency.print("w", world.n, world.rpcs);
}
