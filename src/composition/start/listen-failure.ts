import type { Config } from "#config";
import { getErrorCode } from "#domain/core/errors/error.ts";

const MAX_PRIVILEGED_PORT = 1023;

/** Returns one sentence for an error of listening on host and port, or null for an error of another kind. */
export function describeListenFailure(error: unknown, { host, port }: Pick<Config, "host" | "port">): string | null {
  switch (getErrorCode(error)) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use by another program: stop that program, or set PORT to another port (0 picks a free one).`;
    case "EACCES":
      return `This user may not listen on port ${port}: set PORT to a number above ${MAX_PRIVILEGED_PORT}, with a proxy in front for port ${port}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
      return `HOST is ${host}, which is no address of this machine: set it to 127.0.0.1 for this machine only, or to 0.0.0.0 for all of its addresses.`;
    case "EAFNOSUPPORT":
      return `HOST is ${host}, but this machine has no such network: set it to 127.0.0.1 or 0.0.0.0.`;
    default:
      return null;
  }
}
