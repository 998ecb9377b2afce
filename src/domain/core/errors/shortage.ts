import { isIPv4 } from "node:net";
import { getErrorCode, getErrorMessage } from "./error.ts";

/** What this machine can lack. Such errors pass, and say nothing about the link, the receiver or the model that was to be reached. */
export type Shortage = "file_handles" | "memory" | "disk" | "ports" | "processes";

const SENTENCES: Readonly<Record<Shortage, string>> = {
  file_handles:
    "This server has no free file handles at the moment. It tries again by itself; its operator can raise the limit of open files (ulimit -n).",
  memory: "This server is short of memory for new connections or threads at the moment. It tries again by itself.",
  disk: "A disk of this server is full. It tries again by itself; its operator has to free some space.",
  ports: "This server has no free local ports for new connections at the moment. It tries again by itself.",
  processes: "This server can't start another process or thread at the moment. It tries again by itself.",
};

/** A shortage, found by its cause or reported by a thread, whose errors lose their codes. */
export class ShortageError extends Error {
  readonly shortage: Shortage;

  constructor(shortage: Shortage, options?: ErrorOptions) {
    super(SENTENCES[shortage], options);
    this.name = "ShortageError";
    this.shortage = shortage;
  }
}

/** Returns one sentence for a person. */
export const describeShortage = (shortage: Shortage): string => SENTENCES[shortage];

/** How many causes are followed. */
const MAX_DEPTH = 6;

/** Returns the shortage that caused the error, or null. Follows causes, and all errors of an attempt to connect. */
export function findShortage(error: unknown, depth = 0): Shortage | null {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return null;
  if (error instanceof ShortageError) return error.shortage;
  const found = classify(error) ?? findShortage(error.cause, depth + 1);
  if (found !== null || !(error instanceof AggregateError)) return found;
  for (const one of error.errors) {
    const inner = findShortage(one, depth + 1);
    if (inner !== null) return inner;
  }
  return null;
}

function classify(error: Error): Shortage | null {
  switch (getErrorCode(error)) {
    case "EMFILE":
    case "ENFILE":
      return "file_handles";
    case "ENOBUFS":
    case "ENOMEM":
      return "memory";
    case "ENOSPC":
    case "EDQUOT":
      return "disk";
    case "EADDRNOTAVAIL":
      // An IPv6 address is also answered like this by a machine without IPv6, which waiting does not change.
      return "address" in error && typeof error.address === "string" && isIPv4(error.address) ? "ports" : null;
    case "EAGAIN":
      return "syscall" in error && String(error.syscall).startsWith("spawn") ? "processes" : null;
    case "ERR_WORKER_INIT_FAILED":
      return isOfHandles(error) ? "file_handles" : "processes";
    case "ERR_INVALID_PACKAGE_CONFIG":
      // The module loader reports an unreadable package.json by its message alone.
      return isOfHandles(error) ? "file_handles" : null;
    default:
      return null;
  }
}

const isOfHandles = (error: Error): boolean => /EMFILE|ENFILE|too many open files/i.test(getErrorMessage(error));
