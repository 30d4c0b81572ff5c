// Workload W by hand. usage: w BACKENDS RPCS SEED
//
// Backends are single servers with a line. An RPC goes to the shorter of two distinct ones. Events
// are the arrival of an RPC, and the end of the first one in the line of a backend.
#include "parts.hpp"

int main(int argc, char **argv) {
  if (argc != 4) return fputs("usage: w BACKENDS RPCS SEED\n", stderr), 2;
  const uint32_t n = size(argv[1]), arrival = n;
  const uint64_t rpcs = size(argv[2]), seed = size(argv[3]);
  const double service = 0.010, gap = service / (0.9 * n);
  Random arrivals(seed, 1), work(seed, 2), picks(seed, 3);
  Exponential exponential;
  Histogram latency;
  Queue queue;
  std::vector<Line<double>> backends(n); // of moments of arrival, negative in the warm-up
  uint64_t begun = 0;

  queue.push(exponential.draw(arrivals) * gap, arrival);
  while (!queue.empty()) {
    Event e = queue.pop();
    double now = e.at();
    if (e.about() == arrival) {
      uint32_t a = picks.below(n), b = picks.below(n - 1);
      b += b >= a;
      uint32_t to = backends[b].size() < backends[a].size() ? b : a;
      backends[to].push(begun < rpcs / 10 ? -now : now);
      if (backends[to].size() == 1) queue.push(now + exponential.draw(work) * service, to);
      if (++begun < rpcs) queue.push(now + exponential.draw(arrivals) * gap, arrival);
    } else {
      auto &line = backends[e.about()];
      double since = line.pop();
      if (since >= 0) latency.add(now - since);
      if (line.size() > 0) queue.push(now + exponential.draw(work) * service, e.about());
    }
  }
  latency.print("w", n, rpcs);
}
