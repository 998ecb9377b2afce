import { getErrorCode } from "#domain/core/errors/error.ts";
import { describeShortage, findShortage } from "#domain/core/errors/shortage.ts";
import { GuardError } from "./guard.ts";
import type { ReadUrl } from "./url.ts";

/** A failed request with a message that a person can act on. The message does not depend on how a connection was refused. */
export type Failure = { readonly code: string; readonly message: string; readonly retryable: boolean };

/** The setting whose allow list permits private addresses. */
type AllowSetting = "FETCH_ALLOW" | "WEBHOOK_ALLOW";

const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO$|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;
const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ETIMEDOUT|EACCES|EPERM|EINVAL|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Converts an error of the guard or of undici into a code and a message. `host` is the requested host. The message contains neither
 * resolved addresses nor text of the system error. `server_overloaded` means that this machine is short of something.
 */
export const describeNetworkFailure = (error: unknown, host: string, setting: AllowSetting): Failure => {
  if (error instanceof GuardError) return describeGuard(error, host, setting);
  const shortage = findShortage(error);
  if (shortage !== null) return failure("server_overloaded", describeShortage(shortage), true);
  const code = findErrorCode(error);
  if (TLS_CODE.test(code)) {
    return failure("tls_failed", `The certificate or TLS set-up of ${host} could not be verified.`, false);
  }
  if (NO_CONNECTION.test(code)) return failure("connection_failed", `Could not connect to ${host}.`, true);
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") return describeTimeout(host);
  // undici's parser errors mostly come without a code.
  const isBroken = error instanceof Error && error.name === "HTTPParserError";
  if (isBroken || code === "UND_ERR_HEADERS_OVERFLOW") {
    return failure("bad_response", `${host} sent an invalid HTTP response.`, false);
  }
  if (code === "UND_ERR_INVALID_ARG") {
    return failure("bad_request", `The request to ${host} contains a header or a path that HTTP does not allow.`, false);
  }
  return failure("connection_failed", `${host} closed the connection before the response was complete.`, true);
};

/** Describes a response that was not complete within the timeout. */
export const describeTimeout = (host: string): Failure => failure("timeout", `${host} did not send a complete response in time.`, true);

/** Describes a URL that `readUrl` refused. `what` begins the sentence, such as "The address". */
export const describeRefusal = (read: Extract<ReadUrl, { ok: false }>, what: string, setting: AllowSetting): Failure => {
  switch (read.refusal) {
    case "scheme":
      return failure("address_refused", `${what} is not an http or https address.`, false);
    case "credentials":
      return failure("address_refused", `${what} contains a user name or password.`, false);
    case "too_long":
      return failure("address_refused", `${what} is too long.`, false);
    case "inside":
      return describePrivate(read.target ?? what, setting);
  }
};

/** Describes a private address, independent of whether anything listens there. `target` is `host:port`. */
const describePrivate = (target: string, setting: AllowSetting): Failure =>
  failure(
    "address_refused",
    `${target} points inside the network or at a port that is not for the web. ` +
      `The operator of this server can allow it by adding ${target} to ${setting}.`,
    false,
  );

const describeGuard = (error: GuardError, host: string, setting: AllowSetting): Failure => {
  switch (error.code) {
    case "address_refused":
      return describePrivate(error.target, setting);
    case "name_not_found":
      return failure("name_not_found", `The name ${host} was not found. Check the address for typing errors.`, false);
    case "name_lookup_failed":
      return failure("name_lookup_failed", `The name ${host} could not be looked up just now.`, true);
    case "connect_timeout":
      return failure("connection_failed", `Could not connect to ${host}.`, true);
  }
};

/** Returns the first code of the error, its causes and aggregated errors, or an empty string. */
const findErrorCode = (error: unknown, depth = 0): string => {
  if (!(error instanceof Error) || depth > 3) return "";
  const code = getErrorCode(error);
  if (code !== "" && code !== "UND_ERR_SOCKET") return code;
  return findErrorCode(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1);
};

const failure = (code: string, message: string, retryable: boolean): Failure => ({ code, message, retryable });
