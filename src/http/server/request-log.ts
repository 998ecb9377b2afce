import type { Actor } from "#domain/core/access.ts";
import type { RequestLine } from "#domain/core/system.ts";
import type { Probes } from "../public/probes.ts";

/** A completed request. `milliseconds` is its total time. */
export type CompletedRequest = {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly actor: Actor | undefined;
};

/** Counts a completed request in the metrics and logs it. */
export type RequestLogger = (call: CompletedRequest) => void;

export function createRequestLogger(probes: Probes, logRequest: (line: RequestLine) => void): RequestLogger {
  return ({ requestId, method, route, status, milliseconds, actor }) => {
    probes.metrics.observe(method, route, status, milliseconds / 1_000);
    const line = { requestId, method, route, status, ms: Math.round(milliseconds * 10) / 10 };
    if (actor?.kind === "key") logRequest({ ...line, key: actor.keyId, business: actor.businessId });
    else logRequest(actor?.kind === "member" ? { ...line, member: actor.memberId, business: actor.businessId } : line);
  };
}
