import type { Actor } from "#domain/core/access.ts";
import * as shared from "../../sql/audit.ts";
import type { Connection } from "../engine/database.ts";
import { runUnit } from "../engine/driver.ts";

/** Records a change of settings; to be called inside the unit of work that makes it. */
export const recordAudit = (db: Connection, actor: Actor, action: string, subject: string, now: number): void =>
  runUnit(db, shared.recordAudit(actor, action, subject, now));
