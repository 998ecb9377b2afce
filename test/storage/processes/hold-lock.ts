/** Takes a lock and holds it until killed. */
import { takeLock } from "#storage/sqlite/engine/lock.ts";

const [, , folder, name, mode] = process.argv;
const lock = takeLock(folder!, name as "server" | "worker", mode as "shared" | "exclusive");
process.stdout.write(lock === null ? "refused\n" : "held\n");
if (lock !== null) setInterval(() => lock, 60_000);
