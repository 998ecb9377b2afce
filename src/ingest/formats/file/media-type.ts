/** Signatures in Latin-1 with their media type and file extension. Containers of audio or video count as video. */
const SIGNATURES: readonly (readonly [RegExp, string, string])[] = [
  [/^\x89PNG/, "image/png", "png"],
  [/^\xFF\xD8\xFF/, "image/jpeg", "jpg"],
  [/^GIF8/, "image/gif", "gif"],
  [/^RIFF[^]{4}WEBP/, "image/webp", "webp"],
  [/^[^]{4}ftypavi[fs]/, "image/avif", "avif"],
  [/^[^]{4}ftyp(?:hei[cx]|mif1|msf1)/, "image/heic", "heic"],
  [/^(?:II\*\0|MM\0\*)/, "image/tiff", "tiff"],
  [/^BM/, "image/bmp", "bmp"],
  [/^(?:\xFF\x0A|\0\0\0\x0CJXL )/, "image/jxl", "jxl"],
  [/^(?:ID3|\xFF[\xFB\xFA\xF3\xF2])/, "audio/mpeg", "mp3"],
  [/^\xFF[\xF1\xF9]/, "audio/aac", "aac"],
  [/^fLaC/, "audio/flac", "flac"],
  [/^RIFF[^]{4}WAVE/, "audio/wav", "wav"],
  [/^FORM[^]{4}AIF/, "audio/aiff", "aiff"],
  [/^OggS/, "audio/ogg", "ogg"],
  [/^[^]{4}ftypM4[ABP]/, "audio/mp4", "m4a"],
  [/^[^]{4}(?:ftyp|moov)/, "video/mp4", "mp4"],
  [/^\x1A\x45\xDF\xA3/, "video/webm", "webm"],
  [/^RIFF[^]{4}AVI /, "video/x-msvideo", "avi"],
  [/^\0\0\x01\xBA/, "video/mpeg", "mpeg"],
  [/^FLV/, "video/x-flv", "flv"],
];

/** Detects the media type of a picture or recording. Returns null for formats that no model accepts, such as drawings. */
export function sniffMedia(bytes: Uint8Array): { readonly mediaType: string; readonly extension: string } | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString("latin1");
  const found = SIGNATURES.find(([signature]) => signature.test(head));
  return found === undefined ? null : { mediaType: found[1], extension: found[2] };
}
