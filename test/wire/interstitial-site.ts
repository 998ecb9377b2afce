import { type Answer, openWire } from "./support/wire.ts";

export const SITE = "https://www.harbour.example/story";

export const page = (head: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}</body></html>`;

export const open = (answer: Answer) => openWire({ "www.harbour.example": () => answer });
