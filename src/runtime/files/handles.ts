import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { findShortage } from "#domain/core/errors/shortage.ts";

/** Returns the maximum number of files and connections that this process may have open; null if the system has no such limit. */
export function readHandleLimit(): number | null {
  // Otherwise the report looks up the names of all connected hosts. The types of Node do not know the property.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : null;
}

/**
 * Whether this process could open `count` more files now. A failed name lookup needs this, since the system's resolver reports a lack of
 * file handles as an unknown name.
 */
export function hasFreeHandles(count: number): boolean {
  const opened: number[] = [];
  try {
    for (let n = 0; n < count; n++) opened.push(openSync(devNull, "r"));
    return true;
  } catch (error) {
    if (findShortage(error) === "file_handles") return false;
    throw error;
  } finally {
    for (const handle of opened) closeSync(handle);
  }
}
