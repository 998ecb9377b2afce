import { deflateSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callAs, MAX_MEMORY_MIB, startVictim, timeDuring, type Victim } from "./support/victim.ts";

const MIB = 1_048_576;
const UPLOADS = 12;

/** A document of 0.6 MB whose text unpacks to 190 MiB. */
function createDocxBomb(): Uint8Array {
  const start = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>';
  const body = Buffer.alloc(190 * MIB, "<w:p><w:r><w:t>the harbour was quiet that day</w:t></w:r></w:p>");
  return zipSync({ "word/document.xml": Buffer.concat([Buffer.from(start), body]) });
}

/** A PDF of 0.3 MB whose only page unpacks to 300 MiB. */
function createPdfBomb(): Uint8Array {
  const page = deflateSync(Buffer.alloc(300 * MIB, " "));
  const start = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj ";
  const leaf = `3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj 4 0 obj<</Filter/FlateDecode/Length ${page.length}>>stream\n`;
  return Buffer.concat([Buffer.from(start + leaf), page, Buffer.from("\nendstream endobj\ntrailer<</Root 1 0 R>>")]);
}

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim();
}, 60_000);
afterAll(() => victim.stop());

async function upload(name: string, bytes: Uint8Array): Promise<string> {
  const { server, attacker } = victim;
  const body = new FormData();
  body.set("file", new Blob([Uint8Array.from(bytes)]), name);
  const response = await fetch(`${server.url}/api/board/${attacker.boardId}/files`, {
    method: "POST",
    headers: { "x-api-key": attacker.key },
    body,
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { tile: { id: string } }).tile.id;
}

test("documents that unpack to hundreds of megabytes do not fill the memory", { timeout: 240_000 }, async () => {
  const { attacker, other } = victim;
  const bombs = [createDocxBomb(), createPdfBomb()] as const;
  const ids = await Promise.all(
    Array.from({ length: UPLOADS }, (_, n) => (n % 2 === 0 ? upload(`${n}.docx`, bombs[0]) : upload(`${n}.pdf`, bombs[1]))),
  );
  const read = async (id: string) => {
    for (;;) {
      const { tile } = (await callAs(victim, attacker, "GET", `/api/board/tiles/${id}?wait=60`)).json;
      if (tile.status !== "processing") return tile;
    }
  };
  const attack = Promise.all(ids.map(read));
  await timeDuring(attack, () => callAs(victim, other, "GET", `/api/board/${other.boardId}/tiles`));
  for (const [n, tile] of (await attack).entries()) {
    const expected = n % 2 === 0 ? { status: "ready", warnings: [{ code: "truncated" }] } : { status: "failed" };
    expect(tile).toMatchObject(expected);
  }
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});
