import { expect, it } from "vitest";
import { sample } from "../support/wire.ts";
import { GIST, open } from "../support/github.ts";

const gist = (files: unknown): string => JSON.stringify({ ...(JSON.parse(sample("documents/github.gist.json")) as object), files });

it("a gist has its description and all its files", async () => {
  const wire = await open({ "/gists/0123456789abcdef0123456789abcdef": sample("documents/github.gist.json") });
  expect(await wire.ingest(GIST)).toMatchObject({
    title: "prism snippet",
    text: "prism snippet\n\n## prism.ts\n\n```typescript\nexport const n = 1.5;\n```",
    metadata: { subtype: "GIST", author: "harbour", publishedAt: "2026-03-02T09:00:00.000Z", stats: { files: 1 } },
    warnings: [],
  });
});

it("a gist has files that the API truncates completely, or a warning", async () => {
  const files = {
    "a.md": { filename: "a.md", language: "Markdown", content: "# A\n```\ncode\n```" },
    "b.py": {
      filename: "b.py",
      language: "Python",
      truncated: true,
      content: "begun",
      raw_url: "https://gist.githubusercontent.com/h/b.py",
    },
    "c.py": { filename: "c.py", language: "Python", truncated: true, content: "c begun", raw_url: "https://evil.example/c.py" },
  };
  const wire = await open({ "/gists/0123456789abcdef0123456789abcdef": gist(files) }, { gist: { "/h/b.py": "whole = '```'" } });
  const found = await wire.ingest(GIST);
  expect(found.text).toBe(
    "prism snippet\n\n## a.md\n\n# A\n```\ncode\n```\n\n## b.py\n\n````python\nwhole = '```'\n````\n\n## c.py\n\n```python\nc begun\n```",
  );
  expect(found.warnings).toMatchObject([{ code: "truncated" }]);
  expect(wire.calls).toHaveLength(2);
});

it("a gist accepts files of unexpected types", async () => {
  for (const files of [null, "x", [1, null], { a: null, b: 7, c: { content: 9, raw_url: [] } }]) {
    const wire = await open({ "/gists/0123456789abcdef0123456789abcdef": gist(files) });
    expect((await wire.ingest(GIST)).text).toBe("prism snippet");
  }
});
