import { deflateRawSync } from "node:zlib";
import { zipSync } from "fflate";
import { expect, it } from "vitest";
import { type Archive, openZip } from "#ingest/read/office/archive/zip.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { toBytes } from "./samples.ts";

/** An archive of one entry whose directory declares any size. */
function createZipDeclaring(
  packed: Uint8Array,
  told: number,
  more: { readonly flags?: number; readonly method?: number } = {},
): Uint8Array {
  const name = "a.xml";
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(more.flags ?? 0, 8);
  entry.writeUInt16LE(more.method ?? 8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(told, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]);
}

const unpack = (archive: Archive, name: string): Buffer => Buffer.concat([...(archive.read(name) ?? [])]);

it("a ZIP archive is read file by file", () => {
  const archive = openZip(zipSync({ "a/b.txt": toBytes("words ".repeat(50)), "c.txt": [toBytes("stored"), { level: 0 }] }));
  expect(archive.names).toEqual(["a/b.txt", "c.txt"]);
  expect(unpack(archive, "a/b.txt").toString()).toBe("words ".repeat(50));
  expect(unpack(archive, "c.txt").toString()).toBe("stored");
  expect(archive.read("d.txt")).toBeNull();
  expect(archive.read("__proto__")).toBeNull();
});

it("a ZIP archive that inflates to more than it declares is stopped by the actual size", () => {
  const archive = openZip(createZipDeclaring(deflateRawSync(Buffer.alloc(300 * 1024 * 1024)), 10));
  const took = measureCpuMs(() => expect(() => unpack(archive, "a.xml")).toThrow(expect.objectContaining({ code: "too_large" })));
  expect(took).toBeLessThan(3_000);
});

it("a ZIP archive is unpacked as far as it is read", () => {
  const archive = openZip(createZipDeclaring(deflateRawSync(Buffer.from("0123456789".repeat(10_000_000))), 10));
  let unpacked = 0;
  for (const piece of archive.read("a.xml") ?? []) if ((unpacked += piece.length) > 1_000_000) break;
  expect(unpacked).toBeLessThan(20_000_000);
});

it("a ZIP archive that declares more than 200 MiB is not inflated", () => {
  expect(() => openZip(createZipDeclaring(deflateRawSync(Buffer.alloc(10)), 300 * 1024 * 1024))).toThrow(
    expect.objectContaining({ code: "too_large" }),
  );
});

it("a ZIP archive compressed more than any document is rejected", () => {
  const archive = openZip(createZipDeclaring(deflateRawSync(Buffer.alloc(60 * 1024 * 1024)), 60 * 1024 * 1024));
  expect(() => unpack(archive, "a.xml")).toThrow(expect.objectContaining({ code: "too_large" }));
});

it("a ZIP archive of too many files is rejected", () => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, place) => [`f${place}`, new Uint8Array(0)]));
  expect(() => openZip(zipSync(many, { level: 0 }))).toThrow(expect.objectContaining({ code: "too_large" }));
});

it("a ZIP archive that is encrypted, truncated or compressed with an unknown method fails with that reason", () => {
  const packed = deflateRawSync(toBytes("words"));
  expect(() => openZip(createZipDeclaring(packed, 5, { flags: 1 })).read("a.xml")).toThrow(expect.objectContaining({ code: "encrypted" }));
  expect(() => openZip(createZipDeclaring(packed, 5, { method: 93 })).read("a.xml")).toThrow(
    expect.objectContaining({ code: "unreadable_file" }),
  );
  const whole = zipSync({ a: toBytes("words") });
  for (const end of [0, 10, whole.length - 1])
    expect(() => openZip(whole.subarray(0, end))).toThrow(expect.objectContaining({ code: "unreadable_file" }));
});
