import { once } from "node:events";

/** Says that this process is ready, and waits until the test lets all of them go. */
export async function startTogether(): Promise<void> {
  process.stdout.write("ready\n");
  await once(process.stdin, "data");
  process.stdin.destroy();
}
