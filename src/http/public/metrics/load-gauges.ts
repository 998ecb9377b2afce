import { Gauge, type Registry } from "@prometheus-io/client";

/** Memory that callers share: the bytes that are held now, and their limit. */
type SharedMemory = { readonly total: number; readonly maxBytes: number };

/** What callers hold of one process, by a fixed name. */
export type Load = {
  readonly memory: Readonly<Record<string, SharedMemory>>;
  readonly queues: Readonly<Record<string, { readonly waiting: number }>>;
};

/** Adds the gauges of the limits that callers share. They are read for each scrape, without the database. */
export function addLoadGauges(registry: Registry, { memory, queues }: Load): void {
  const add = <T>(name: string, help: string, label: string, values: Readonly<Record<string, T>>, select: (value: T) => number): void => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const [key, value] of Object.entries(values)) gauge.set({ [label]: key }, select(value));
      },
    });
  };
  add("tessera_shared_memory_bytes", "Bytes of bodies that are in memory now.", "use", memory, ({ total }) => total);
  add("tessera_shared_memory_limit_bytes", "Beyond this number of bytes, calls get 503.", "use", memory, ({ maxBytes }) => maxBytes);
  add("tessera_waiting_calls", "Calls and their steps that wait for their turn.", "queue", queues, ({ waiting }) => waiting);
}
