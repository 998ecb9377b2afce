/** Placeholder while the real decoder is written. */
export const decodeBody = (body: Uint8Array, _contentType: string | undefined): { text: string; charset: string } => ({ text: new TextDecoder().decode(body), charset: "utf-8" });
