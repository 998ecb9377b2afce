/** Numbers of well-formed multi-byte sequences, and of bytes that belong to no sequence. */
export type Utf8Scan = { readonly valid: number; readonly invalid: number };

/**
 * Counts well-formed multi-byte sequences and misplaced bytes (Unicode, table 3-7). An incomplete sequence at the end counts as
 * neither, because the body may have been truncated there.
 */
export const scanUtf8 = (bytes: Uint8Array): Utf8Scan => {
  let valid = 0;
  let invalid = 0;
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const length = getSequenceLength(lead);
    const found = length === 0 ? 0 : countSequence(bytes, at, lead, length);
    if (found === length && length > 0) valid += 1;
    else if (length === 0 || at + found < bytes.length) invalid += 1;
    at += Math.max(found, 1);
  }
  return { valid, invalid };
};

const getSequenceLength = (lead: number): number => {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
};

/** Counts the bytes from `at` that belong to the sequence of the lead byte. */
const countSequence = (bytes: Uint8Array, at: number, lead: number, length: number): number => {
  let found = 1;
  while (found < length && isContinuation(bytes[at + found] ?? 0, found, lead)) found += 1;
  return found;
};

/** After some lead bytes the range is narrower, to exclude overlong forms, surrogates and code points above U+10FFFF. */
const isContinuation = (byte: number, index: number, lead: number): boolean => {
  if (byte < 0x80 || byte > 0xbf) return false;
  if (index !== 1) return true;
  if (lead === 0xe0) return byte >= 0xa0;
  if (lead === 0xed) return byte <= 0x9f;
  if (lead === 0xf0) return byte >= 0x90;
  return lead !== 0xf4 || byte <= 0x8f;
};
