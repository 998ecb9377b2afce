import { expect, it } from "vitest";
import { createPasswords } from "#people/passwords.ts";

const passwords = createPasswords();

it("passwords are stored as salted scrypt hashes that only the password matches", async () => {
  const [one, two] = await Promise.all([passwords.hash("correct horse battery"), passwords.hash("correct horse battery")]);
  expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await passwords.verify("correct horse battery", one!)).toBe(true);
  expect(await passwords.verify("correct horse batterz", one!)).toBe(false);
  expect(await passwords.verify("", one!)).toBe(false);
});

it("passwords match in both Unicode normal forms", async () => {
  const hashed = await passwords.hash("Überfahrt nach Sylt".normalize("NFC"));
  expect(await passwords.verify("Überfahrt nach Sylt".normalize("NFD"), hashed)).toBe(true);
});

it("passwords of unknown accounts are verified with the same work, and never match", async () => {
  const work = async (run: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    await run();
    return process.cpuUsage(before).user;
  };
  const hashed = await passwords.hash("correct horse battery");
  const ratios: number[] = [];
  for (let n = 0; n < 5; n++) {
    const wrong = await work(() => passwords.verify("wrong horse battery", hashed));
    ratios.push((await work(async () => expect(await passwords.verify("A".repeat(22), null)).toBe(false))) / wrong);
  }
  // Without the hash computation it would take a thousandth.
  expect(ratios.sort()[2]).toBeGreaterThan(0.3);
});

it("passwords in an unsupported hash format cause an error instead of a mismatch", async () => {
  await expect(passwords.verify("x", "$2b$10$abc")).rejects.toThrow(/unknown form/);
});

it("passwords are rejected beyond the concurrency limit instead of blocking everything else", async () => {
  // A hash with the least cost, since only the number of concurrent calls matters.
  const cheap = `$scrypt$ln=1,r=1,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => passwords.verify("x", cheap)));
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(80 - 2 - 64);
  expect(await passwords.verify("x", null)).toBe(false);
}, 60_000);
