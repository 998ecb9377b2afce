import type { Shortage } from "#domain/core/errors/shortage.ts";
import type { TextPart } from "#retrieval/lexical/analyse.ts";
import type { HtmlPage } from "../clean/page.ts";
import type { RawPage } from "./reader.ts";
import type { FileFormat } from "../read/format.ts";

/** What the pool sends to a thread. */
export type ThreadTask =
  | { readonly kind: "page"; readonly page: RawPage }
  | { readonly kind: "plainText"; readonly page: RawPage }
  | { readonly kind: "clean"; readonly page: HtmlPage }
  | { readonly kind: "head"; readonly page: HtmlPage }
  | { readonly kind: "feed"; readonly text: string }
  | { readonly kind: "document"; readonly bytes: Uint8Array; readonly form: FileFormat }
  | { readonly kind: "mail"; readonly bytes: Uint8Array }
  | { readonly kind: "analyse"; readonly parts: readonly TextPart[] };

/** What a thread sends back: `ready` once, then one answer for each task. */
export type ThreadAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly value: unknown; /** How large the thread's heap has become, in MiB. */ readonly heapMb: number }
  /** What was to be read can't be: for a person, and nothing of the program's own. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string; readonly stage: string }
  | { readonly kind: "failed"; readonly message: string; readonly shortage: Shortage | null };
