import { Type } from "typebox";
import { isoTime } from "#domain/core/system.ts";
import type { NamedAuditEntry } from "#service/settings/audit.ts";
import { type Output, choice, entity, object, orNull, pageInputs, time } from "../schema.ts";
import { EXAMPLE } from "../example.ts";

/** Who made a change, or owns something. */
export const actor = object({
  kind: choice(["operator", "key", "member"], { title: "ActorKind" }),
  id: Type.String(),
  name: Type.String(),
});

const entryFields = {
  actor,
  action: Type.String(),
  subject: Type.String({ description: "The id of the resource that was changed." }),
  at: time,
};
const AUDIT_ENTRY = entity("AuditEntry", entryFields, {
  examples: [
    {
      actor: { kind: "member", id: EXAMPLE.memberId, name: EXAMPLE.email },
      action: "key.create",
      subject: EXAMPLE.keyId,
      at: EXAMPLE.created,
    },
  ],
});

export const AUDIT_RESPONSE = object({ entries: Type.Array(AUDIT_ENTRY), nextCursor: orNull("string") });

export const presentAuditEntry = ({ actor: by, action, subject, at }: NamedAuditEntry): Output<typeof AUDIT_ENTRY> => ({
  actor: by,
  action,
  subject,
  at: isoTime(at),
});

export const MODEL_STATUS = entity("ModelStatus", {
  model: Type.Union(
    [
      object({ provider: Type.String(), name: Type.String() }, { examples: [{ provider: "openai-compatible", name: "qwen3:8b" }] }),
      Type.Null(),
    ],
    {
      description: "null if no language model is configured: answers are then extractive.",
    },
  ),
  embeddings: object({
    kind: choice(["local", "off", "openai-compatible"], { title: "EmbeddingsKind" }),
    model: orNull("string", { examples: ["universal-sentence-encoder-lite"] }),
  }),
});

/** The query of the audit log, which is always paginated. */
export const SETTINGS_PAGE_QUERY = Type.Object(pageInputs("Page size. Default: 50."));
