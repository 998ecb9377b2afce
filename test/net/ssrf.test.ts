import { afterAll, beforeAll, expect, it } from "vitest";
import { createFetcher } from "#net/fetcher.ts";
import { GuardError, resolveChecked } from "#net/guard.ts";
import { parseAllow, parseRoutes, readUrl } from "#net/url.ts";
import { createWebhookSender, readWebhookUrl } from "#net/webhook-sender.ts";
import { startServer, type TestServer } from "./servers.ts";
import { type Answers, type Case, CASES } from "./ssrf-cases.ts";

const NONE = parseAllow("");
let canary: TestServer;
let canary6: TestServer;
let stub: TestServer;
let answer: { readonly status: number; readonly location?: string; readonly body?: string } = { status: 200 };

beforeAll(async () => {
  canary = await startServer((_request, response) => response.end("canary"));
  canary6 = await startServer((_request, response) => response.end("canary"), "::1", canary.port);
  stub = await startServer((_request, response) => {
    response.writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location });
    response.end(answer.body);
  });
});

afterAll(async () => {
  await Promise.all([canary.close(), canary6.close(), stub.close()]);
});

const fill = (text: string): string => text.replaceAll("{port}", String(canary.port));

/** Resolves each name as the case defines; the last of several answers is repeated. */
const stubResolver = (dns: Case["dns"]) => {
  const asked = new Map<string, number>();
  return async (host: string): Promise<readonly string[]> => {
    const answers: Answers = dns?.[host] ?? [];
    const turn = asked.get(host) ?? 0;
    asked.set(host, turn + 1);
    const nested = answers.filter((entry) => typeof entry !== "string");
    if (nested.length === 0) return answers.filter((entry) => typeof entry === "string");
    return nested[Math.min(turn, nested.length - 1)] ?? [];
  };
};

const isRebinding = (item: Case): boolean => Object.values(item.dns ?? {}).some((answers) => typeof answers[0] !== "string");

const fetchUrl = async (url: string, item: Pick<Case, "dns" | "redirect">): Promise<string> => {
  const target = readUrl(url, NONE);
  const isStubbed = item.redirect !== undefined && target.ok;
  const fetcher = createFetcher({
    allow: isStubbed ? parseAllow(`127.0.0.1:${stub.port}`) : NONE,
    routes: parseRoutes(isStubbed ? `${target.url.origin}=http://127.0.0.1:${stub.port}` : ""),
    userAgent: "Tessera/test",
    resolve: stubResolver(item.dns),
    connectTimeoutMs: 2000,
  });
  try {
    const { body } = await fetcher.fetch({ url, maxBytes: 10_000, signal: AbortSignal.timeout(20_000) });
    return Buffer.from(body).toString();
  } catch (error: unknown) {
    return `refused ${error instanceof Error && "code" in error ? String(error.code) : "?"}`;
  } finally {
    await fetcher.close();
  }
};

const checkBlocked = async (item: Case): Promise<void> => {
  answer = {
    ...item.redirect,
    status: item.redirect?.status ?? 200,
    ...(item.redirect?.location !== undefined && { location: fill(item.redirect.location) }),
    ...(item.redirect?.body !== undefined && { body: fill(item.redirect.body) }),
  };
  const url = fill(item.url);
  const sender = createWebhookSender({ allow: NONE, timeoutMs: 2000, userAgent: "Tessera/test", resolve: stubResolver(item.dns) });
  if (item.redirect === undefined) {
    // If the first answer for a name is public, the connection uses it without a second lookup.
    const codes = isRebinding(item) ? /^refused / : /^refused (?:address_refused|name_not_found)$/;
    expect(await fetchUrl(url, item)).toMatch(codes);
    // Literals need no connection to be refused, so that they can't be saved either.
    if (item.dns === undefined) expect([readUrl(url, NONE).ok, readWebhookUrl(url, NONE).ok]).toEqual([false, false]);
    const outcome = await sender.send({ id: "evt_1", url, body: "{}", secrets: ["whsec_AAAA"], timestampSeconds: 1 });
    expect(outcome).toMatchObject({ ok: false, responseStatus: null });
  } else {
    const came = await fetchUrl(url, item);
    const link = /href='([^']+)'/.exec(came)?.[1];
    const last = link === undefined ? came : await fetchUrl(link, {});
    expect(last).toMatch(/^refused (?:address_refused|bad_redirect|too_many_redirects)$/);
  }
  await sender.close();
  expect([...canary.hits, ...canary6.hits]).toEqual([]);
};

const checkAllowed = async (item: Case): Promise<void> => {
  const read = readUrl(fill(item.url), NONE);
  expect(read.ok).toBe(true);
  if (!read.ok) return;
  const port = Number(read.url.port) || (read.url.protocol === "https:" ? 443 : 80);
  const addresses = await resolveChecked(read.url.hostname, port, { allow: NONE, resolve: stubResolver(item.dns) });
  expect(addresses.length).toBeGreaterThan(0);
};

it.each(CASES.filter((item) => item.verdict === "block"))("an address reaches no private target: $id, $url", checkBlocked);

it.each(CASES.filter((item) => item.verdict === "allow"))("an address is allowed: $id, $url", checkAllowed);

it("the address guard resolves a name once per connection, and connects to the checked address", async () => {
  let asked = 0;
  const resolve = async (): Promise<readonly string[]> => {
    asked += 1;
    return asked === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
  };
  const allow = parseAllow(`rebind.test:${stub.port}`);
  const fetcher = createFetcher({ allow, routes: new Map(), userAgent: "t", resolve });
  answer = { status: 200, body: "once" };
  const { body } = await fetcher.fetch({ url: `http://rebind.test:${stub.port}/`, maxBytes: 100, signal: AbortSignal.timeout(20_000) });
  await fetcher.close();
  expect([Buffer.from(body).toString(), asked]).toEqual(["once", 1]);
});

it("the address guard reports an open and a closed private port alike, and names the setting", async () => {
  const catchMessage = async (port: number): Promise<string> => {
    const fetcher = createFetcher({ allow: NONE, routes: new Map(), userAgent: "t", resolve: async () => ["127.0.0.1"] });
    const error: unknown = await fetcher
      .fetch({ url: `http://in.test:${port}/`, maxBytes: 1, signal: AbortSignal.timeout(20_000) })
      .catch((thrown: unknown) => thrown);
    await fetcher.close();
    expect(error).toMatchObject({ code: "address_refused", stage: "fetch", retryable: false });
    return error instanceof Error ? error.message.replaceAll(String(port), "PORT") : "";
  };
  const open = await catchMessage(canary.port);
  expect(await catchMessage(canary.port === 40_001 ? 40_002 : 40_001)).toBe(open);
  expect(open).toContain("in.test:PORT to FETCH_ALLOW");
  expect(open).not.toContain("127.0.0.1");
  expect(canary.hits).toEqual([]);
});

it("the address guard ignores proxy variables", async () => {
  const proxy = await startServer((_request, response) => response.end("proxied"));
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : `http://127.0.0.1:${proxy.port}`;
  answer = { status: 200, body: "direct" };
  const fetcher = createFetcher({ allow: parseAllow(`127.0.0.1:${stub.port}`), routes: new Map(), userAgent: "t" });
  try {
    const { body } = await fetcher.fetch({ url: `http://127.0.0.1:${stub.port}/`, maxBytes: 100, signal: AbortSignal.timeout(20_000) });
    expect(Buffer.from(body).toString()).toBe("direct");
    expect(proxy.hits).toEqual([]);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await fetcher.close();
    await proxy.close();
  }
});

it("the address guard distinguishes an unknown name from a failed lookup", async () => {
  const failWith = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  await expect(resolveChecked("a.test", 80, { allow: NONE, resolve: failWith("ENOTFOUND") })).rejects.toMatchObject({
    code: "name_not_found",
  });
  await expect(resolveChecked("a.test", 80, { allow: NONE, resolve: failWith("EAI_AGAIN") })).rejects.toMatchObject({
    code: "name_lookup_failed",
  });
  const hang = resolveChecked("a.test", 80, { allow: NONE, resolve: () => new Promise(() => {}), connectTimeoutMs: 50 });
  await expect(hang).rejects.toBeInstanceOf(GuardError);
});
