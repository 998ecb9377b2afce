/** Describes an action as the predicate of a sentence; `name` is the subject's current name, if known. */
export function formatAuditAction(action: string, subject: string, name: string | undefined): string {
  const subjectText = name === undefined ? "" : ` “${name}”`;
  if (action.startsWith("member.role."))
    return `made ${name ?? "a member"} ${ROLES[action.slice("member.role.".length)] ?? "another role"}`;
  const formatText = ACTION_TEXTS[action];
  if (formatText !== undefined) return formatText(subjectText, name);
  return `${action.replaceAll(/[._]/g, " ")} ${name ?? subject}`.trim();
}

const ROLES: Readonly<Record<string, string>> = { owner: "an owner", admin: "an admin", member: "a member" };

type FormatAction = (subjectText: string, name: string | undefined) => string;

const ACTION_TEXTS: Readonly<Record<string, FormatAction>> = {
  "business.claim": () => "set up this install and became its owner",
  "board.create": (subjectText) => `created the board${subjectText}`,
  "board.update": (subjectText) => `changed the board${subjectText}`,
  "board.delete": (subjectText) => `deleted the board${subjectText}`,
  "board.restore": (subjectText) => `restored the board${subjectText}`,
  "key.create": (subjectText) => `created the API key${subjectText}`,
  "key.update": (subjectText) => `changed the API key${subjectText}`,
  "key.revoke": (subjectText) => `revoked the API key${subjectText}`,
  "inbound_address.create": () => "created an inbound address",
  "inbound_address.revoke": () => "revoked an inbound address",
  "webhook.set": () => "set the webhook",
  "webhook.rotate": () => "rotated the webhook’s secret",
  "webhook.update": () => "changed the webhook’s URL or events",
  "webhook.clear": () => "removed the webhook",
  "webhook.redeliver": () => "sent failed events again",
  "subscription.create": () => "registered a webhook",
  "subscription.update": () => "changed a registered webhook",
  "subscription.rotate": () => "rotated the secret of a registered webhook",
  "subscription.pause": () => "paused a registered webhook, since its receiver refused or failed",
  "subscription.delete": () => "deleted a registered webhook",
  "backup.schedule": () => "changed the backup schedule",
  "backup.make": () => "started a backup",
  "member.create": (_subjectText, name) => `added ${name ?? "a member"}`,
  "member.remove": (_subjectText, name) => `removed ${name ?? "a member"}`,
  "member.password": () => "changed the password",
  "invitation.create": (_subjectText, name) => `invited ${name ?? "a person"}`,
  "invitation.accept": () => "accepted an invitation and joined",
  "invitation.withdraw": (_subjectText, name) => `revoked the invitation for ${name ?? "a person"}`,
};
