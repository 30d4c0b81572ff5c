// What both workloads are made of, by hand: as little as will do, with nothing general about it.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

// Random is xoshiro256++ (Blackman and Vigna, 2019), one for each stream.
struct Random {
  uint64_t s[4];

  Random(uint64_t seed, uint64_t stream) {
    uint64_t x = seed * 0x9e3779b97f4a7c15 + stream * 0xd1b54a32d192ed03;
    for (uint64_t &word : s) { // SplitMix64
      uint64_t z = x += 0x9e3779b97f4a7c15;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      word = z ^ z >> 31;
    }
  }

  static uint64_t turn(uint64_t x, int k) { return x << k | x >> (64 - k); }

  uint64_t word() {
    uint64_t result = turn(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turn(s[3], 45);
    return result;
  }

  double unit() { return (word() >> 11) * 0x1p-53; }

  // Of [0, n); some numbers are likelier by n/2^32, which does not matter here.
  uint32_t below(uint32_t n) { return (word() >> 32) * n >> 32; }
};

// Ziggurat draws from a density that falls from 0 on, by 256 layers of equal area (Marsaglia and
// Tsang, 2000). The tables say for each layer: how wide it is, up to which integer a draw lies
// under the curve for sure, and how high the curve is at its end.
struct Ziggurat {
  double width[256], height[256];
  uint64_t sure[256];
  double edge; // where the tail begins

  template <class Density, class Inverse>
  Ziggurat(double edge, double area, double scale, Density f, Inverse inverse) : edge(edge) {
    double x = edge, outer = area / f(edge); // the lowest layer holds the tail as well
    width[0] = outer / scale;
    sure[0] = edge / outer * scale;
    height[0] = 1;
    for (int i = 255; i > 0; i--) {
      width[i] = x / scale;
      height[i] = f(x);
      double inner = i > 1 ? inverse(area / x + f(x)) : 0;
      sure[i] = inner / x * scale;
      x = inner;
    }
  }
};

// Exponential has mean 1.
struct Exponential : Ziggurat {
  Exponential()
      : Ziggurat(7.69711747013104972, 3.949659822581572e-3, 0x1p53,
                 [](double x) { return std::exp(-x); }, [](double y) { return -std::log(y); }) {}

  double draw(Random &r) const {
    for (;;) {
      uint64_t w = r.word(), j = w >> 11;
      int i = w & 255;
      double x = j * width[i];
      if (__builtin_expect(j < sure[i], 1)) return x;
      if (i == 0) return edge - std::log(1 - r.unit());
      if (height[i] + r.unit() * (height[i - 1] - height[i]) < std::exp(-x)) return x;
    }
  }
};

// Normal has mean 0 and variance 1.
struct Normal : Ziggurat {
  Normal()
      : Ziggurat(3.6541528853610088, 4.92867323399e-3, 0x1p52,
                 [](double x) { return std::exp(-x * x / 2); },
                 [](double y) { return std::sqrt(-2 * std::log(y)); }) {}

  double draw(Random &r) const {
    for (;;) {
      uint64_t w = r.word(), j = w >> 12;
      int i = w & 255;
      double x = j * width[i], sign = w & 256 ? -1 : 1;
      if (__builtin_expect(j < sure[i], 1)) return sign * x;
      if (i == 0) { // the tail, after Marsaglia
        double a, b;
        do {
          a = -std::log(1 - r.unit()) / edge;
          b = -std::log(1 - r.unit());
        } while (b + b < a * a);
        return sign * (edge + a);
      }
      if (height[i] + r.unit() * (height[i - 1] - height[i]) < std::exp(-x * x / 2))
        return sign * x;
    }
  }
};

// Histogram counts seconds in 128 buckets an octave, found in the bits of the number.
struct Histogram {
  static constexpr int fine = 7, least = -40, most = 24; // powers of two
  static constexpr uint64_t base = uint64_t(1023 + least) << fine;
  std::vector<uint64_t> count = std::vector<uint64_t>((most - least) << fine);
  uint64_t n = 0;
  double sum = 0;

  void add(double x) {
    uint64_t b;
    memcpy(&b, &x, 8);
    b >>= 52 - fine;
    count[b < base ? 0 : b - base]++;
    n++;
    sum += x;
  }

  double quantile(double q) const {
    uint64_t rank = std::ceil(q * n), below = 0;
    for (size_t i = 0; i < count.size(); i++) {
      below += count[i];
      if (below >= rank) {
        uint64_t middle = (2 * (i + base) + 1) << (51 - fine);
        double x;
        memcpy(&x, &middle, 8);
        return x;
      }
    }
    return 0;
  }

  void print(const char *workload, uint32_t backends, uint64_t rpcs) const {
    printf("%s N=%u RPCs=%llu mean_ms=%.2f p99_ms=%.2f\n", workload, backends,
           (unsigned long long)rpcs, sum / n * 1e3, quantile(0.99) * 1e3);
  }
};

// Event has its moment in high, as the bits of a double that is not negative; in low its number,
// and below that what it is about. So events are in order as numbers of 128 bits.
struct Event {
  uint64_t low, high;

  Event() = default;
  Event(double at, uint32_t number, uint32_t about) : low(uint64_t(number) << 32 | about) {
    memcpy(&high, &at, 8);
  }
  double at() const {
    double t;
    memcpy(&t, &high, 8);
    return t;
  }
  uint32_t about() const { return low; }
  bool before(const Event &e) const {
    return ((unsigned __int128)high << 64 | low) < ((unsigned __int128)e.high << 64 | e.low);
  }
};

// Queue is a heap in which each node has four children, which share a cache line. The least of them
// is chosen without a branch.
struct Queue {
  Event *heap; // heap[1], the first child, begins a line
  size_t n = 0, room = 0;
  uint32_t number = 0;

  Queue() : heap(nullptr) { grow(1024); }

  void grow(size_t to) {
    auto lines = static_cast<Event *>(
        ::operator new((to + 4) * sizeof(Event), std::align_val_t(64)));
    Event *wider = lines + 3;
    for (size_t i = 0; i < n; i++) wider[i] = heap[i];
    if (heap) ::operator delete(heap - 3, std::align_val_t(64));
    heap = wider, room = to;
  }

  bool empty() const { return n == 0; }

  void push(double at, uint32_t about) {
    if (__builtin_expect(n == room, 0)) grow(2 * room);
    Event e(at, number++, about);
    size_t i = n++;
    while (i > 0) {
      size_t parent = (i - 1) / 4;
      if (heap[parent].before(e)) break;
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = e;
  }

  Event pop() {
    Event first = heap[0], last = heap[--n];
    size_t i = 0;
    for (size_t c = 1; c < n; c = 4 * i + 1) {
      size_t m = c;
      if (__builtin_expect(c + 4 <= n, 1)) {
        const Event *four = heap + c;
        size_t a = four[1].before(four[0]), b = 2 + four[3].before(four[2]);
        size_t right = -size_t(four[b].before(four[a]));
        m = c + (a ^ ((a ^ b) & right));
      } else {
        for (size_t k = c + 1; k < n; k++)
          if (heap[k].before(heap[m])) m = k;
      }
      if (last.before(heap[m])) break;
      heap[i] = heap[m];
      i = m;
    }
    heap[i] = last;
    return first;
  }
};

// Line is a first-in, first-out queue whose room is a power of two.
template <class T> struct Line {
  std::vector<T> at = std::vector<T>(16);
  uint32_t first = 0, next = 0;

  uint32_t size() const { return next - first; }
  void push(T x) {
    if (__builtin_expect(size() == at.size(), 0)) {
      std::vector<T> wider(2 * at.size());
      for (uint32_t i = 0; i < size(); i++) wider[i] = at[(first + i) & (at.size() - 1)];
      next = size(), first = 0;
      at.swap(wider);
    }
    at[next++ & (at.size() - 1)] = x;
  }
  T pop() { return at[first++ & (at.size() - 1)]; }
};

// size reads an argument, such as 1000 or 1e6.
inline uint64_t size(const char *text) { return std::strtod(text, nullptr); }
