import { domainToASCII } from "node:url";

const MAX_SLUG_LENGTH = 60;
/** Characters of a word that are encoded. A label of a domain name, which the encoding is made for, has at most 63. */
const MAX_ENCODED_CHARACTERS = 20;

/** Latin spellings of letters that Unicode does not decompose: Latin, Cyrillic and Greek ones. */
const LATIN_SPELLINGS: ReadonlyMap<string, string> = new Map(
  `ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ħ=h ı=i ŋ=ng
   а=a б=b в=v г=g ґ=g д=d ђ=dj е=e є=ye ж=zh з=z ѕ=dz и=i і=i ї=yi й=y ј=j к=k л=l љ=lj м=m н=n њ=nj о=o п=p р=r с=s т=t ћ=c
   у=u ў=u ф=f х=kh ц=ts ч=ch џ=dz ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya
   α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
);

/**
 * Returns a URL-safe slug of lower-case ASCII letters, digits and single hyphens. Latin, Cyrillic and Greek words are spelt with Latin
 * letters; words in other scripts are encoded as in domain names (Punycode), so that different names have different slugs. Returns
 * `board` for a name without letters and digits.
 */
export function toSlug(name: string): string {
  const words =
    name
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const slug = words.map((word) => spellInLatin(word) ?? encode(word)).filter((word) => word !== "");
  return slug.join("-").slice(0, MAX_SLUG_LENGTH).replace(/-+$/, "") || "board";
}

/** Returns null for a word with letters that have no Latin spelling. */
function spellInLatin(word: string): string | null {
  const spelt = Array.from(word, (letter) => LATIN_SPELLINGS.get(letter) ?? spellDecomposed(letter)).join("");
  return /^[a-z0-9]*$/.test(spelt) ? spelt : null;
}

/** Spells the letter without its accents. */
const spellDecomposed = (letter: string): string =>
  Array.from(letter.normalize("NFKD").replaceAll(/\p{M}/gu, ""), (part) => LATIN_SPELLINGS.get(part) ?? part).join("");

function encode(word: string): string {
  const encoded = domainToASCII(Array.from(word).slice(0, MAX_ENCODED_CHARACTERS).join(""));
  return encoded
    .replace(/^xn--/, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
