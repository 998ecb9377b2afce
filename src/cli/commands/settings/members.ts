import { ROLES, type Member } from "#domain/settings/member.ts";
import { isoTime } from "#domain/core/system.ts";
import { authorizeBusiness } from "#service/access.ts";
import { addMember, findMember, listMembers, resetPassword } from "#service/people/members.ts";
import { type Command, type Invocation, UsageError, print } from "../../command.ts";
import { textOption } from "../../options.ts";
import { withData } from "../../with-data.ts";
import { askPassword, readPassword } from "./password.ts";

const presentMember = ({ id, email, role, lastSeenAt, createdAt }: Member) => ({
  id,
  email,
  role,
  lastSeenAt: lastSeenAt === null ? null : isoTime(lastSeenAt),
  createdAt: isoTime(createdAt),
});

function readRole(invocation: Invocation): (typeof ROLES)[number] {
  const text = textOption(invocation, "role") ?? "member";
  const role = ROLES.find((each) => each === text);
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(", ")}.`);
  return role;
}

export const MEMBER_COMMANDS: readonly Command[] = [
  {
    name: "member create",
    options: {
      email: { value: "ADDRESS", meaning: "The e-mail address, with which the member logs in.", isRequired: true },
      role: { value: "ROLE", meaning: "owner, admin or member (default).", choices: ROLES },
      "password-stdin": { meaning: "Reads the password from the first line of standard input.", isRequired: true },
    },
    summary: "Creates a member, who can log in to the page.",
    examples: [
      "{program} member create --email ada@example.com --role owner --password-stdin < password.txt",
      'printf %s "$PASSWORD" | {program} member create --email bo@example.com --password-stdin',
    ],
    installation: "created",
    async run(invocation) {
      const email = textOption(invocation, "email");
      if (email === undefined) throw new UsageError("--email is required: members log in with it.");
      if (invocation.options["password-stdin"] !== true)
        throw new UsageError("--password-stdin is required: the password is read from standard input, never from the command line.");
      const role = readRole(invocation);
      const password = await readPassword();
      await withData(invocation, async ({ deps, actor }) => {
        const member = await addMember(deps, await authorizeBusiness(deps, actor, "own"), { email, role, password });
        print(invocation, { member: presentMember(member) }, `${member.id}  ${member.email}  ${member.role}`);
      });
    },
  },
  {
    name: "member list",
    summary: "Lists the members of the business.",
    examples: ["member list", "member list --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, actor }) => {
        const members = await listMembers(deps, await authorizeBusiness(deps, actor, "administer"));
        print(
          invocation,
          { members: members.map(presentMember) },
          members.map(({ id, email, role }) => `${id}  ${email}  ${role}`),
        );
      }),
  },
  {
    name: "member password",
    parameters: [{ name: "EMAIL", meaning: "The e-mail address of the member." }],
    options: { "password-stdin": { meaning: "Reads the password from the first line of standard input, instead of asking for it." } },
    summary: "Sets a new password, and ends all sessions of the member.",
    details: "Asks for the password on the terminal, without showing it. Works also while a server runs.",
    examples: ["member password ada@example.com", "{program} member password ada@example.com --password-stdin < password.txt"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const [email = ""] = invocation.parameters;
        const member = await findMember(deps, email);
        if (invocation.options.business !== undefined && member.businessId !== business.id)
          throw new Error(`${member.email} is a member of another business than ${business.id}. Leave out --business.`);
        await resetPassword(deps, member, invocation.options["password-stdin"] === true ? await readPassword() : await askPassword());
        print(invocation, { member: presentMember(member) }, `Set a new password for ${member.email}, and ended all sessions.`);
      }),
  },
];
