import { readFileSync } from "node:fs";

/**
 * Preloaded into a server. Shifts the wall clock (`Date`) only, by the milliseconds in the file `CLOCK_SHIFT_FILE`, which is read every
 * 50 ms. Timers and `performance.now()` are not affected, just as when the clock of a system is set.
 */
const file = process.env["CLOCK_SHIFT_FILE"] ?? "";
const RealDate = Date;
let shift = 0;
const read = (): void => {
  try {
    shift = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // The file may be missing for a moment while it is replaced.
  }
};
read();
setInterval(read, 50).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[]) => Reflect.construct(target, args.length === 0 ? [RealDate.now() + shift] : args) as object,
  apply: () => new RealDate(RealDate.now() + shift).toString(),
  get: (target, name) => (name === "now" ? () => RealDate.now() + shift : (Reflect.get(target, name) as unknown)),
});
