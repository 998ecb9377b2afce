import { cleanPage } from "#ingest/clean/page.ts";

export const url = "https://example.com/blog/lens";
export const sentence = "The lens bends the light, and the keeper of the lighthouse turns it through the night, whatever the weather. ";
export const body = `<p>${sentence.repeat(3)}</p><p>${sentence.repeat(4)}</p>`;
export const article = (inside: string, head = ""): string =>
  `<html lang="en"><head><title>Lens</title>${head}</head><body><nav><a href="/">Home</a></nav><article><h1>Lens</h1>${body}${inside}${body}</article><footer>Imprint</footer></body></html>`;
export const clean = (html: string) => cleanPage({ html, url });
