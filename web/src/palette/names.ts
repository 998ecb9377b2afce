/** Whether every word of the query is a prefix of a word in `names`. */
export function matchesName(names: string, query: string): boolean {
  const [nameWords, words] = [splitWords(names), splitWords(query)];
  return query === "" || (words.length > 0 && words.every((word) => nameWords.some((name) => name.startsWith(word))));
}

/** Whether the query is made of whole words of the name, such as "dark" for "Theme: dark". */
export function hasWords(name: string, query: string): boolean {
  const [nameWords, words] = [splitWords(name), splitWords(query)];
  return words.length > 0 && words.every((word) => nameWords.includes(word));
}

/** The words of a text in small letters without accents. */
const splitWords = (text: string): readonly string[] =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== "");
