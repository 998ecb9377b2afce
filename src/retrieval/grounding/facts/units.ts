/** Units that have a common base, with their size in it. Others, such as currencies, are compared as they are. */
const UNITS: readonly (readonly [string, number, string])[] = [
  ["length", 0.001, "mm|millimet(?:er|re)s?|millimètres?"],
  ["length", 0.01, "cm|centimet(?:er|re)s?|centimètres?|zentimetern?"],
  ["length", 1, "m|met(?:er|re)s?|metern|mètres?|metros?|metri|metro"],
  ["length", 1_000, "km|kilomet(?:er|re)s?|kilometern|kilomètres?|kilómetros?|chilometri"],
  ["length", 1_609.344, "miles?|meilen?|millas?|miglia"],
  ["length", 0.3048, "ft|feet|foot|fuß|pieds?"],
  ["mass", 0.001, "g|grams?|gramm|grammes?|gramos?|grammi"],
  ["mass", 1, "kg|kilos?|kilograms?|kilogramm"],
  ["mass", 1_000, "t|tonnes?|tonnen?|tons?|toneladas?"],
  ["time", 1, "s|sec|seconds?|sekunden?|secondes?|segundos?"],
  ["time", 60, "min|mins|minutes?|minuten?|minutos?|minuti"],
  ["time", 3_600, "h|hrs?|hours?|stunden?|heures?|horas?|ore|uur"],
  ["time", 86_400, "days?|tage?n?|jours?|días?|giorni|dagen"],
  ["time", 604_800, "weeks?|wochen?|semaines?|semanas?|settimane|weken"],
  ["share", 1, "%|percent|per cent|prozent|pour cent|por ciento|procent|per cento"],
  ["euro", 1, "€|euros?|eur"],
  ["dollar", 1, "\\$|dollars?|usd|us-dollar"],
  ["pound", 1, "£|pounds sterling|gbp"],
  ["temperature", 1, "°c|° c|degrees celsius|grad celsius"],
  ["fahrenheit", 1, "°f|degrees fahrenheit"],
];
const AFTER = UNITS.map(([dimension, factor, names]) => ({
  dimension,
  factor,
  pattern: new RegExp(`^[\\s-]?(?:${names})(?![\\p{L}\\p{N}])`, "iu"),
}));
const BEFORE = UNITS.filter(([dimension]) => ["euro", "dollar", "pound"].includes(dimension)).map(([dimension, factor, names]) => ({
  dimension,
  factor,
  pattern: new RegExp(`(?:${names})\\s?$`, "iu"),
}));

export type MeasureUnit = { readonly dimension: string; readonly factor: number };

/** Returns the unit after a figure, or the currency before it; null without one. */
export function findUnit(before: string, after: string): MeasureUnit | null {
  return AFTER.find(({ pattern }) => pattern.test(after)) ?? BEFORE.find(({ pattern }) => pattern.test(before)) ?? null;
}
