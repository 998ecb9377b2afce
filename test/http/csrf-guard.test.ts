import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { createCsrfGuard } from "#http/auth/csrf-guard.ts";
import { createSessionCookie } from "#http/auth/session-cookie.ts";
import { isSecureAddress } from "#service/people/secure-address.ts";

const request = (method: string, headers: Record<string, string>) => ({ method, headers }) as unknown as FastifyRequest;
const isAllowed = (baseUrl: string, headers: Record<string, string>, method = "POST", isForm = false): boolean => {
  try {
    createCsrfGuard(baseUrl)(request(method, headers), isForm);
    return true;
  } catch {
    return false;
  }
};

describe("the CSRF guard", () => {
  it.each([
    ["a page of the same origin", "", { host: "box:8080", origin: "http://box:8080" }, true],
    ["a page of another port", "", { host: "box:8080", origin: "http://box:9090" }, false],
    [
      "a page of the public address, behind a proxy that changed Host",
      "https://t.example",
      { host: "10.0.0.2", origin: "https://t.example" },
      true,
    ],
    [
      "an http page of the same host, if the public address is https",
      "https://t.example",
      { host: "t.example", origin: "http://t.example" },
      false,
    ],
    ["a page of another site", "https://t.example", { host: "t.example", origin: "https://evil.test" }, false],
    ["a page with an opaque origin", "", { host: "box", origin: "null" }, false],
    ["a program, which sends no origin", "", { host: "box" }, true],
    ["a cross-site request", "", { host: "box", "sec-fetch-site": "cross-site" }, false],
    ["a same-site page of another origin", "", { host: "box", "sec-fetch-site": "same-site" }, false],
    ["an address typed into the browser", "", { host: "box", "sec-fetch-site": "none" }, true],
    ["a page of a browser extension", "", { host: "box", origin: "chrome-extension://box" }, false],
  ])("the CSRF guard decides on %s", (_name, baseUrl, headers, expected) => {
    expect(isAllowed(baseUrl, headers)).toBe(expected);
  });

  it("the CSRF guard accepts changes as JSON only, and files as a form if the endpoint expects one", () => {
    expect(isAllowed("", { "content-type": "application/json; charset=utf-8" })).toBe(true);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", ""])
      expect(isAllowed("", { "content-type": type }), type).toBe(false);
    expect(isAllowed("", { "content-type": "multipart/form-data; boundary=x" }, "POST", true)).toBe(true);
    expect(isAllowed("", { "content-type": "text/plain" }, "POST", true)).toBe(false);
    expect(isAllowed("", { "content-type": "text/plain" }, "GET")).toBe(true);
  });
});

describe("session cookie", () => {
  it.each([
    ["https://t.example", "0.0.0.0", true],
    ["http://t.example", "127.0.0.1", false],
    ["http://localhost:8080", "0.0.0.0", true],
    ["", "127.0.0.1", true],
    ["", "::1", true],
    ["", "0.0.0.0", false],
    ["", "192.168.1.5", false],
  ])("the session cookie with BASE_URL %j and HOST %s is secure: %s", (baseUrl, host, expected) => {
    expect(isSecureAddress(baseUrl, host)).toBe(expected);
  });

  it("the session cookie is read by its exact name only", () => {
    const read = (cookie: string, isSecure = true) => createSessionCookie(isSecure).read(request("GET", { cookie }));
    expect(read("a=1; __Host-tessera_session=tss_x; b=2")).toBe("tss_x");
    expect(read("x__Host-tessera_session=tss_x")).toBeUndefined();
    expect(read("tessera_session=tss_x")).toBeUndefined();
    expect(read("__Host-tessera_session=tss_x", false)).toBeUndefined();
    expect(read("tessera_session=tss_x", false)).toBe("tss_x");
  });

  it("the session cookie is not marked secure on plain HTTP, because browsers would reject it", () => {
    const set: string[] = [];
    const reply = { header: (_name: string, value: string) => set.push(value) } as never;
    createSessionCookie(false).set(reply, "tss_x", 60);
    createSessionCookie(true).clear(reply);
    expect(set).toEqual([
      "tessera_session=tss_x; Max-Age=60; Path=/; HttpOnly; SameSite=Lax",
      "__Host-tessera_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
    ]);
  });
});
