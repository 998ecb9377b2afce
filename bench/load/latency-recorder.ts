import { computeQuantile } from "../output/numbers.ts";
import { readCpuSeconds } from "../processes/stats.ts";
import type { Latency, LoadResult } from "./load-job.ts";

const summariseLatency = (values: readonly number[]): Latency => {
  const sorted = Float64Array.from(values).sort();
  return { p50: computeQuantile(sorted, 0.5), p99: computeQuantile(sorted, 0.99), max: computeQuantile(sorted, 1) };
};

/** Records the requests inside the measurement window; those outside are warm-up or cool-down. */
export class LatencyRecorder {
  readonly #pid: number;
  readonly #latencies = new Map<string, number[]>();
  readonly #delays: number[] = [0];
  #responses = 0;
  #from = { time: Number.POSITIVE_INFINITY, cpu: 0 };
  #to = { time: Number.POSITIVE_INFINITY, cpu: 0 };

  constructor(pid: number) {
    this.#pid = pid;
  }

  startWindow(): void {
    this.#from = { time: performance.now(), cpu: readCpuSeconds(this.#pid) };
  }

  endWindow(): void {
    this.#to = { time: performance.now(), cpu: readCpuSeconds(this.#pid) };
  }

  /** Records that the generator noticed at `now` a request that was due at `due`. */
  recordDue(due: number, now: number): void {
    if (this.#isInside(due)) this.#delays.push(now - due);
  }

  /** Records the response at `now` to a request due at `due`. Its latency counts even if the response arrived after the window. */
  recordResponse(name: string, due: number, now: number): void {
    if (this.#isInside(now)) this.#responses++;
    if (!this.#isInside(due)) return;
    const list = this.#latencies.get(name);
    if (list === undefined) this.#latencies.set(name, [now - due]);
    else list.push(now - due);
  }

  #isInside(time: number): boolean {
    return time >= this.#from.time && time < this.#to.time;
  }

  result(): LoadResult {
    return {
      responses: this.#responses,
      seconds: (this.#to.time - this.#from.time) / 1_000,
      cpuSeconds: this.#to.cpu - this.#from.cpu,
      latency: summariseLatency([...this.#latencies.values()].flat()),
      latencies: Object.fromEntries([...this.#latencies].map(([name, values]) => [name, summariseLatency(values)])),
      generatorDelay: summariseLatency(this.#delays).p99,
    };
  }
}
