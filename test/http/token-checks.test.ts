import type { FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { createSessionCheck } from "#http/auth/token-checks.ts";
import type { PeopleDeps } from "#service/people/sessions.ts";

const NOW = 1_000;
const FOUND = {
  member: { id: "mem_1", businessId: "biz_1", email: "owner@example.com", role: "owner" },
  session: { id: "ses_1", expiresAt: NOW + 1, lastSeenAt: NOW },
};
const toToken = (text: string): string => `tss_${text.padEnd(43, "x")}`;
const from = (ip: string): FastifyRequest => ({ ip }) as FastifyRequest;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A check on a store that answers when it is told to, and the look-ups that wait for it. */
function setUp() {
  const waiting: ((found: object | null) => void)[] = [];
  const store = { people: { findSession: () => new Promise((answer) => waiting.push(answer)) } };
  const check = createSessionCheck({ store, clock: { now: () => NOW } } as unknown as PeopleDeps);
  return { check, waiting };
}

it("unknown sessions of one network are looked up by few at once, and neither known ones nor other networks wait for them", async () => {
  const { check, waiting } = setUp();
  const logIn = check(from("192.0.2.1"), toToken("known"));
  await settle();
  waiting.pop()?.(FOUND);
  expect(await logIn).toMatchObject({ memberId: "mem_1" });
  const guesses = Array.from({ length: 256 }, (_, n) => check(from("192.0.2.2"), toToken(`${n}`)));
  await settle();
  expect(waiting).toHaveLength(2);
  const other = check(from("192.0.2.3"), toToken("other"));
  const known = check(from("192.0.2.2"), toToken("known"));
  await settle();
  expect(waiting).toHaveLength(4);
  for (const answer of waiting.splice(2)) answer(FOUND);
  expect(await Promise.all([other, known])).toMatchObject([{ memberId: "mem_1" }, { memberId: "mem_1" }]);
  await expect(check(from("192.0.2.2"), toToken("one more"))).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
  for (let answered = 0; answered < guesses.length;) {
    for (const answer of waiting.splice(0)) {
      answer(null);
      answered++;
    }
    await settle();
  }
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([null]));
});
