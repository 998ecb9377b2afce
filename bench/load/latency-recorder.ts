import { quantile } from "../output/numbers.ts";
import { cpuSecondsOf } from "../processes/stats.ts";
import type { Latency, Outcome } from "./load-job.ts";

const latencyOf = (values: readonly number[]): Latency => {
  const sorted = Float64Array.from(values).sort();
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) };
};

/** Notes what happens inside the window; what is outside it is warming up or cooling down. */
export class Recorder {
  readonly #pid: number;
  readonly #latencies = new Map<string, number[]>();
  readonly #lateness: number[] = [0];
  #answers = 0;
  #from = { time: Number.POSITIVE_INFINITY, cpu: 0 };
  #to = { time: Number.POSITIVE_INFINITY, cpu: 0 };

  constructor(pid: number) {
    this.#pid = pid;
  }

  begin(): void {
    this.#from = { time: performance.now(), cpu: cpuSecondsOf(this.#pid) };
  }

  end(): void {
    this.#to = { time: performance.now(), cpu: cpuSecondsOf(this.#pid) };
  }

  /** The generator noticed at `now` that a request was due at `due`. */
  noteDue(due: number, now: number): void {
    if (this.#isInside(due)) this.#lateness.push(now - due);
  }

  /** A request that was due at `due` is answered at `now`. Its latency counts even where the answer came after the window. */
  noteAnswer(name: string, due: number, now: number): void {
    if (this.#isInside(now)) this.#answers++;
    if (!this.#isInside(due)) return;
    const list = this.#latencies.get(name);
    if (list === undefined) this.#latencies.set(name, [now - due]);
    else list.push(now - due);
  }

  #isInside(time: number): boolean {
    return time >= this.#from.time && time < this.#to.time;
  }

  outcome(): Outcome {
    return {
      answers: this.#answers,
      seconds: (this.#to.time - this.#from.time) / 1_000,
      cpuSeconds: this.#to.cpu - this.#from.cpu,
      latency: latencyOf([...this.#latencies.values()].flat()),
      latencies: Object.fromEntries([...this.#latencies].map(([name, values]) => [name, latencyOf(values)])),
      lateness: latencyOf(this.#lateness).p99,
    };
  }
}
