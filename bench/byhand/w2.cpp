// Workload W2 by hand. usage: w2 BACKENDS RPCS SEED
//
// 100 clients do not know of each other: an RPC goes to that of two distinct backends on which its
// client has fewer in flight. Each way takes a lognormal delay. Backends have eight workers and a
// line. Events are the arrival of an RPC at its client, of the request, its end, and the reply.
#include "parts.hpp"

struct RPC {
  double since; // negative in the warm-up
  uint32_t client, backend;
};

struct Backend {
  uint32_t busy = 0;
  Line<uint32_t> line;
};

enum Kind : uint32_t { arrival, request, served, reply };

int main(int argc, char **argv) {
  if (argc != 4) return fputs("usage: w2 BACKENDS RPCS SEED\n", stderr), 2;
  const uint32_t n = size(argv[1]), clients = 100, workers = 8;
  const uint64_t rpcs = size(argv[2]), seed = size(argv[3]);
  const double mean = 0.010, gap = clients * mean / (0.9 * n * workers);
  // The mean of a lognormal law is exp(mu + sigma²/2).
  const double delay_sigma = 0.5, delay_mu = std::log(0.25e-3) - delay_sigma * delay_sigma / 2;
  const double work_sigma = 1.0, work_mu = std::log(mean) - work_sigma * work_sigma / 2;
  Random delays(seed, 1), work(seed, 2);
  std::vector<Random> arrivals, picks;
  for (uint32_t c = 0; c < clients; c++) {
    arrivals.emplace_back(seed, 1000 + 2 * c);
    picks.emplace_back(seed, 1001 + 2 * c);
  }
  Exponential exponential;
  Normal normal;
  Histogram latency;
  Queue queue;
  std::vector<uint32_t> inflight(size_t(clients) * n);
  std::vector<Backend> backends(n);
  std::vector<RPC> all;
  std::vector<uint32_t> free;
  uint64_t begun = 0;

  auto later = [&](double at, Kind kind, uint32_t x) { queue.push(at, kind << 30 | x); };
  auto way = [&] { return std::exp(delay_mu + delay_sigma * normal.draw(delays)); };
  auto serve = [&](double now, uint32_t x) {
    later(now + std::exp(work_mu + work_sigma * normal.draw(work)), served, x);
  };

  for (uint32_t c = 0; c < clients; c++) later(exponential.draw(arrivals[c]) * gap, arrival, c);
  while (!queue.empty()) {
    Event e = queue.pop();
    double now = e.at();
    uint32_t x = e.about() & ((1u << 30) - 1);
    switch (e.about() >> 30) {
    case arrival: {
      if (begun == rpcs) break;
      uint32_t *mine = &inflight[size_t(x) * n];
      uint32_t a = picks[x].below(n), b = picks[x].below(n - 1);
      b += b >= a;
      uint32_t to = mine[b] < mine[a] ? b : a, at = all.size();
      mine[to]++;
      if (free.empty()) {
        all.emplace_back();
      } else {
        at = free.back();
        free.pop_back();
      }
      all[at] = {begun++ < rpcs / 10 ? -now : now, x, to};
      later(now + way(), request, at);
      later(now + exponential.draw(arrivals[x]) * gap, arrival, x);
      break;
    }
    case request: {
      Backend &b = backends[all[x].backend];
      if (b.busy == workers) {
        b.line.push(x);
        break;
      }
      b.busy++;
      serve(now, x);
      break;
    }
    case served: {
      later(now + way(), reply, x);
      Backend &b = backends[all[x].backend];
      if (b.line.size() > 0) {
        serve(now, b.line.pop());
      } else {
        b.busy--;
      }
      break;
    }
    default: {
      RPC &r = all[x];
      inflight[size_t(r.client) * n + r.backend]--;
      if (r.since >= 0) latency.add(now - r.since);
      free.push_back(x);
    }
    }
  }
  latency.print("w2", n, rpcs);
}
