import { toBytes } from "./samples.ts";

const u16 = (value: number): string => String.fromCharCode(value >>> 8, value & 255);
const u32 = (value: number): string => u16(value >>> 16) + u16(value & 0xffff);
const le16 = (value: number): string => String.fromCharCode(value & 255, value >>> 8);
const le32 = (value: number): string => le16(value & 0xffff) + le16(value >>> 16);
const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

const XMP = utf8(
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">The lantern</rdf:li></rdf:Alt></dc:title><dc:description><rdf:Alt><rdf:li xml:lang="x-default">A brass lantern on a sill.</rdf:li></rdf:Alt></dc:description><dc:subject><rdf:Bag><rdf:li>brass</rdf:li><rdf:li>light</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`,
);
const chunk = (name: string, body: string): string => `${u32(body.length)}${name}${body}${u32(0)}`;

export const png = (xmp = XMP): Uint8Array =>
  toBytes(
    `\x89PNG\r\n\x1a\n${chunk("IHDR", `${u32(640)}${u32(480)}\x08\x02\0\0\0`)}${chunk("iTXt", `XML:com.adobe.xmp\0\0\0\0\0${xmp}`)}${chunk("IDAT", "x".repeat(50))}${chunk("IEND", "")}`,
  );

/** One directory of tags, each ASCII (type 2), in big-endian TIFF. */
function createTiff(): string {
  const texts: readonly (readonly [number, string])[] = [
    [0x010e, "Waves at the pier\0"],
    [0x010f, "Canon\0"],
    [0x013b, "Ada Keeper\0"],
  ];
  const size = 2 + 12 * (texts.length + 1) + 4;
  let data = "";
  let entries = "";
  for (const [tag, text] of texts) {
    entries += u16(tag) + u16(2) + u32(text.length) + u32(8 + size + data.length);
    data += text;
  }
  entries += u16(0x8769) + u16(4) + u32(1) + u32(8 + size + data.length);
  const taken = "2019:07:08 09:10:11\0";
  const place = 8 + size + data.length;
  const field = (tag: number, kind: number, length: number, at: number): string => u16(tag) + u16(kind) + u32(length) + u32(at);
  const words = place + 2 + 3 * 12 + 4;
  const fields = [field(0x9003, 2, taken.length, words), field(0x9011, 2, 7, words + 20), field(0x9286, 7, 17, words + 27)];
  const exif = u16(fields.length) + fields.join("") + u32(0);
  return `MM\0*${u32(8)}${u16(texts.length + 1)}${entries}${u32(0)}${data}${exif}${taken}+02:00\0ASCII\0\0\0High tide`;
}

export function jpeg(): Uint8Array {
  const segment = (mark: number, body: string): string => `\xff${String.fromCharCode(mark)}${u16(body.length + 2)}${body}`;
  const iptcField = (id: number, text: string): string => `\x1c\x02${String.fromCharCode(id)}${u16(text.length)}${text}`;
  const iptc = iptcField(25, "sea") + iptcField(25, "pier") + iptcField(90, "Cromer");
  const photoshop = `Photoshop 3.0\x008BIM\x04\x04\0\0${u32(iptc.length)}${iptc}${iptc.length % 2 ? "\0" : ""}`;
  const frame = segment(0xc0, `\x08${u16(300)}${u16(400)}\x01\x01\x11\0`);
  return toBytes(
    `\xff\xd8${segment(0xe1, `Exif\0\0${createTiff()}`)}${segment(0xed, photoshop)}${frame}\xff\xda\0\x02${"x".repeat(40)}\xff\xd9`,
  );
}

export const gif = (): Uint8Array => toBytes(`GIF89a${le16(20)}${le16(10)}\0\0\0;`);
export const webp = (): Uint8Array => toBytes(`RIFF${le32(30)}WEBPVP8X${le32(10)}\0\0\0\0${le16(799)}\0${le16(599)}\0`);
/** `length` is that of the last box. */
export const avif = (length = 20): Uint8Array =>
  toBytes(`${u32(24)}ftypavif\0\0\0\0avifmif1${u32(length)}ispe\0\0\0\0${u32(1200)}${u32(900)}`);

export function wav(seconds = 2, data = 64): Uint8Array {
  const size = 8_000 * seconds;
  return toBytes(
    `RIFF${le32(36 + size)}WAVEfmt ${le32(16)}${le16(1)}${le16(1)}${le32(8_000)}${le32(8_000)}${le16(1)}${le16(8)}data${le32(size)}${"\x80".repeat(data)}`,
  );
}

const syncSafe = (value: number): string => String.fromCharCode((value >> 21) & 127, (value >> 14) & 127, (value >> 7) & 127, value & 127);
const id3Frame = (name: string, body: string): string => `${name}${syncSafe(body.length)}\0\0${body}`;
/** MPEG 1, layer 3, 128 kbit/s, 44,100 Hz: 417 bytes for 1,152 samples. */
const FRAME = `\xff\xfb\x90\x00${"\0".repeat(413)}`;

export function mp3(frames = 200, more: { readonly sync?: boolean } = {}): Uint8Array {
  const text = (words: string): string => `\x03${utf8(words)}`;
  const sync = id3Frame(
    "SYLT",
    `\x03eng\x02\x01\0${[
      ["First line", 1_000],
      ["Second line", 4_000],
    ]
      .map(([words, at]) => `${String(words)}\0${u32(Number(at))}`)
      .join("")}`,
  );
  const tags =
    id3Frame("TIT2", text("Kelp song")) +
    id3Frame("TPE1", text("The Divers")) +
    id3Frame("TALB", text("Deep")) +
    id3Frame("TDRC", text("2018-09-10")) +
    id3Frame("COMM", `\x03eng\0${utf8("Recorded under water.")}`) +
    (more.sync ? sync : "");
  return toBytes(`ID3\x04\0\0${syncSafe(tags.length)}${tags}${FRAME.repeat(frames)}`);
}

const box = (name: string, body: string): string => `${u32(body.length + 8)}${name}${body}`;

export function mp4(brand = "isom"): Uint8Array {
  const header = box("mvhd", `\0\0\0\0${u32(0)}${u32(0)}${u32(1_000)}${u32(95_000)}${"\0".repeat(80)}`);
  const item = (name: string, words: string): string => box(name, box("data", `${u32(1)}${u32(0)}${utf8(words)}`));
  const list = box("ilst", item("\xa9nam", "Tide film") + item("\xa9ART", "Ada Keeper") + item("desc", "How the tide comes in."));
  const meta = box("meta", `\0\0\0\0${box("hdlr", `${"\0".repeat(8)}mdirappl${"\0".repeat(9)}`)}${list}`);
  const moov = box("moov", header + box("udta", meta));
  return toBytes(`${box("ftyp", `${brand}\0\0\0\0isommp42`)}${moov}${box("mdat", "x".repeat(500))}`);
}

const vint = (size: number): string => `\x01${"\0".repeat(3)}${u32(size)}`;
const element = (id: string, body: string): string => id + vint(body.length) + body;
/** A WebM file of 12 seconds with a title in its segment. */
export function webm(): Uint8Array {
  const duration = Buffer.alloc(4);
  duration.writeFloatBE(12_000);
  const head = element("\x1a\x45\xdf\xa3", element("\x42\x82", "webm"));
  const info = element(
    "\x15\x49\xa9\x66",
    element("\x2a\xd7\xb1", u32(1_000_000)) + element("\x44\x89", duration.toString("latin1")) + element("\x7b\xa9", "Lamp film"),
  );
  return toBytes(head + element("\x18\x53\x80\x67", info));
}

export function flac(): Uint8Array {
  const comment = (words: string): string => le32(words.length) + words;
  const comments = comment("maker") + le32(2) + comment("TITLE=Fog horn") + comment("ARTIST=The Keepers");
  // 44,100 Hz, two channels, 16 bits, 441,000 samples.
  const info = `${u16(4_096)}${u16(4_096)}${"\0".repeat(6)}\x0a\xc4\x42\xf0${u32(441_000)}${"\0".repeat(16)}`;
  const block = (kind: number, body: string): string => String.fromCharCode(kind) + u32(body.length).slice(1) + body;
  return toBytes(`fLaC${block(0, info)}${block(0x84, comments)}`);
}
