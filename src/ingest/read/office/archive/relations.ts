import type { Archive } from "./zip.ts";
import { getAttribute, readXml } from "../../markup/xml.ts";

/** A relationship of a package's part: the target's name in the archive, and the last segment of the relationship type. */
export type Relation = { readonly kind: string; readonly target: string };

/** Resolves a reference in one file to the name of another. The result never leaves the archive. */
export function resolveName(from: string, reference: string): string {
  const plain = reference.split(/[?#]/, 1)[0] ?? "";
  const steps = plain.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of plain.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

/** Reads the relationships of a part by id (ECMA-376, part 2, 9.3: `_rels/NAME.rels` in the part's folder), without external ones. */
export function readRelations(archive: Archive, part: string): ReadonlyMap<string, Relation> {
  const cut = part.lastIndexOf("/") + 1;
  const listed = archive.read(`${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`);
  const relations = new Map<string, Relation>();
  if (listed === null) return relations;
  readXml(listed, {
    open(name, attributes) {
      const [id, type, target] = ["Id", "Type", "Target"].map((key) => getAttribute(attributes, key));
      if (name !== "Relationship" || !id || !type || !target || getAttribute(attributes, "TargetMode") === "External") return;
      relations.set(id, { kind: type.slice(type.lastIndexOf("/") + 1), target: resolveName(part, target) });
    },
  });
  return relations;
}
