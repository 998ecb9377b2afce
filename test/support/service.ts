import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { readConfig } from "#config";
import type { Permission } from "#domain/core/access.ts";
import { type AppContext, openAppContext } from "#composition/app-context.ts";
import { startService } from "#main";
import { createBusiness } from "#service/content/boards.ts";
import { createKey } from "#service/settings/keys.ts";
import { newStorage } from "./engine.ts";

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // `any`, since tests read the shape that they expect.
  readonly json: any;
};

export type TestService = {
  readonly url: string;
  readonly dataDir: string;
  readonly environment: Record<string, string>;
  /** A second connection to the same data, like that of the command line. */
  readonly appContext: AppContext;
  readonly businessId: string;
  /** The default board of the first business. */
  readonly boardId: string;
  /** An unscoped key that may write. */
  readonly key: string;
  /** The token of the printed set-up link. */
  readonly claimToken: string;
  newKey(options?: {
    boardId?: string | null;
    permission?: Permission;
    expiresAt?: number | null;
    budget?: number | null;
    webhooks?: boolean;
    businessId?: string;
  }): Promise<{ key: string; id: string }>;
  newBusiness(name: string): Promise<{ businessId: string; boardId: string }>;
  /** Calls the API; `body` is sent as JSON unless it is a string or bytes. */
  call(method: string, path: string, options?: { key?: string | null; body?: unknown; headers?: Record<string, string> }): Promise<Answer>;
  stop(): Promise<void>;
};

async function callApi(
  url: string,
  method: string,
  key: string | null,
  { body, headers }: NonNullable<Parameters<TestService["call"]>[2]>,
): Promise<Answer> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** Starts the whole service in this process, on a free port and with a new data directory. */
export async function startTestService(environment: Record<string, string> = {}): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), "tessera-"));
  const storage = await newStorage();
  const env = {
    PORT: "0",
    LOG_LEVEL: "silent",
    RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_ASK_PER_MINUTE: "0",
    EMBEDDINGS: "off",
    ...storage.environment,
    ...environment,
    DATA_DIR: dataDir,
  };
  const service = await startService(readConfig(env));
  const appContext = await openAppContext(readConfig(env));
  const { deps } = appContext;
  const [business] = await deps.store.boards.businesses();
  if (business === undefined) throw new Error("The new database has no business.");
  const [board] = await deps.store.boards.list(business.id);
  if (board === undefined) throw new Error("The business has no default board.");

  const newKey: TestService["newKey"] = async (options = {}) => {
    const created = await createKey(deps, options.businessId ?? business.id, {
      name: "test",
      boardId: options.boardId ?? null,
      permission: options.permission ?? "write",
      expiresAt: options.expiresAt ?? null,
      budget: options.budget ?? null,
      webhooks: options.webhooks ?? false,
      createdBy: "operator",
    });
    return { key: created.key, id: created.apiKey.id };
  };
  const { key } = await newKey();

  return {
    url: service.url,
    dataDir,
    environment: env,
    appContext,
    businessId: business.id,
    boardId: board.id,
    key,
    claimToken: service.setupUrl?.split("#")[1] ?? "",
    newKey,
    async newBusiness(name) {
      const created = await createBusiness(deps, name);
      const [first] = await deps.store.boards.list(created.id);
      return { businessId: created.id, boardId: first?.id ?? "" };
    },
    call: (method, path, options = {}) => callApi(service.url + path, method, options.key === undefined ? key : options.key, options),
    async stop() {
      await service.stop();
      await appContext.close();
      await storage.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a service before the tests of a file, and stops it after them. What it returns is empty until the next `beforeAll`. */
export function useTestService(environment: Record<string, string> = {}): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await startTestService(environment));
  });
  afterAll(() => service.stop());
  return service;
}
