import type { Page } from "../clean/page.ts";

/** What the pool sends to a thread. */
export type ThreadTask =
  | { readonly kind: "clean"; readonly page: Page }
  | { readonly kind: "analyse"; readonly items: readonly { readonly title: string; readonly text: string }[] };

/** What a thread sends back: `ready` once, then one answer for each task. */
export type ThreadAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly message: string };
