import type { Red } from "../red.ts";

/** How far a node has read the change feed. */
export type Cursor = {
  /** Undefined before the first page, and after `clear`. */
  read(): string | undefined;
  write(cursor: string): Promise<void>;
  clear(): Promise<void>;
};

type Entry = { readonly baseUrl: string; readonly cursor: string };
type Entries = Readonly<Record<string, Entry>>;

/** Where Node-RED keeps the cursors of all nodes: on disk, since the context of a node is in memory unless an operator changes that. */
const SETTING = "tesseraCursors";

/** The stored cursor of a node. One that another server gave is not used. */
export function openCursor({ settings }: Pick<Red, "settings">, nodeId: string, baseUrl: string): Cursor {
  const readAll = (): Entries => (settings.get(SETTING) as Entries | undefined) ?? {};
  return {
    read() {
      const entry = readAll()[nodeId];
      return entry?.baseUrl === baseUrl ? entry.cursor : undefined;
    },
    async write(cursor) {
      await settings.set(SETTING, { ...readAll(), [nodeId]: { baseUrl, cursor } satisfies Entry });
    },
    async clear() {
      const { [nodeId]: entry, ...others } = readAll();
      if (entry !== undefined) await settings.set(SETTING, others);
    },
  };
}
