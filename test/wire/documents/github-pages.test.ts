import { expect, it } from "vitest";
import { REPO, open, article } from "../support/github.ts";

const about = {
  state: "open",
  title: "Rings bend",
  body: "They [do](https://x.example).",
  comments: 2,
  user: { login: "ann" },
  created_at: "2026-03-01T09:00:00Z",
};
const comments = [
  { user: { login: "bob" }, created_at: "2026-03-02T09:00:00Z", body: "Indeed." },
  { user: null, created_at: "x", body: "Ghost." },
  { user: { login: "cy" }, body: "" },
];

it.each([
  ["issues", "ISSUE", about, "open"],
  [
    "pull",
    "PULL",
    { ...about, state: "closed", pull_request: { merged_at: "2026-03-03T09:00:00Z" }, labels: [{ name: "bug" }] },
    "merged · bug",
  ],
])("a page of GitHub (%s) has its text and comments", async (word, subtype, issue, head) => {
  const wire = await open({
    "/repos/harbour/lens/issues/12": JSON.stringify(issue),
    "/repos/harbour/lens/issues/12/comments": JSON.stringify(comments),
  });
  expect(await wire.ingest(`${REPO}/${word}/12#issuecomment-1`)).toMatchObject({
    title: "Rings bend",
    text: `${head}\n\nThey do.\n\n## bob · 2026-03-02\n\nIndeed.\n\nGhost.`,
    metadata: { subtype, author: "ann", publishedAt: "2026-03-01T09:00:00.000Z", stats: { comments: 2 } },
    warnings: [],
  });
  expect(wire.calls[1]).toBe("GET api.github.com/repos/harbour/lens/issues/12/comments?per_page=100");
});

it("an issue on GitHub whose comments cannot be read is retried, and finally has its text", async () => {
  const wire = await open({
    "/repos/harbour/lens/issues/12": JSON.stringify(about),
    "/repos/harbour/lens/issues/12/comments": { status: 502 },
  });
  await expect(wire.ingest(`${REPO}/issues/12`, { isLastAttempt: false })).rejects.toMatchObject({ code: "server_error" });
  expect(await wire.ingest(`${REPO}/issues/12`)).toMatchObject({ text: "open\n\nThey do.", warnings: [{ code: "thin_content" }] });
});

it("a release on GitHub has its notes, and the list of releases those of the latest", async () => {
  const release = {
    name: "v1.0",
    tag_name: "v1.0",
    body: "Rings **added**.",
    published_at: "2026-03-02T09:00:00Z",
    author: { login: "ann" },
    assets: [{ download_count: 4 }],
  };
  const wire = await open({
    "/repos/harbour/lens/releases/tags/pkg%2Fv1.0": JSON.stringify(release),
    "/repos/harbour/lens/releases/latest": JSON.stringify(release),
    "/repos/harbour/lens/releases": JSON.stringify([release, { tag_name: "v0.9", body: "Old." }]),
  });
  for (const path of ["releases/tag/pkg/v1.0", "releases/latest"]) {
    expect(await wire.ingest(`${REPO}/${path}`)).toMatchObject({
      title: "harbour/lens v1.0",
      text: "Rings **added**.",
      metadata: { subtype: "RELEASE", author: "ann", stats: { downloads: 4 } },
    });
  }
  expect((await wire.ingest(`${REPO}/releases`)).text).toBe("## v1.0\n\n2026-03-02\n\nRings **added**.\n\n## v0.9\n\nOld.");
});

it("a commit on GitHub has its message and changed files", async () => {
  const commit = {
    commit: { message: "Bend light\n\nBy rings.", author: { name: "Ann", date: "2026-03-02T09:00:00Z" } },
    author: null,
    files: [{ filename: "src/ring.ts", additions: 3, deletions: 1 }, { no: 1 }],
    stats: { additions: 3, deletions: 1 },
  };
  const wire = await open({ "/repos/harbour/lens/commits/abc1234": JSON.stringify(commit) });
  expect(await wire.ingest(`${REPO}/commit/abc1234`)).toMatchObject({
    title: "Bend light",
    text: "Bend light\n\nBy rings.\n\n- src/ring.ts (+3 −1)",
    metadata: { author: "Ann", stats: { additions: 3, deletions: 1, files: 1 } },
  });
});

it("a file on GitHub is read by its format: Markdown, code in fences, cells of a notebook", async () => {
  const notebook = JSON.stringify({
    cells: [
      { cell_type: "markdown", source: ["# Rings\n", "Words."] },
      { cell_type: "code", source: "n = 1.5", outputs: ["x"] },
    ],
  });
  const wire = await open(
    {},
    {
      raw: {
        "/harbour/lens/main/README.md": "# Lens\n\nWords.",
        "/harbour/lens/main/src/a%20b.ts": "const n = 1;\n",
        "/harbour/lens/main/n.ipynb": notebook,
      },
    },
  );
  expect(await wire.ingest(`${REPO}/blob/main/README.md?plain=1#L3`)).toMatchObject({
    title: "Lens",
    text: "# Lens\n\nWords.",
    metadata: { subtype: "FILE", author: "harbour" },
  });
  expect((await wire.ingest("https://raw.githubusercontent.com/harbour/lens/main/README.md")).text).toBe("# Lens\n\nWords.");
  expect(await wire.ingest(`${REPO}/blob/main/src/a%20b.ts#L1-L2`)).toMatchObject({ title: "a b.ts", text: "```ts\nconst n = 1;\n```" });
  expect((await wire.ingest(`${REPO}/blob/main/n.ipynb`)).text).toBe("# Rings\nWords.\n\n```python\nn = 1.5\n```");
  await expect(wire.ingest(`${REPO}/blob/main/gone.md`)).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("private"),
  });
});

it("a file visible only with the operator's token is read with the API of GitHub", async () => {
  const wire = await open({ "/repos/harbour/lens/contents/docs/a.md": ({ query }) => `# At ${query.get("ref")}` }, { raw: {} });
  expect((await wire.ingest(`${REPO}/blob/main/docs/a.md`, { settings: { githubToken: "t" } })).text).toBe("# At main");
});

it("a wiki page on GitHub is read from its source, otherwise as shown; discussions and profiles are pages", async () => {
  const wire = await open(
    {},
    {
      raw: { "/wiki/harbour/lens/Home.md": "# Start", "/wiki/harbour/lens/How-to.md": "Do [[so]]." },
      page: {
        "/harbour/lens/wiki/Other": article("Other"),
        "/harbour/lens/discussions/3": article("Talk"),
        "/harbour": article("harbour"),
      },
    },
  );
  expect((await wire.ingest(`${REPO}/wiki`)).text).toBe("# Start");
  expect(await wire.ingest(`${REPO}/wiki/How-to`)).toMatchObject({ title: "How to", text: "Do [[so]]." });
  expect((await wire.ingest(`${REPO}/wiki/Other`)).text).toContain("twenty miles");
  expect(await wire.ingest(`${REPO}/discussions/3`)).toMatchObject({
    metadata: { subtype: "DISCUSSION" },
    text: expect.stringContaining("twenty miles"),
  });
  expect((await wire.ingest("https://github.com/harbour")).text).toContain("twenty miles");
  await expect(wire.ingest(`${REPO}/discussions/4`)).rejects.toMatchObject({ code: "not_found" });
});

it("a login page or challenge in place of a page of GitHub fails with that reason", async () => {
  const login = await open(
    {},
    {
      page: {
        "/harbour/lens/discussions/3": { status: 302, headers: { location: "/login?return_to=x" } },
        "/login": "<html>Sign in</html>",
      },
    },
  );
  await expect(login.ingest(`${REPO}/discussions/3`)).rejects.toMatchObject({ code: "login_wall" });
  const riddle = await open({}, { page: { "/harbour/lens/discussions/3": "<title>Just a moment...</title>" } });
  await expect(riddle.ingest(`${REPO}/discussions/3`)).rejects.toMatchObject({ code: "captcha", retryable: true });
});
