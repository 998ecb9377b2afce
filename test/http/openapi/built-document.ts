import { buildDocument } from "#http/openapi/document.ts";
import { createRoutes } from "#http/routes/all.ts";

const routes = createRoutes({ name: 200, title: 500, content: 1_000_000, question: 4_000 });
export const document = buildDocument(routes, "https://tessera.example.com") as any;
export const follow = (value: any) =>
  typeof value?.$ref === "string"
    ? value.$ref
        .slice(2)
        .split("/")
        .reduce((part: any, name: string) => part[name], document)
    : value;
export const operations: { readonly name: string; readonly pointer: string; readonly operation: any }[] = [
  ...Object.entries<any>(document.paths),
  ...Object.entries<any>(document.webhooks),
].flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({
    name: `${method} ${path}`,
    pointer: `/${path.startsWith("/") ? "paths" : "webhooks"}/${path.replaceAll("/", "~1")}/${method}`,
    operation,
  })),
);
