import { expect, it } from "vitest";
import { createSecretHider, presentError } from "#composition/log/log.ts";
import { newKey } from "#domain/settings/api-key.ts";
import { newToken } from "#domain/settings/member.ts";

const SECRETS = [
  newKey(),
  newToken("s").token,
  newToken("c").token,
  newToken("j").token,
  "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=",
  "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA",
  "sk-ant-api03-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA",
  `AIza${"SyA1b2C3d4".repeat(4).slice(0, 35)}`,
  `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`,
  "github_pat_11ABCDEFG0abcdefghijklmnop",
];
/** The values of settings, which have no form of their own. */
const SETTINGS = ['own "key" \\ with marks+/=', "a secret of sixteen"];

const places: readonly ((secret: string) => object)[] = [
  (secret) => ({ url: `https://site.example/join#${secret}` }),
  (secret) => ({ url: `https://site.example/x?a=1&invite=${encodeURIComponent(secret)}` }),
  (secret) => ({ url: `/claim/${secret}/x` }),
  (secret) => ({ headers: { authorization: `Bearer ${secret}`, cookie: `__Host-tessera_session=${secret}; a=b` } }),
  (secret) => ({ headers: { authorization: `Basic ${Buffer.from(secret).toString("base64")}` } }),
  (secret) => ({ err: { message: `401 Incorrect API key provided: ${secret}.`, stack: `Error: ${secret}\n    at x` } }),
  (secret) => ({ cause: `connect failed for postgres://tessera:${encodeURIComponent(secret)}@db.example/x` }),
  (secret) => ({ body: JSON.stringify({ token: secret, nested: JSON.stringify({ token: secret }) }) }),
];

it("no secret is left in a line, wherever it occurs, and the line stays JSON", () => {
  const hide = createSecretHider(SETTINGS);
  for (const secret of [...SECRETS, ...SETTINGS])
    for (const place of places) {
      const line = hide(JSON.stringify(place(secret)));
      const inner = secret.slice(-12);
      for (const form of [secret, inner, encodeURIComponent(secret), JSON.stringify(inner).slice(1, -1)]) expect(line).not.toContain(form);
      expect(JSON.parse(line)).toBeTypeOf("object");
    }
});

it("tokens in the queries of addresses are hidden whatever their form", () => {
  const hide = createSecretHider([]);
  expect(hide("https://a.example/x?id=7&access_token=abc&key=def#token=ghi")).toBe(
    "https://a.example/x?id=7&access_token=[hidden]&key=[hidden]#token=[hidden]",
  );
});

it.each([
  '{"msg":"request","route":"/api/board/:boardId/tiles","status":200}',
  '{"url":"https://a.example/x?page=2&sort=key","msg":"Basic settings were read, with a bearer of news"}',
  '{"msg":"a task-force of risk-takers asked for ask-questions-first"}',
])("other lines are unchanged: %s", (line) => {
  expect(createSecretHider(["x", ""])(line)).toBe(line);
});

it("the message of an error and that of its cause have one mark between them", () => {
  const error = new Error("The disk is full. Reading works.", { cause: new Error("database or disk is full") });
  expect(presentError(error)).toMatchObject({ type: "Error", message: "The disk is full. Reading works: database or disk is full" });
});
