import { afterAll, expect, it } from "vitest";
import { IngestError } from "#domain/content/job.ts";
import { createPool } from "#ingest/threads/pool.ts";
import { readDocument } from "#ingest/read/document.ts";
import type { FileFormat } from "#ingest/read/format.ts";
import { createRandom } from "../../fuzz/support/random.ts";
import { avif, flac, gif, jpeg, mp3, mp4, png, wav, webm, webp } from "./media-samples.ts";
import { docx, epub, odp, ods, odt, createPdf, pptx, rtf, xlsx } from "./samples.ts";

const SAMPLES: readonly (readonly [string, FileFormat, Uint8Array])[] = [
  ["pdf", "pdf", createPdf([[{ text: "Words of a page", y: 700 }], [{ text: "and more", y: 700 }]], "/Title (T) /CreationDate (D:2021)")],
  ["docx", "docx", docx()],
  ["pptx", "pptx", pptx()],
  ["xlsx", "xlsx", xlsx()],
  ["odt", "odf", odt()],
  ["ods", "odf", ods()],
  ["odp", "odf", odp()],
  ["epub", "epub", epub()],
  ["rtf", "rtf", rtf()],
  ["png", "image", png()],
  ["jpeg", "image", jpeg()],
  ["gif", "image", gif()],
  ["webp", "image", webp()],
  ["avif", "image", avif()],
  ["wav", "audio", wav()],
  ["mp3", "audio", mp3(20, { sync: true })],
  ["mp4", "video", mp4()],
  ["webm", "video", webm()],
  ["flac", "audio", flac()],
];
const ROUNDS = Number(process.env["TESSERA_FUZZ_ROUNDS"] ?? 24);
/** CPU time of this process, its threads included: elapsed time would count what other processes do. */
const MAX_CPU_MS = 8_000;

function broken(bytes: Uint8Array, round: number, random: () => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  if (round % 3 === 0) return copy.subarray(0, Math.floor(random() * copy.length));
  const flips = 1 + Math.floor(random() * (round % 3 === 1 ? 3 : 40));
  for (let left = flips; left > 0; left--) {
    const at = Math.floor(random() * copy.length);
    copy[at] = random() < 0.5 ? (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8)) : Math.floor(random() * 256);
  }
  return copy;
}

/** The PDF library rejects promises that nobody awaits, which ends a thread, so it is tested in a real one. */
const pool = createPool({ size: 1, timeoutMs: 60_000, memoryMb: 512, fileMemoryMb: 512, maxBuffersMb: 96, idleMs: 1_000 });
const reader = pool.reader({ business: "biz_1" });
afterAll(() => pool.close());
const never = new AbortController().signal;

/** Expects a result or an error with a message for users. */
async function expectHandled(bytes: Uint8Array, form: FileFormat, what: string): Promise<void> {
  const before = process.cpuUsage();
  try {
    const read = await (form === "pdf" ? reader.document(bytes.slice(), form, never) : readDocument(bytes, form));
    expect(typeof read.text, what).toBe("string");
    expect(read.text.isWellFormed(), what).toBe(true);
  } catch (error) {
    expect(error, what).toBeInstanceOf(IngestError);
    expect(error, what).toMatchObject({ stage: "extract", retryable: false });
  }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000, what).toBeLessThan(MAX_CPU_MS);
}

it.each(SAMPLES)("a corrupt file of format %s is handled", async (name, form, bytes) => {
  const random = createRandom(20_240 + name.length).next;
  for (let round = 0; round < ROUNDS; round++) await expectHandled(broken(bytes, round, random), form, `${name} ${round}`);
});

it.each(SAMPLES)("an intact file of format %s is read in a thread", async (_name, form, bytes) => {
  await expect(reader.document(bytes.slice(), form, never)).resolves.toMatchObject({ text: expect.any(String) });
});

it("a file of random bytes, or of another format, is handled by every reader", async () => {
  const random = createRandom(7).next;
  const forms: readonly FileFormat[] = ["pdf", "zip", "rtf", "image", "audio", "video"];
  for (const form of forms) {
    for (const size of [0, 1, 16, 300, 5_000])
      await expectHandled(
        Uint8Array.from({ length: size }, () => random() * 256),
        form,
        `${form} ${size}`,
      );
    for (const [name, , bytes] of SAMPLES) await expectHandled(bytes, form, `${name} as ${form}`);
  }
});
