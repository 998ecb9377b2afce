import type { FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { createHostGuard } from "#http/auth/host-guard.ts";

const checkHost = (options: { host?: string; baseUrl?: string; corsOrigins?: string[] }, headers: Record<string, string>): boolean => {
  try {
    createHostGuard({ host: "127.0.0.1", baseUrl: "", corsOrigins: [], ...options })({ headers } as unknown as FastifyRequest);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "origin_not_allowed", message: expect.stringMatching(/(BASE_URL|CORS_ORIGINS)/) });
    return false;
  }
};

it.each([
  ["127.0.0.1", "localhost:8080", true],
  ["127.0.0.1", "[::1]:8080", true],
  ["192.168.1.7", "192.168.1.7:8080", true],
  ["192.168.1.7", "192.168.1.8:8080", false],
  ["tessera.lan", "TESSERA.lan:8080", true],
  ["fd00::7", "[fd00::7]:8080", true],
  ["0.0.0.0", "0.0.0.0:8080", false],
  ["0.0.0.0", "192.168.1.7:8080", false],
  ["0.0.0.0", "localhost", true],
  ["::", "[::]:8080", false],
  ["::", "", false],
  ["127.0.0.1", "127.0.0.1.nip.example", false],
  ["127.0.0.1", "localhost.", false],
  ["127.0.0.1", "localhost#@evil.example", false],
])("a server that listens on %s accepts the Host header %s: %s", (host, called, isKnown) => {
  expect(checkHost({ host }, { host: called })).toBe(isKnown);
});

it("the Host header matches the public address, whatever its port and path", () => {
  const baseUrl = "https://tessera.example:8443/x";
  expect(checkHost({ baseUrl }, { host: "tessera.example" })).toBe(true);
  expect(checkHost({ baseUrl }, { host: "a.tessera.example" })).toBe(false);
  expect(checkHost({ baseUrl }, { host: "localhost" })).toBe(true);
});

it("an Origin is accepted if it is loopback, the server's own, or listed completely", () => {
  const options = { host: "0.0.0.0", baseUrl: "https://tessera.example", corsOrigins: ["https://agent.example:8443"] };
  const from = (origin: string) => checkHost(options, { host: "localhost", origin });
  expect(["https://agent.example:8443", "https://tessera.example", "http://localhost:5173", "http://[::1]:1"].map(from)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(
    [
      "https://agent.example",
      "null",
      "",
      "chrome-extension://localhost",
      "http://evil.example",
      "https://tessera.example.evil.example",
    ].map(from),
  ).toEqual(Array.from({ length: 6 }, () => false));
});
