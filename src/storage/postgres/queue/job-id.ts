import { randomBytes } from "node:crypto";

let last = 0;

/**
 * Creates a UUID of version 7 (RFC 9562) from 48 bits of milliseconds and a counter of 12 bits, so that the ids of one process sort by
 * creation.
 */
export function newJobId(): string {
  last = Math.max(Date.now() * 4_096, last + 1);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.floor(last / 4_096), 0, 6);
  bytes.writeUInt16BE(0x7000 | (last % 4_096), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
