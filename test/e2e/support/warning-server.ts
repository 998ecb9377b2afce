import { Worker } from "node:worker_threads";

/** A server whose process, libraries and threads write warnings and text. */
export async function run(): Promise<void> {
  const { run: serve } = await import("#main");
  await serve();
  process.emitWarning("Old.", { type: "DeprecationWarning", code: "DEP_TEST" });
  process.stderr.write("Text of a library,\nover two ");
  process.stderr.write("lines.\n");
  const thread = new Worker("process.emitWarning('A warning of a thread.')", { eval: true });
  thread.unref();
}
