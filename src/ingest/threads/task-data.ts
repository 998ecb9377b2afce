import type { ThreadTask } from "./tasks.ts";

/** Bytes or characters from which a task may take a hundred megabytes and several seconds. */
const MIN_LARGE_SIZE = 400_000;

/** Whether a task reads so much that it may delay small tasks. */
export function isLargeTask(task: ThreadTask): boolean {
  switch (task.kind) {
    case "page":
    case "plainText":
      return task.page.body.length >= MIN_LARGE_SIZE;
    case "document":
    case "mail":
      return task.bytes.length >= MIN_LARGE_SIZE;
    case "feed":
      return task.text.length >= MIN_LARGE_SIZE;
    case "analyse":
      return false;
    default:
      return task.page.html.length >= MIN_LARGE_SIZE;
  }
}

/** Whether a task may take more memory than a page. */
export const needsFileMemory = (task: ThreadTask): boolean => task.kind === "document" || (task.kind === "mail" && isLargeTask(task));

/** Returns the buffers that only this task uses. They are transferred to the thread without a copy. */
export function listTransferables(task: ThreadTask): ArrayBuffer[] {
  const bytes =
    task.kind === "page" || task.kind === "plainText"
      ? task.page.body
      : task.kind === "document" || task.kind === "mail"
        ? task.bytes
        : null;
  return bytes !== null && bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [];
}
