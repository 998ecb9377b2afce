/** Short texts in several scripts, with hostile ones; shared by the retrieval tests. */
export const LANGUAGES = {
  English: "Dr. Smith moved to the U.S. in 1990. He paid $3.50 for coffee! Was it worth it? “Yes.” It was.",
  German: "Am 3. Oktober feiert Deutschland z. B. die Einheit. Die Straße war voller Menschen, d.h. gesperrt. Schön!",
  Chinese: "黑豹队的防守只丢了308分。他们在联赛中排名第六！为什么？因为防守很好。",
  Japanese: "東京は日本の首都です。人口は約1400万人である。「すごい！」と彼は言った。",
  Thai: "กรุงเทพเป็นเมืองหลวงของประเทศไทย มีประชากรมากกว่าสิบล้านคน",
  Arabic: "القاهرة هي عاصمة مصر. كم عدد سكانها؟ يزيد عن عشرين مليونًا.",
  Hindi: "दिल्ली भारत की राजधानी है। यहाँ बहुत लोग रहते हैं। यह बड़ा शहर है।",
} as const;

export const HOSTILE = {
  "a run without spaces": "a".repeat(1_000_000),
  "full stops": ".".repeat(1_000_000),
  NULs: "\0".repeat(1_000_000),
  emoji: "😀".repeat(500_000),
  "lone surrogates": "\ud83d".repeat(1_000_000),
  ideographs: "漢".repeat(1_000_000),
  "line ends": "a\n".repeat(500_000),
  "tiny sentences": "A. ".repeat(333_333),
  "quotes and brackets": '?!")'.repeat(250_000),
  "combining marks": "e\u0301".repeat(500_000),
} as const;

export const PROSE =
  "The panel met in spring. It heard from 24 witnesses, among them Dr. Jones. Most agreed with the plan. " +
  "Some did not, and said so at length; their objections filled three volumes.\n\n";

/** Whether splitting the text at these offsets splits a surrogate pair. */
export function partsPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff]$/.test(text.charAt(at - 1)) && /^[\udc00-\udfff]$/.test(text.charAt(at));
}
