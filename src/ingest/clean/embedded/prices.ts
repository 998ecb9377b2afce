import type { Measure } from "../measure/measure.ts";
import { isObject, type Json, toList } from "./json.ts";
import { getTypes, type LinkedData } from "./linked-data.ts";

const MAX_OFFERS = 200;
const AMOUNT = /^\d{1,9}(?:\.\d{1,4})?$/;
const CURRENCY = /^[A-Z]{3}$/;
const META = ["product:price", "og:price"];

/** The lowest and the highest price of a product, as numbers with a point, and the code of its currency (ISO 4217). */
type Price = { readonly lowest: string; readonly highest: string; readonly currency: string };

/** Returns an amount with two digits of its cents; null if it is none, or zero, which shops write for an unknown price. */
const toAmount = (value: unknown): string | null => {
  const text = String(value ?? "").trim();
  return AMOUNT.test(text) && Number(text) > 0 ? text.replace(/\.\d$/, "$&0") : null;
};

/** Adds the price of the one product that a page is about to its text, where that has none of it. */
export function addPrice(text: string, linked: LinkedData, meta: Measure["meta"]): string {
  const products = linked.content.filter((node) => /\bProduct(?:Group)?\b/.test(getTypes(node)));
  const price = products.length > 1 ? null : (readOffers(products[0]) ?? readMeta(meta));
  if (price === null || text === "" || [price.lowest, price.highest].some((amount) => hasAmount(text, amount, price.currency))) return text;
  const amounts = [...new Set([price.lowest, price.highest])].join("–");
  return `${text}\n\n- Price: ${amounts} ${price.currency}`;
}

/** Reads the offers of a product and of its variants. Those in another currency than the first are ignored. */
function readOffers(product: Json | undefined): Price | null {
  const variants = [product, ...toList(product?.["hasVariant"])].slice(0, MAX_OFFERS).filter(isObject);
  const offers = variants.flatMap((node) => toList(node["offers"])).slice(0, MAX_OFFERS);
  const specifications = offers.filter(isObject).flatMap((offer) => [offer, ...toList(offer["priceSpecification"]).slice(0, 1)]);
  const found = specifications.filter(isObject).flatMap((one) => {
    const currency = String(one["priceCurrency"] ?? "");
    const amounts = [one["price"], one["lowPrice"], one["highPrice"]].map(toAmount).filter((amount) => amount !== null);
    return CURRENCY.test(currency) ? amounts.map((amount) => ({ amount, currency })) : [];
  });
  const [first] = found;
  if (first === undefined) return null;
  const amounts = found.filter(({ currency }) => currency === first.currency).map(({ amount }) => amount);
  const sorted = amounts.toSorted((one, other) => Number(one) - Number(other));
  return { lowest: sorted[0] as string, highest: sorted.at(-1) as string, currency: first.currency };
}

function readMeta(meta: Measure["meta"]): Price | null {
  for (const name of META) {
    const [amount, currency = ""] = [toAmount(meta.get(`${name}:amount`)), meta.get(`${name}:currency`)];
    if (amount !== null && CURRENCY.test(currency)) return { lowest: amount, highest: amount, currency };
  }
  return null;
}

/** Whether a text has an amount beside the sign or the code of a currency, with its thousands and cents in any common form. */
function hasAmount(text: string, amount: string, currency: string): boolean {
  const [whole = "", cents = ""] = amount.split(".");
  const thousands = whole.replace(/\B(?=(?:\d{3}){1,2}$)/g, "[.,'’\\s]?");
  const number = thousands + (/[1-9]/.test(cents) ? `[.,]${cents}` : "(?:[.,](?:0+|-+|–))?");
  const sign = `(?:\\p{Sc}|${currency}|kr|zł|Fr\\.)`;
  return new RegExp(`${sign}\\s?${number}(?!\\d)|(?<![\\d.,'’])${number}\\s?${sign}`, "u").test(text);
}
