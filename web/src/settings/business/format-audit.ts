/** Describes an action as the predicate of a sentence; `name` is the subject's current name, if known. */
export function formatAuditAction(action: string, subject: string, name: string | undefined): string {
  const thing = name === undefined ? "" : ` “${name}”`;
  if (action.startsWith("member.role."))
    return `made ${name ?? "a member"} ${ROLES[action.slice("member.role.".length)] ?? "another role"}`;
  const words = ACTION_TEXTS[action];
  if (words !== undefined) return words(thing, name);
  return `${action.replaceAll(/[._]/g, " ")} ${name ?? subject}`.trim();
}

const ROLES: Readonly<Record<string, string>> = { owner: "an owner", admin: "an admin", member: "a member" };

type FormatAction = (thing: string, name: string | undefined) => string;

const ACTION_TEXTS: Readonly<Record<string, FormatAction>> = {
  "business.claim": () => "set up this install and became its owner",
  "board.create": (thing) => `created the board${thing}`,
  "board.update": (thing) => `changed the board${thing}`,
  "board.delete": (thing) => `deleted the board${thing}`,
  "board.restore": (thing) => `restored the board${thing}`,
  "key.create": (thing) => `created the API key${thing}`,
  "key.update": (thing) => `changed the API key${thing}`,
  "key.revoke": (thing) => `revoked the API key${thing}`,
  "webhook.set": () => "set the webhook",
  "webhook.rotate": () => "rotated the webhook’s secret",
  "webhook.update": () => "changed the webhook’s address or events",
  "webhook.clear": () => "removed the webhook",
  "backup.schedule": () => "changed the backup schedule",
  "backup.make": () => "started a backup",
  "member.create": (_thing, name) => `added ${name ?? "a member"}`,
  "member.remove": (_thing, name) => `removed ${name ?? "a member"}`,
  "member.password": () => "changed the password",
  "invitation.create": (_thing, name) => `invited ${name ?? "somebody"}`,
  "invitation.accept": () => "accepted an invitation and joined",
  "invitation.withdraw": (_thing, name) => `revoked the invitation for ${name ?? "somebody"}`,
};
