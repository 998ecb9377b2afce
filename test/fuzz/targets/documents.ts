import { unzipSync, zipSync } from "fflate";
import { IngestError } from "#domain/content/job.ts";
import type { FileFormat } from "#ingest/read/format.ts";
import { readDocument } from "#ingest/read/document.ts";
import { createPool } from "#ingest/threads/pool.ts";
import { avif, flac, gif, jpeg, mp3, mp4, png, wav, webm, webp } from "../../ingest/read/media-samples.ts";
import { docx, epub, odp, ods, odt, createPdf, pptx, rtf, xlsx } from "../../ingest/read/samples.ts";
import { mutateBytes, mutateText } from "../support/mutate.ts";
import type { Random } from "../support/random.ts";
import { expectKind, type Target } from "../support/target.ts";

const PDF = createPdf([[{ text: "Words of a page", y: 700 }], [{ text: "and more", y: 700 }]], "/Title (T) /CreationDate (D:2021)");
/** Archives: a changed entry gets a new checksum, so that it reaches the XML readers. */
const PACKAGES: readonly (readonly [FileFormat, Uint8Array])[] = [
  ["docx", docx()],
  ["pptx", pptx()],
  ["xlsx", xlsx()],
  ["odf", odt()],
  ["odf", ods()],
  ["odf", odp()],
  ["epub", epub()],
];
const PLAIN: readonly (readonly [FileFormat, Uint8Array])[] = [
  ["pdf", PDF],
  ["rtf", rtf()],
  ["image", png()],
  ["image", jpeg()],
  ["image", gif()],
  ["image", webp()],
  ["image", avif()],
  ["audio", wav()],
  ["audio", mp3(20, { sync: true })],
  ["audio", flac()],
  ["video", mp4()],
  ["video", webm()],
  ...PACKAGES,
];

/** Formats that are read by libraries. */
const FOREIGN: ReadonlySet<FileFormat> = new Set(["pdf", "image", "audio", "video"]);
const SMALL_BYTES = 200_000;
/** More than the memory of a reader's thread. */
const MAX_READ_MS = 20_000;

function mutatePackage(bytes: Uint8Array, random: Random): Uint8Array {
  const files = unzipSync(bytes);
  for (let left = 1 + random.int(3); left > 0; left--) {
    const name = random.pick(Object.keys(files));
    const text = Buffer.from(files[name] ?? []).toString("utf8");
    const changed = random.chance(0.1) ? mutateBytes(files[name] ?? new Uint8Array(1), random) : Buffer.from(mutateText(text, random));
    files[name] = Uint8Array.from(changed);
    if (random.chance(0.05)) delete files[name];
    if (Object.keys(files).length === 0) break;
  }
  return zipSync(files);
}

/** Files of every format, changed outside and inside of their archives, read as linked files are. */
export const documents: Target = {
  name: "documents",
  testRounds: 30,
  async open() {
    const pool = createPool({ size: 2, timeoutMs: 10_000, memoryMb: 80, fileMemoryMb: 144, maxBuffersMb: 96, idleMs: 20_000 });
    const reader = pool.reader({ business: "biz_1" });
    const read = async (form: FileFormat, bytes: Uint8Array, isInThread: boolean): Promise<void> => {
      const started = performance.now();
      const size = bytes.length;
      try {
        const reading = isInThread
          ? reader.document(bytes, form, new AbortController().signal)
          : readDocument(Uint8Array.from(bytes), form);
        const { text } = await reading;
        if (!text.isWellFormed()) throw new Error("The text is not well-formed.");
      } catch (error) {
        expectKind(error, IngestError);
        // The thread was ended by its time limit: for such a small file its reader is in an endless loop.
        if (isInThread && (error as IngestError).code === "page_too_complex" && size < SMALL_BYTES)
          throw new Error(`A small file of the form ${form} was never read to its end.`, { cause: error });
      }
      const took = performance.now() - started;
      if (took > MAX_READ_MS) throw new Error(`A file of the form ${form} took ${took.toFixed(0)} ms.`);
    };
    return {
      async round(random) {
        const [form, bytes] = random.chance(0.6) ? random.pick(PACKAGES) : random.pick(PLAIN);
        const isPackage = PACKAGES.some(([one]) => one === form) && random.chance(0.8);
        const changed = isPackage ? mutatePackage(bytes, random) : mutateBytes(bytes, random);
        const readAs = random.chance(0.9) ? form : random.pick(PLAIN)[0];
        // Each file needs a new thread, which takes longer than most files. Libraries may reject promises that nobody awaits.
        await read(readAs, Uint8Array.from(changed), FOREIGN.has(readAs) || random.chance(0.05));
      },
      close: () => pool.close(),
    };
  },
};
