import { randomBytes } from "node:crypto";

/** Creates an identifier for the history of a database: 12 hexadecimal digits. */
export const newEpoch = (): string => randomBytes(6).toString("hex");
