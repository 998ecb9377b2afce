import { randomBytes } from "node:crypto";

/** A name for the history of a database that begins now: 12 hexadecimal digits. */
export const newEpoch = (): string => randomBytes(6).toString("hex");
