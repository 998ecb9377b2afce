import { once } from "node:events";

/** Prints that this process is ready, and waits for the test to release all of them. */
export async function startTogether(): Promise<void> {
  process.stdout.write("ready\n");
  await once(process.stdin, "data");
  process.stdin.destroy();
}
