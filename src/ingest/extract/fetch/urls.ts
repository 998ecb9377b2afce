/** Decodes percent escapes. Text with invalid escapes is returned unchanged. */
export function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Resolves an untrusted address. Returns null unless it is http or https. */
export function resolveHttpUrl(address: string | null | undefined, base: string): string | null {
  const url = address === null || address === undefined ? null : URL.parse(address, base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
