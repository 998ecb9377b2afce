import { findScale, findWordNumbers } from "./number-words.ts";
import { findUnit, type MeasureUnit } from "./units.ts";

/** A figure of a text. A notation may have several readings: "1,234" is 1234 or 1.234. */
export type Figure = {
  readonly values: readonly number[];
  readonly unit: MeasureUnit | null;
  /** The groups of "030 123 456" or "6.40", which another text may separate differently; of a claim they count only together. */
  readonly parts: readonly number[];
};

const SPACES = /[\u00a0\u2000-\u200a\u202f\u3000]/g;
const TOKEN = /\d{1,3}(?:[ '’]\d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,]\d+)*/g;
const TIME = /(?<![\d:])([01]?\d|2[0-4])(?:[:h]|(?=\s?(?:[ap]\.?m|uhr|h)\b))([0-5]\d)?(?![\d:])/giu;
const DOTTED_TIME = /^(?:[01]?\d|2[0-4])\.[0-5]\d$/;
const LIST_NUMBER = /^\s*(?:[-*]\s+)?\d{1,3}[.)]\s+/;
const MAX_SUFFIX = 24;

const normalise = (text: string): string =>
  text
    .replace(SPACES, " ")
    .replaceAll(/\p{Nd}/gu, (digit) => (digit < "\u0080" ? digit : String(toDigit(digit))))
    .replaceAll(/[٫]/g, ".")
    .replaceAll(/[٬]/g, ",");

/** The value of a digit of any script: the digits of each follow each other. */
function toDigit(digit: string): number {
  let code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) [code, value] = [code - 1, value + 1];
  return value;
}

/** Returns the figures that a sentence claims: those in digits, and those that it surely spells out. */
export const readClaims = (sentence: string): Figure[] => [
  ...readDigits(normalise(sentence.replace(LIST_NUMBER, ""))),
  ...findWordNumbers(sentence).flatMap(({ value, isClaim }) => (isClaim ? [toFigure(value)] : [])),
];

/** Returns the figures that a text can support. */
export const readEvidence = (text: string): Figure[] => [
  ...readDigits(normalise(text)),
  ...findWordNumbers(text).map(({ value }) => toFigure(value)),
];

const toFigure = (value: number): Figure => ({ values: [value], unit: null, parts: [] });

function readDigits(text: string): Figure[] {
  const hours = new Map([...text.matchAll(TIME)].map((time) => [time.index, Number(time[1])] as const));
  const figures: Figure[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const after = text.slice(index + token.length, index + token.length + MAX_SUFFIX);
    // The minutes of a full hour are often left out.
    if (token === "00" && /[:h]$/.test(text.slice(0, index))) continue;
    const hour = hours.get(index);
    if (hour !== undefined) figures.push({ values: [hour, hour + 12, hour - 12].filter((value) => value >= 0), unit: null, parts: [] });
    else figures.push(...readToken(token, text.slice(Math.max(0, index - MAX_SUFFIX), index), after));
  }
  return figures;
}

function readToken(token: string, before: string, after: string): Figure[] {
  // A date such as 12.05.2024, or an address or version: each part is a figure.
  const pieces = token.split(/[.,]/);
  if (pieces.length > 2 && !/^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/.test(token))
    return pieces.map((piece, at) => ({
      values: at === 2 && piece.length === 2 ? [Number(piece), 2_000 + Number(piece)] : [Number(piece)],
      unit: null,
      parts: [],
    }));
  const readings = readNumber(token);
  const scale = findScale(/^[\s-]?([\p{L}]+\.?)/u.exec(after)?.[1] ?? "");
  const isMillion = /^\s?M(?![\p{L}])/u.test(after);
  const values = scale === undefined ? readings : readings.map((value) => value * scale);
  const parts = /[ '’]/.test(token) || DOTTED_TIME.test(token) ? token.split(/[ '’.]/).map(Number) : [];
  // In German and Spanish "billion" is a million millions.
  const more = scale === 1e9 ? values.map((value) => value * 1e3) : isMillion ? values.map((value) => value * 1e6) : [];
  return [{ values: [...values, ...more], unit: scale === undefined ? findUnit(before, after) : null, parts }];
}

/** Returns the readings of a number with marks: as groups of thousands, or as a decimal fraction. */
function readNumber(token: string): number[] {
  const plain = token.replaceAll(/[ '’]/g, "");
  const marks = plain.match(/[.,]/g) ?? [];
  const last = marks.at(-1) ?? "";
  const decimal = Number(plain.replaceAll(last === "," ? "." : ",", "").replace(last, "."));
  const whole = Number(plain.replaceAll(/[.,]/g, ""));
  if (marks.length === 0) return [whole];
  if (marks.length > 1) return marks[0] === last ? [whole] : [decimal];
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(plain) ? [whole, decimal] : [decimal];
}

/** Whether one of the figures of the evidence is this one. */
export function isSupported(claim: Figure, evidence: readonly Figure[]): boolean {
  if (evidence.some((figure) => isSame(claim, figure))) return true;
  const has = (value: number): boolean => evidence.some(({ values, parts }) => values.includes(value) || parts.includes(value));
  if (claim.unit === null && claim.values.some((value) => evidence.some(({ parts }) => parts.includes(value)))) return true;
  return claim.parts.length > 0 && claim.parts.every(has);
}

function isSame(a: Figure, b: Figure): boolean {
  const [first, second] = a.unit !== null && b.unit !== null ? [a.unit.factor, b.unit.factor] : [1, 1];
  if (a.unit !== null && b.unit !== null && a.unit.dimension !== b.unit.dimension) return false;
  return a.values.some((x) => b.values.some((y) => isEqual(x * first, y * second)));
}

const isEqual = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
