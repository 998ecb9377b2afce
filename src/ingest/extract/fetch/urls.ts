/** Decodes percent escapes; text with invalid ones is returned as it is. */
export function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Resolves an untrusted address; null unless it is http or https. */
export function resolveHttpUrl(address: string | null | undefined, base: string): string | null {
  const url = address === null || address === undefined ? null : URL.parse(address, base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
