import { expect, it } from "vitest";
import type { Model } from "#ingest/clean/model/model.ts";
import { cleanPage } from "#ingest/clean/page.ts";
import { onlyType, type PageType } from "#ingest/clean/type/page-type.ts";
import { body, url } from "./page-samples.ts";

const ld = (value: object): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const toMeta = (name: string, content: string): string => `<meta property="${name}" content="${content}">`;

/** Reads the last line of a page of which all blocks are content. */
function readLast(head: string, type: PageType = "product", inside = ""): string | undefined {
  const model: Model = ({ blocks }) => ({ types: onlyType(type), titleAt: -1, probabilities: new Float32Array(blocks.length).fill(0.9) });
  return cleanPage({ html: `<html><head><title>Lens</title>${head}</head><body>${inside}${body}</body></html>`, url }, model)
    .text.split("\n")
    .at(-1);
}

const offer = (price: unknown, priceCurrency = "EUR"): object => ({ "@type": "Offer", price, priceCurrency });
const product = (offers: unknown, more: object = {}): object => ({ "@type": "Product", name: "Lens", offers, ...more });

it.each([
  ["an offer", ld(product(offer("1299.5"))), "1299.50 EUR"],
  ["several offers", ld(product([offer(59, "USD"), offer("49.00", "USD"), offer(40)])), "49.00–59 USD"],
  ["an aggregate offer", ld(product({ lowPrice: 8.9, highPrice: "32.50", priceCurrency: "EUR" })), "8.90–32.50 EUR"],
  ["a specification", ld(product([{ priceSpecification: [{ price: "8.90", priceCurrency: "EUR" }] }])), "8.90 EUR"],
  ["variants", ld({ "@type": "ProductGroup", hasVariant: [product(offer(20)), product(offer(30))] }), "20–30 EUR"],
  ["meta elements", toMeta("product:price:amount", "49.9") + toMeta("product:price:currency", "EUR"), "49.90 EUR"],
])("a product has its price from %s, if its text lacks it", (_name, head, expected) => {
  expect(readLast(head)).toBe(`- Price: ${expected}`);
});

it.each(["€1,299.50", "1.299,50 €", "EUR 1 299.50", "1’299.50 EUR"])("a product has its price once, where its text says %s", (price) => {
  expect(readLast(ld(product(offer("1299.50"))), "product", `<p>Only ${price} today</p>`)).not.toContain("Price:");
  expect(readLast(ld(product(offer("299.50"))), "product", `<p>Only ${price} today</p>`)).toBe("- Price: 299.50 EUR");
});

it.each([
  ["a page of another type", ld(product(offer(20))), "article"],
  ["a page about several products", ld(product(offer(20))) + ld(product(offer(30))), "product"],
  ["a price of nothing", ld(product(offer("0.00"))), "product"],
  ["values of other forms", ld(product({ price: { a: 1 }, priceCurrency: ["EUR"] })) + toMeta("og:price:amount", "from 3"), "product"],
] as const)("no price is added to %s", (_name, head, type) => {
  expect(readLast(head, type)).not.toContain("Price:");
});
