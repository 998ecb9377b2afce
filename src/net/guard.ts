import { isIP, type LookupFunction, type Socket } from "node:net";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { getErrorCode } from "#domain/core/errors/error.ts";
import { findShortage, ShortageError } from "#domain/core/errors/shortage.ts";
import { hasFreeHandles } from "#runtime/files/handles.ts";
import { lazy } from "#runtime/lazy.ts";
import { isPublicAddress } from "./address.ts";
import { createResolve, type Resolve } from "./resolve.ts";
import { type AllowList, bareName, hostPort, isAllowed, isInside } from "./url.ts";

export type GuardOptions = {
  readonly allow: AllowList;
  readonly resolve?: Resolve | undefined;
  /** Timeout of the DNS lookup, and of the connection with its TLS handshake, in milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
};

type GuardCode = "address_refused" | "name_not_found" | "name_lookup_failed" | "connect_timeout";

/** Why the guard refused or failed to connect. It does not reveal resolved addresses. */
export class GuardError extends Error {
  readonly code: GuardCode;
  /** `host:port`, in the format of an allow list. */
  readonly target: string;

  constructor(code: GuardCode, target: string, cause?: unknown) {
    super(`${code}: ${target}`, cause === undefined ? undefined : { cause });
    this.name = "GuardError";
    this.code = code;
    this.target = target;
  }
}

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
/** Files and sockets that a name lookup may open at once. */
const LOOKUP_HANDLES = 4;

const resolveAll = createResolve();

/**
 * Returns the addresses that may be connected to for a host and port: the literal itself, or all addresses of a name.
 * Throws `GuardError`: `address_refused` when the literal or any of the addresses is not public and `host:port` is not
 * allowed, `name_not_found`, `name_lookup_failed`, `connect_timeout`.
 */
export const resolveChecked = async (hostname: string, port: number, options: GuardOptions): Promise<readonly string[]> => {
  const target = hostPort(hostname, port);
  const allowed = isAllowed(hostname, port, options.allow);
  if (!allowed && isInside(hostname, port)) throw new GuardError("address_refused", target);
  const name = bareName(hostname);
  if (isIP(name) !== 0) return [name];
  const addresses = await resolveInTime(name, target, options);
  if (addresses.length === 0) throw new GuardError("name_not_found", target);
  // Refuse all if one address is private, since mixed results are a sign of DNS rebinding.
  const usable = allowed ? (ip: string) => isIP(ip) !== 0 : isPublicAddress;
  if (!addresses.every(usable)) throw new GuardError("address_refused", target);
  return addresses;
};

const resolveInTime = async (name: string, target: string, options: GuardOptions): Promise<readonly string[]> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new GuardError("connect_timeout", target)), options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS);
  try {
    return await Promise.race([(options.resolve ?? resolveAll)(name), late]);
  } catch (error: unknown) {
    if (error instanceof GuardError || findShortage(error) !== null) throw error;
    // Without file handles, the system's resolver reports every name as unknown.
    if (!hasFreeHandles(LOOKUP_HANDLES)) throw new ShortageError("file_handles", { cause: error });
    const code = getErrorCode(error);
    const isMissing = code === "ENOTFOUND" || code === "ENODATA" || code === "EAI_NONAME" || code === "EAI_NODATA";
    throw new GuardError(isMissing ? "name_not_found" : "name_lookup_failed", target, error);
  } finally {
    clearTimeout(timer);
  }
};

/** The HTTP client for all outbound requests. `destroy` closes it with all connections. */
export type GuardedAgent = {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  destroy(): Promise<void>;
};

type Undici = { readonly Agent: typeof Agent; readonly buildConnector: typeof buildConnector };

/**
 * Creates the dispatcher for all outbound requests. Each new connection checks the literal or every address of one DNS lookup, and
 * connects only to these addresses. TLS is verified for the host of the URL. Proxy environment variables are ignored. The HTTP client
 * (80 ms, 10 MB) is loaded by the first request.
 */
export const createGuardedAgent = (options: GuardOptions, load: () => Promise<Undici> = () => import("undici")): GuardedAgent => {
  const library = lazy(load);
  let agent: Agent | undefined;
  let isDestroyed = false;
  return {
    async request(request) {
      const undici = await library.get();
      if (isDestroyed) throw new Error("The HTTP client is closed.");
      agent ??= openAgent(undici, options);
      return agent.request(request);
    },
    async destroy() {
      isDestroyed = true;
      await agent?.destroy();
    },
  };
};

const openAgent = (undici: Undici, options: GuardOptions): Agent =>
  new undici.Agent({
    allowH2: false,
    maxHeaderSize: 65_536,
    connect: (target, callback) => {
      dial(undici, target, options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
  });

const dial = async (undici: Undici, target: buildConnector.Options, options: GuardOptions): Promise<Socket> => {
  const isTls = target.protocol === "https:";
  const port = Number(target.port) || (isTls ? 443 : 80);
  const addresses = await resolveChecked(target.hostname, port, options);
  const hostname = bareName(target.hostname);
  const connect = undici.buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    lookup: createLookup(addresses),
  });
  const socket = await new Promise<Socket>((done, failed) => {
    connect(
      {
        hostname,
        host: target.host ?? hostname,
        protocol: target.protocol,
        port: String(port),
        // Not taken from the Host header, which a route keeps from the original origin.
        ...(isTls && isIP(hostname) === 0 ? { servername: hostname } : {}),
      },
      (error, opened) => {
        // The connection may fail at any time, also while the HTTP client does not listen for errors.
        opened?.on("error", () => {});
        if (error === null && opened !== null) done(opened);
        else failed(error);
      },
    );
  });
  const peer = socket.remoteAddress;
  // Finally check the address that the socket is really connected to.
  if (peer !== undefined && !isPublicAddress(peer) && !isAllowed(hostname, port, options.allow)) {
    socket.destroy();
    throw new GuardError("address_refused", hostPort(hostname, port));
  }
  return socket;
};

/**
 * Replaces the DNS lookup, so that only the checked addresses are connected to. It calls back in a later tick, like a real lookup.
 * Otherwise Node connects before `tls.connect` has returned. If all addresses fail immediately, that call throws, the socket has no
 * error listener, and its `error` event ends the process.
 */
const createLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, lookupOptions, callback) => {
    const answers = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = answers;
    process.nextTick(() => {
      if (lookupOptions.all === true) callback(null, answers);
      else callback(null, first?.address ?? "", first?.family ?? 0);
    });
  };
