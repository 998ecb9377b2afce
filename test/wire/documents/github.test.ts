import { expect, it } from "vitest";
import { sample } from "../support/wire.ts";
import { REPO, open, article, rateLimitedUntil } from "../support/github.ts";

const good = {
  "/repos/harbour/lens": sample("documents/github.repo.json"),
  "/repos/harbour/lens/readme": sample("documents/github.readme.raw.md"),
};

it("a repository on GitHub has its description, topics, README and metadata", async () => {
  const wire = await open(good);
  const found = await wire.ingest(`${REPO}.git`);
  expect(found).toMatchObject({
    type: "GITHUB",
    title: "harbour/lens",
    text: "Lens maths\n\n#optics\n\n# lens\n\nLens maths in TypeScript.",
    metadata: {
      subtype: "REPO",
      author: "harbour",
      authorUrl: "https://github.com/harbour",
      siteName: "GitHub",
      publishedAt: "2026-01-01T00:00:00.000Z",
      canonicalUrl: REPO,
      stats: { stars: 48, forks: 2, issues: 1 },
    },
    warnings: [],
  });
  expect(wire.calls).toEqual(["GET api.github.com/repos/harbour/lens", "GET api.github.com/repos/harbour/lens/readme"]);
  expect(wire.asked[1]?.headers["accept"]).toBe("application/vnd.github.raw+json");
  expect(wire.asked.every(({ headers }) => headers["authorization"] === undefined)).toBe(true);
});

it("a repository on GitHub has no badges, images and link targets, and unchanged code", async () => {
  const readme = [
    '<p align="center"><img src="logo.svg" width="200"></p>',
    "<!-- badges: start -->",
    "[![CI](https://img.shields.io/ci.svg)](https://ci.example) ![npm](https://img.shields.io/npm)",
    "# Lens",
    "See [the docs](https://docs.example/a_(b)) and <b>this</b>.",
    "```html",
    '<img src="x"> [a](b)',
    "```",
    "[docs]: https://docs.example",
    "- [x] done with `<div>` and [`code`](x.md) <!-- not",
    "shown --> here",
    "```",
    "<!-- kept -->",
    "```",
    "<!-- never closed",
  ].join("\n");
  const wire = await open({ ...good, "/repos/harbour/lens/readme": readme });
  expect((await wire.ingest(REPO)).text).toBe(
    'Lens maths\n\n#optics\n\n# Lens\nSee the docs and this.\n```html\n<img src="x"> [a](b)\n```\n- [x] done with `<div>` and `code`\n here\n```\n<!-- kept -->\n```\n<!-- never closed',
  );
});

it("a repository linked by a folder has the README of that folder, otherwise of the repository", async () => {
  const wire = await open({ ...good, "/repos/harbour/lens/readme/packages/core": ({ query }) => `# Core at ${query.get("ref")}` });
  expect((await wire.ingest(`${REPO}/tree/dev/packages/core`)).text).toContain("# Core at dev");
  expect((await wire.ingest(`${REPO}/tree/dev/packages/none`)).text).toContain("Lens maths in TypeScript.");
});

it("a repository on GitHub without a README has its description, with a warning", async () => {
  const wire = await open({ "/repos/harbour/lens": sample("documents/github.repo.json") });
  expect(await wire.ingest(REPO)).toMatchObject({ text: "Lens maths\n\n#optics", warnings: [{ code: "thin_content" }] });
});

it("a repository on GitHub that is missing, private or taken down fails with that reason", async () => {
  const wire = await open({ "/repos/harbour/lens": { status: 404, body: '{"message":"Not Found"}' } });
  await expect(wire.ingest(REPO)).rejects.toMatchObject({
    code: "not_found",
    retryable: false,
    message: expect.stringMatching(/private.*token/),
  });
  expect(wire.calls).toHaveLength(1);
  const down = await open({
    "/repos/harbour/lens": { status: 451, body: '{"message":"Repository access blocked","block":{"reason":"dmca"}}' },
  });
  await expect(down.ingest(REPO)).rejects.toMatchObject({ message: expect.stringContaining("legal reasons") });
});

it("a repository on GitHub is read by the address of its README beyond the rate limit of the API", async () => {
  const limited = { "/repos/harbour/lens": rateLimitedUntil(Date.now() / 1_000 + 1_200) };
  const wire = await open(limited, { raw: { "/harbour/lens/HEAD/README.md": "# lens\n\nRaw words." } });
  expect(await wire.ingest(REPO, { isLastAttempt: false })).toMatchObject({
    title: "harbour/lens",
    text: "# lens\n\nRaw words.",
    warnings: [],
  });
  const none = await open(limited);
  await expect(none.ingest(REPO)).rejects.toMatchObject({ code: "rate_limited", retryable: true });
  const error = await none.ingest(REPO).catch((thrown: unknown) => thrown as { retryAfterSeconds: number });
  expect((error as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(1_100);
  const page = await open(limited, { page: { "/harbour/lens": article("harbour/lens") } });
  expect((await page.ingest(REPO)).text).toContain("twenty miles");
});

it("a repository on GitHub is requested with the operator's token, which is sent to the API only, and omitted when it is rejected", async () => {
  const settings = { githubToken: "ghp_secret" };
  const wire = await open(
    { ...good, "/repos/harbour/lens/readme": rateLimitedUntil(0) },
    { raw: { "/harbour/lens/HEAD/README.md": "raw" } },
  );
  await wire.ingest(REPO, { settings });
  const sent = wire.asked.map(({ host, headers }) => [host, headers["authorization"]]);
  expect(sent).toEqual([
    ["api.github.com", "Bearer ghp_secret"],
    ["api.github.com", "Bearer ghp_secret"],
    ["raw.githubusercontent.com", undefined],
  ]);
  const bad = await open({
    "/repos/harbour/lens": ({ headers }) =>
      headers["authorization"] ? { status: 401, body: '{"message":"Bad credentials"}' } : sample("documents/github.repo.json"),
  });
  expect((await bad.ingest(REPO, { settings })).title).toBe("harbour/lens");
});

it("a repository on GitHub accepts responses of unexpected types", async () => {
  for (const answer of ["[]", "{}", '"x"', "<html>unicorn</html>", '{"full_name":7,"owner":[],"topics":"x","description":{}}', "null"]) {
    const wire = await open({ "/repos/harbour/lens": answer, "/repos/harbour/lens/readme": "# Still" });
    const found = await wire.ingest(REPO).catch((error: unknown) => error);
    expect(found instanceof TypeError).toBe(false);
  }
});
