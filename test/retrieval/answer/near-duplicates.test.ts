import { expect, it } from "vitest";
import { separateNearDuplicates, type TileText } from "#retrieval/answer/near-duplicates.ts";

const ARTICLE =
  "The lighthouse at Nordholm was built in 1887 by the harbour board. Its light stands 42 metres above the sea and can be seen for twenty miles. " +
  "In the first years a keeper lived below the lamp with his family, and carried the oil up the stairs every evening before dusk.";

const createText = (tileId: string, text: string, more: Partial<TileText> = {}): TileText => ({
  tileId,
  sourceUrl: null,
  text,
  start: 0,
  end: text.length,
  around: { text, start: 0 },
  coverage: 1,
  ...more,
});
const separate = (...texts: readonly TileText[]) => {
  const { distinct, duplicates } = separateNearDuplicates(texts);
  return [distinct.map(({ tileId }) => tileId), duplicates.map(({ tileId }) => tileId)];
};
const link = { sourceUrl: "https://press.example/" };

it("a text of two tiles counts once, and one of the same tile is not compared", () => {
  expect(separate(createText("b", ARTICLE), createText("a", ARTICLE))).toEqual([["b"], ["a"]]);
  expect(separate(createText("a", ARTICLE), createText("a", ARTICLE))).toEqual([["a", "a"], []]);
  expect(separate(createText("a", "Low tide."), createText("b", "Low tide."), createText("c", "High tide."))).toEqual([["b", "c"], ["a"]]);
  expect(separate(createText("a", ""), createText("b", ""))).toEqual([["a", "b"], []]);
});

it("a copy counts once although its wording, case or punctuation differs a little", () => {
  const copy = ARTICLE.replace("every evening", "each evening").replace("Its light stands", "its light, it is said, stands").toUpperCase();
  expect(separate(createText("a", ARTICLE), createText("b", ARTICLE.replace("every evening", "each evening")))[1]).toHaveLength(1);
  expect(separate(createText("a", ARTICLE), createText("b", copy.toLowerCase()))[1]).toHaveLength(1);
});

it("the better source is kept in the place of its copy: with an address, more complete, newer", () => {
  const longer = { around: { text: `${ARTICLE} ${"Further news of the harbour follow. ".repeat(20)}`, start: 0 } };
  const other = createText("z", "Ships moor at the northern quay.");
  expect(separate(createText("b", ARTICLE), other, createText("a", ARTICLE, link))).toEqual([["a", "z"], ["b"]]);
  expect(separate(createText("b", ARTICLE, link), other, createText("a", ARTICLE))).toEqual([["b", "z"], ["a"]]);
  expect(separate(createText("b", ARTICLE), createText("a", ARTICLE, longer))).toEqual([["a"], ["b"]]);
  expect(separate(createText("b", ARTICLE, longer), createText("a", ARTICLE, link))).toEqual([["a"], ["b"]]);
  expect(separate(createText("a", ARTICLE), createText("b", ARTICLE))).toEqual([["b"], ["a"]]);
});

it("a better source with less of the question does not take the place of its copy", () => {
  const [most, less] = [createText("a", ARTICLE, { coverage: 0.9 }), createText("b", ARTICLE, { ...link, coverage: 0.6 })];
  expect(separate(most, less)).toEqual([["a"], ["b"]]);
  expect(separate(less, most)[0]).toContain("a");
});

it("texts that differ in a number, a name, a negation or an antonym are not copies", () => {
  for (const [from, to] of [
    ["1887", "1897"],
    ["42 metres", "61 metres"],
    ["Nordholm", "Südholm"],
    ["can be seen", "can not be seen"],
    ["can be seen", "can never be seen"],
    ["In the first years", "In the last years"],
  ] as const)
    for (const texts of [
      [ARTICLE, ARTICLE.replace(from, to)],
      [ARTICLE.replace(from, to), ARTICLE],
    ] as const)
      expect(separate(createText("a", texts[0]), createText("b", texts[1], link)), to).toEqual([["a", "b"], []]);
});

it("a passage of a copy that begins elsewhere counts once, and a note that an article contains does", () => {
  const whole = { around: { text: ARTICLE, start: 0 } };
  const cut = (tileId: string, start: number, end: number) => createText(tileId, ARTICLE.slice(start, end), { ...whole, start, end });
  expect(separate(cut("a", 0, 200), cut("b", 70, 260))[1]).toHaveLength(1);
  expect(separate(createText("a", ARTICLE), createText("b", ARTICLE.slice(0, 66)))).toEqual([["a"], ["b"]]);
  expect(separate(createText("b", ARTICLE.slice(0, 66)), createText("a", ARTICLE))).toEqual([["a"], ["b"]]);
});

it("texts without spaces between words are compared too", () => {
  const text = "灯台は港の北にあり、毎晩日暮れから夜明けまで光を放っています。船員たちはその光を頼りに港へ入ります。";
  expect(separate(createText("a", text), createText("b", text))).toEqual([["b"], ["a"]]);
  expect(separate(createText("a", text), createText("b", "市場は毎朝開かれ、魚や野菜や花が売られています。"))[1]).toEqual([]);
});

it("many long texts take bounded time: beyond a limit they are kept", () => {
  const texts = Array.from({ length: 60 }, (_, n) => createText(`t${n}`, `${ARTICLE} `.repeat(20)));
  const started = process.cpuUsage();
  const { distinct, duplicates } = separateNearDuplicates(texts);
  const { user } = process.cpuUsage(started);
  expect(distinct.length + duplicates.length).toBe(60);
  expect(distinct.length).toBeGreaterThan(10);
  expect(user / 1_000).toBeLessThan(2_000);
});
