type Sample = { readonly family: string; readonly name: string; readonly labels: ReadonlyMap<string, string>; readonly value: number };

export type ParsedMetrics = {
  /** The types of the families, by name. */
  readonly types: Readonly<Record<string, string>>;
  /** The values of all samples, by name and labels as they are written. */
  readonly samples: Readonly<Record<string, number>>;
};

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\n]|\\\\["\\\\n])*)"(?:,|$)/;
const VALUE = /^(?:[+-]?Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i;

/**
 * Parses the text format of Prometheus (version 0.0.4) and throws at the first line that breaks its rules: each family has one HELP and one
 * TYPE before its samples, which are together; no sample occurs twice; counters end with `_total`; buckets add up.
 */
export function parseMetrics(text: string): ParsedMetrics {
  if (!text.endsWith("\n")) throw new Error("The text does not end with a line feed.");
  const types: Record<string, string> = {};
  const helps = new Set<string>();
  const samples: Record<string, number> = {};
  const series: Sample[] = [];
  let family = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, keyword, name = "", rest = ""] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line) ?? [];
    if (keyword === "HELP") {
      if (helps.has(name)) throw new Error(`Two HELP lines: ${name}`);
      helps.add(name);
    } else if (keyword === "TYPE") {
      if (!helps.has(name) || name in types) throw new Error(`No HELP before TYPE, or two TYPE lines: ${name}`);
      if (!["counter", "gauge", "histogram", "summary"].includes(rest)) throw new Error(`An unknown type: ${line}`);
      types[name] = rest;
      family = name;
    } else if (line !== "") {
      const sample = parseSample(line, family, types);
      const key = line.slice(0, line.lastIndexOf(" "));
      if (key in samples) throw new Error(`A sample occurs twice: ${line}`);
      samples[key] = sample.value;
      series.push(sample);
    }
  }
  for (const [name, type] of Object.entries(types)) {
    if (type === "counter" && !name.endsWith("_total")) throw new Error(`A counter without _total: ${name}`);
    // The gauges of the Prometheus client itself have names that end so.
    if (type !== "counter" && name.endsWith("_total") && name.startsWith("tessera_"))
      throw new Error(`Not a counter, with _total: ${name}`);
    if (type === "histogram") checkBuckets(series.filter((sample) => sample.family === name));
  }
  return { types, samples };
}

function parseSample(line: string, family: string, types: Readonly<Record<string, string>>): Sample {
  const [, name = "", inside = "", value = ""] = SAMPLE.exec(line) ?? [];
  const suffix = name.startsWith(family) ? name.slice(family.length) : "?";
  const suffixes =
    types[family] === "histogram" ? ["_bucket", "_sum", "_count"] : types[family] === "summary" ? ["", "_sum", "_count"] : [""];
  if (name === "" || !suffixes.includes(suffix)) throw new Error(`Not a sample of ${family}: ${line}`);
  if (!VALUE.test(value)) throw new Error(`Not a value: ${line}`);
  const labels = new Map<string, string>();
  for (let rest = inside; rest !== "";) {
    const [all = "", label = "", text = ""] = LABEL.exec(rest) ?? [];
    if (all === "" || labels.has(label)) throw new Error(`Wrong labels: ${line}`);
    labels.set(label, text);
    rest = rest.slice(all.length);
  }
  return { family, name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

/** Buckets of a series must grow, and the last one must equal the count. */
function checkBuckets(samples: readonly Sample[]): void {
  const bySeries = Map.groupBy(samples, ({ labels }) =>
    [...labels].flatMap(([label, value]) => (label === "le" ? [] : [`${label}=${value}`])).join(","),
  );
  for (const [series, group] of bySeries) {
    const buckets = group
      .filter(({ name }) => name.endsWith("_bucket"))
      .map(({ labels, value }) => [Number(labels.get("le")?.replace("Inf", "Infinity")), value] as const);
    const count = group.find(({ name }) => name.endsWith("_count"))?.value;
    const hasGrown = buckets.every(
      ([limit, value], at) => at === 0 || (limit > (buckets[at - 1]?.[0] ?? 0) && value >= (buckets[at - 1]?.[1] ?? 0)),
    );
    const [limit, total] = buckets.at(-1) ?? [];
    if (!hasGrown || limit !== Infinity || total !== count || !group.some(({ name }) => name.endsWith("_sum")))
      throw new Error(`Wrong buckets: ${group[0]?.family} ${series}`);
  }
}
