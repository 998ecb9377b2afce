import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import { createReading } from "./reading.ts";

/** Values by those of the only label, or one value without a label. */
type Values = Readonly<Record<string, number>> | number;

export type Gauges = {
  /** Returns a reading of the store, which several gauges may share. */
  reading<T>(read: () => Promise<T>, minReuseMs?: number): () => Promise<T | null>;
  /**
   * Adds a gauge, whose values are read for each scrape. It is left out of a scrape if they can't be read. Each gauge has a `collect` of its
   * own, because a gauge that another one sets is rendered with the value of the scrape before.
   */
  add<T>(name: string, help: string, read: () => Promise<T | null>, select: (value: T) => Values, label?: string): void;
};

/** Creates gauges that read the store, and the counter of readings that failed. */
export function createGauges(registry: Registry): Gauges {
  const failures = new Counter({
    name: "tessera_metrics_failures_total",
    help: "Values that could not be read from the database for a scrape. They are missing in that scrape.",
    registers: [registry],
  });
  return {
    reading: (read, minReuseMs = 0) => createReading({ read, minReuseMs, onError: () => failures.inc() }),
    add(name, help, read, select, label) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        async collect() {
          const value = await read();
          if (label === undefined) gauge.remove();
          else gauge.reset();
          if (value === null) return;
          const values = select(value);
          if (typeof values === "number") gauge.set(values);
          else for (const [key, each] of Object.entries(values)) gauge.set({ [label ?? ""]: key }, each);
        },
      });
    },
  };
}
