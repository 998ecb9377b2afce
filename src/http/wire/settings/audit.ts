import { Type } from "typebox";
import { isoTime } from "#domain/core/system.ts";
import type { NamedAuditEntry } from "#service/settings/audit.ts";
import { type Output, choice, entity, object, orNull, pageInputs, time } from "../schema.ts";

const AUDIT_ENTRY = entity("AuditEntry", {
  actor: object({ kind: choice(["operator", "key", "member"], { title: "ActorKind" }), id: Type.String(), name: Type.String() }),
  action: Type.String(),
  subject: Type.String({ description: "The id of the resource that was changed." }),
  at: time,
});

export const AUDIT_RESPONSE = object({ entries: Type.Array(AUDIT_ENTRY), nextCursor: orNull("string") });

export const presentAuditEntry = ({ actor, action, subject, at }: NamedAuditEntry): Output<typeof AUDIT_ENTRY> => ({
  actor,
  action,
  subject,
  at: isoTime(at),
});

export const MODEL_STATUS = entity("ModelStatus", {
  model: Type.Union([object({ provider: Type.String(), name: Type.String() }), Type.Null()], {
    description: "null if no language model is configured: answers are then extractive.",
  }),
  embeddings: object({ kind: choice(["local", "off", "openai-compatible"], { title: "EmbeddingsKind" }), model: orNull("string") }),
});

/** The query of the audit log and of the list of deliveries, which are always paginated. */
export const SETTINGS_PAGE_QUERY = Type.Object(pageInputs("Page size. Default: 50."));
