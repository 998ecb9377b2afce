import { onTestFinished } from "vitest";
import { makeFolder } from "../e2e/support/process.ts";

/** Makes a folder that is removed at the end of the test. */
export function newFolder() {
  const folder = makeFolder();
  onTestFinished(() => folder.remove());
  return folder;
}
