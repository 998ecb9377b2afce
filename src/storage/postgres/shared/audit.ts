import type { Actor } from "#domain/core/access.ts";
import * as shared from "../../sql/audit.ts";
import type { Transaction } from "../engine/database.ts";
import { runUnit } from "../engine/driver.ts";

/** Records a change of settings; to be called inside the unit of work that makes it. */
export const recordAudit = (tx: Transaction, actor: Actor, action: string, subject: string, now: number): Promise<void> =>
  runUnit(tx, shared.recordAudit(actor, action, subject, now));
