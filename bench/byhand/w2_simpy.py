"""Workload W2 with SimPy. usage: w2_simpy.py BACKENDS RPCS SEED

As w2.cpp: 100 clients that do not know of each other are processes, and so is each RPC; a backend
is a resource with eight workers. Needs SimPy 3 or later.
"""
import math
import random
import sys

import simpy

CLIENTS, WORKERS, MEAN = 100, 8, 0.010


def main(n, rpcs, seed):
    env = simpy.Environment()
    timeout, process = env.timeout, env.process
    backends = [simpy.Resource(env, WORKERS) for _ in range(n)]
    # The mean of a lognormal law is exp(mu + sigma**2 / 2).
    delay_mu, work_mu = math.log(0.25e-3) - 0.5**2 / 2, math.log(MEAN) - 1 / 2
    delay, work = (random.Random(2 * seed + i).lognormvariate for i in (0, 1))
    begun, latencies = iter(range(rpcs)), []

    def client(number):
        chance = random.Random(f"{seed}/{number}")
        inflight = [0] * n
        rate = 0.9 * n * WORKERS / MEAN / CLIENTS
        while True:
            yield timeout(chance.expovariate(rate))
            rpc = next(begun, None)
            if rpc is None:
                return
            a, b = int(chance.random() * n), int(chance.random() * (n - 1))
            b += b >= a
            to = b if inflight[b] < inflight[a] else a
            inflight[to] += 1
            process(call(rpc, inflight, to))

    def call(rpc, inflight, to):
        since = env.now
        yield timeout(delay(delay_mu, 0.5))
        backend = backends[to]
        worker = backend.request()
        yield worker
        yield timeout(work(work_mu, 1))
        backend.release(worker)
        yield timeout(delay(delay_mu, 0.5))
        inflight[to] -= 1
        if rpc >= rpcs // 10:
            latencies.append(env.now - since)

    for number in range(CLIENTS):
        process(client(number))
    env.run()
    latencies.sort()
    mean, p99 = sum(latencies) / len(latencies), latencies[math.ceil(0.99 * len(latencies)) - 1]
    print(f"w2 N={n} RPCs={rpcs} mean_ms={1e3 * mean:.2f} p99_ms={1e3 * p99:.2f}")


if len(sys.argv) != 4:
    sys.exit("usage: w2_simpy.py BACKENDS RPCS SEED")
main(*map(int, sys.argv[1:]))
