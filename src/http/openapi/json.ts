/** An object of the document. */
export type Json = { readonly [name: string]: unknown };
