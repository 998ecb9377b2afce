import { ROLES, type Member } from "#domain/settings/member.ts";
import { isoTime } from "#domain/core/system.ts";
import { authorizeBusiness } from "#service/access.ts";
import { addMember, listMembers } from "#service/people/members.ts";
import { type Command, type Invocation, UsageError, print } from "../../command.ts";
import { textOption } from "../../options.ts";
import { withData } from "../../with-data.ts";

/** Maximum size of standard input for a password. */
const MAX_PASSWORD_BYTES = 4_096;

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

/** Reads the first line of standard input, so that passwords are not visible in the process list or the shell's history. */
async function readPassword(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MAX_PASSWORD_BYTES) throw new UsageError("The password on standard input is too long.");
  }
  const [line = ""] = Buffer.concat(chunks).toString("utf8").split(/\r?\n/, 1);
  if (line === "") throw new UsageError("There is no password on standard input. Write it there, as in: … --password-stdin < file.");
  return line;
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
];
