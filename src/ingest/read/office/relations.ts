import type { Archive } from "./zip.ts";
import { getAttribute, readXml } from "../markup/xml.ts";

/** What a part of a package refers to: the target's name in the archive and the last word of its kind. */
export type Relation = { readonly kind: string; readonly target: string };

/** The name that a reference has, seen from a file of the archive; a path never leaves the archive. */
export function resolveName(from: string, reference: string): string {
  const plain = reference.split(/[?#]/, 1)[0] ?? "";
  const steps = plain.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of plain.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

/** The relations of a part by their ids (ECMA-376, part 2, 9.3: `_rels/NAME.rels` beside it); what lies outside the package is left out. */
export function relationsOf(archive: Archive, part: string): ReadonlyMap<string, Relation> {
  const cut = part.lastIndexOf("/") + 1;
  const bytes = archive.read(`${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`);
  const relations = new Map<string, Relation>();
  if (bytes === null) return relations;
  readXml(bytes, {
    open(name, attributes) {
      const [id, type, target] = ["Id", "Type", "Target"].map((key) => getAttribute(attributes, key));
      if (name !== "Relationship" || !id || !type || !target || getAttribute(attributes, "TargetMode") === "External") return;
      relations.set(id, { kind: type.slice(type.lastIndexOf("/") + 1), target: resolveName(part, target) });
    },
  });
  return relations;
}
