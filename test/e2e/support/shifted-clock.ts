import { readFileSync } from "node:fs";

/**
 * Preloaded into a server: moves the wall clock (`Date`), and nothing else, by the milliseconds that the file `CLOCK_SHIFT_FILE` holds,
 * looked at every 50 ms. Timers and `performance.now()` go on as they are, as they do when a system's clock is set.
 */
const file = process.env["CLOCK_SHIFT_FILE"] ?? "";
const RealDate = Date;
let shift = 0;
const read = (): void => {
  try {
    shift = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // Between two versions of the file there may be none.
  }
};
read();
setInterval(read, 50).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[]) => Reflect.construct(target, args.length === 0 ? [RealDate.now() + shift] : args) as object,
  apply: () => new RealDate(RealDate.now() + shift).toString(),
  get: (target, name) => (name === "now" ? () => RealDate.now() + shift : (Reflect.get(target, name) as unknown)),
});
